//! Loops whose state recurs, as at the end of Newton's method: whole periods of the remaining iterations are left out.
//!
//! ```text
//! for i below n:  (a, b) := f (a, b)
//!   ~>  (a', b') := (a, b)
//!       for i below n:  (a, b) := f (a, b)
//!                       if (a, b) = (a', b') then i := i + whole periods below n
//!                       else if (a', b') is 2^k iterations old then (a', b') := (a, b), k := k + 1
//! ```
//!
//! An iteration without effects that reads nothing variable but its own state computes the same for the same state. Once all bits of a
//! state are those of an earlier one, the states between the two recur. A constant state has the period 1, and one that rounding
//! moves to and fro has the period 2. States are kept at distances that double, so any period is found (Brent, An improved Monte Carlo
//! factorization algorithm, 1980).
//!
//! Each period that is left out counts as many steps as the executed one. Steps that a counted loop counts for all iterations at
//! once have been counted before it. Those of calls and inner loops, and of loops that count down, are counted again for each
//! period. If the sum were above 2^53, up to which reals are exact, nothing is left out, and the loop goes on until a limit ends
//! it. So no bit, no step and no limit changes.
//!
//! The comparison pays only if an iteration takes long: it has a loop, a call, or an operation that takes as long as a division. The
//! operations of the iteration do not wait for the comparison.
//!
//! The lowering to storage code calls [`Lowering::count_up`] for a counted loop ([`super::counted`]), and [`Lowering::count_down`]
//! for one that counts down to 0. [`Repeating::of`] and [`countdown`] check all that is assumed here.

use super::lowering::{Lowering, Others, Tail};
use crate::counted_loops::Counted;
use crate::effects::Effect;
use crate::passes::Pass;
use crate::storage::counts::Counts;
use crate::{Block, End, IntegerOperation as O, Kind, Operand, Statement, Storage, Unit, Variable};
use vlad_table::{Comparison, Effort, Operation, internal_bug};

/// The most variables of a state that is compared.
const MOST: usize = 8;

/// The deepest calls that are looked at.
const DEEPEST: usize = 4;

/// A loop whose state may recur.
pub struct Repeating {
    /// The places of the compared state: all but the counter.
    places: Vec<usize>,
    /// True if an iteration counts steps in its calls or inner loops.
    counts: bool,
}

/// A loop that counts down by 1 until its counter is 0.
pub struct Countdown<'unit> {
    repeating: Repeating,
    state: &'unit [Variable],
    body: &'unit Block,
    /// The place of the counter.
    counter: usize,
    /// The code behind the last iteration, and that of an iteration.
    after: &'unit Block,
    iteration: &'unit Block,
}

/// The state that an earlier turn, an iteration of the loop, had; as integers.
#[derive(Clone)]
struct Kept {
    /// The bits of the reals and booleans.
    bits: Vec<Operand>,
    /// The number of the turn.
    turn: Operand,
    /// The number of turns after which the state of another one is kept.
    distance: Operand,
    /// The number of steps, if periods have steps of their own.
    steps: Option<Operand>,
}

impl Kept {
    fn operands(&self) -> Vec<Operand> {
        self.bits.iter().copied().chain([self.turn, self.distance]).chain(self.steps).collect()
    }
}

impl Repeating {
    /// A counted loop, if an iteration computes its state from nothing else that changes, and takes long.
    pub(super) fn of(lowering: &Lowering<'_, '_>, counted: &Counted<'_>) -> Option<Repeating> {
        repeating(lowering, (Operation::Add, counted.counter), counted.state, counted.iteration)
    }
}

/// A loop with a counter to which an operation is applied with 1.
fn repeating(
    lowering: &Lowering<'_, '_>,
    (by, counter): (Operation, Variable),
    state: &[Variable],
    iteration: &Block,
) -> Option<Repeating> {
    let places: Vec<usize> = (0..state.len()).filter(|place| state.get(*place) != Some(&counter)).collect();
    let is_integer = |variable: &Variable| lowering.counters.contains(variable) || lowering.chosen.contains(variable);
    let is_plain = |variable: &Variable| {
        matches!(lowering.function.kind((*variable).into()), Kind::Real | Kind::Boolean) && !is_integer(variable)
    };
    let is_compared = lowering.passes.contains(Pass::Periods)
        && (1..=MOST).contains(&places.len())
        && state.iter().filter(|variable| **variable != counter).all(is_plain)
        && is_slow(iteration)
        && only_counts((by, counter), state, iteration)
        && computes_numbers(lowering.unit, iteration, DEEPEST);
    let counts = counts_inside(iteration) && counts_steps(lowering.unit);
    is_compared.then_some(Repeating { places, counts })
}

/// A loop that counts down by 1 until its counter is 0, if an iteration computes the rest of its state from nothing else that
/// changes, and takes long.
pub(super) fn countdown<'unit>(lowering: &Lowering<'_, '_>, statement: &'unit Statement) -> Option<Countdown<'unit>> {
    let Statement::Loop { state, body, .. } = statement else { return None };
    let End::Branch { test, consequent: after, alternative: iteration } = &body.end else { return None };
    let mut compared = None;
    for statement in &body.statements {
        match statement {
            Statement::Count { .. } => {}
            Statement::Compare { target, comparison: Comparison::Equal, first, second }
                if *test == Operand::Variable(*target) && *second == Operand::real(0.0) && compared.is_none() =>
            {
                compared = first.variable();
            }
            _ => return None,
        }
    }
    let variable = compared.filter(|counter| !lowering.counters.contains(counter))?;
    let counter = state.iter().position(|other| *other == variable)?;
    let ends = after.leaves().all(|leaf| !matches!(leaf.end, End::Repeat(_)));
    let found = repeating(lowering, (Operation::Subtract, variable), state, iteration).filter(|_| ends)?;
    // Each iteration counts its own steps.
    let repeating = Repeating { counts: counts_steps(lowering.unit), ..found };
    Some(Countdown { repeating, state, body, counter, after, iteration })
}

impl<'unit> Lowering<'_, 'unit> {
    /// The iterations of a counted loop from one index up to another one; returns the state behind them.
    pub(super) fn count_up(
        &mut self,
        repeating: &Repeating,
        counted: &Counted<'unit>,
        [from, to]: [Operand; 2],
        (others, first): (&Others, Vec<Operand>),
        counts: Counts,
    ) -> Vec<Operand> {
        let kinds = &others.kinds;
        let begin = self.keep(repeating, &first, from);
        let index = self.code.fresh(Kind::Integer);
        let own: Vec<Variable> = kinds.iter().map(|kind| self.code.fresh(*kind)).collect();
        let (kept, of_kept) = self.kept_variables(&begin);
        let body = self.nested(|lowering| {
            let test = lowering.code.integer(O::Below, [index.into(), to]);
            let consequent = lowering.nested(|lowering| {
                let iteration = lowering.nested(|lowering| {
                    lowering.real(counted.counter, index.into());
                    lowering.iteration(counted, (others, &own), counts, true)
                });
                let next = lowering.code.bind_block(kinds, iteration);
                let turn = lowering.code.integer(O::Add, [index.into(), Operand::real(1.0)]);
                let left = lowering.code.integer(O::Subtract, [to, turn]);
                let end = |_: &mut Self, turn: Operand, _: Option<Operand>, kept: Kept| {
                    End::Repeat([turn].into_iter().chain(next.iter().copied()).chain(kept.operands()).collect())
                };
                lowering.go_on(repeating, (&next, turn, left), &kept, end)
            });
            let alternative = Block { statements: Vec::new(), end: End::Yield(Operand::all(&own)) };
            End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) }
        });
        let targets: Vec<Variable> = kinds.iter().map(|kind| self.code.fresh(*kind)).collect();
        let last = Operand::all(&targets);
        let state = [index].into_iter().chain(own).chain(of_kept).collect();
        let initial = [from].into_iter().chain(first).chain(begin.operands()).collect();
        self.code.push(Statement::Loop { targets, state, initial, body });
        last
    }

    /// A loop that counts down, with the variables of its results and its state.
    pub(super) fn count_down(
        &mut self,
        countdown: &Countdown<'unit>,
        (targets, own, initial): (Vec<Variable>, Vec<Variable>, Vec<Operand>),
        tail: &Tail,
    ) {
        let Countdown { repeating, state, body, counter, after, iteration } = countdown;
        let compared = |values: &[Operand]| -> Vec<Operand> {
            repeating.places.iter().filter_map(|place| values.get(*place)).copied().collect()
        };
        let kinds: Vec<Kind> = own.iter().map(|variable| self.code.kind((*variable).into())).collect();
        let zero = Operand::real(0.0);
        let begin = self.keep(repeating, &compared(&initial), zero);
        let turn = self.code.fresh(Kind::Integer);
        let (kept, of_kept) = self.kept_variables(&begin);
        let body = self.nested(|lowering| {
            lowering.code.push(Storage::Turns { count: Operand::real(1.0) }.into());
            lowering.reals(state, &own);
            lowering.statements(&body.statements);
            let consequent = lowering.block(after, tail);
            let alternative = lowering.nested(|lowering| {
                let of_iteration = Tail { state: tail.state.clone(), yields_state: true, ..Tail::default() };
                let block = lowering.block(iteration, &of_iteration);
                let next = lowering.code.bind_block(&kinds, block);
                let Some(left) = next.get(*counter).copied() else { internal_bug!("the counter is of the state") };
                let turn = lowering.code.integer(O::Add, [turn.into(), Operand::real(1.0)]);
                let end = |lowering: &mut Self, turn: Operand, skipped: Option<Operand>, kept: Kept| {
                    let mut next = next.clone();
                    if let (Some(skipped), Some(counter)) = (skipped, next.get_mut(*counter)) {
                        // The counter goes down as far as the turns go up.
                        let skipped = lowering.code.integer(O::Real, [skipped]);
                        *counter = lowering.code.binary(Operation::Subtract, left, skipped);
                    }
                    End::Repeat(next.into_iter().chain([turn]).chain(kept.operands()).collect())
                };
                let whole = lowering.code.integer(O::Moderate, [left]);
                let test = lowering.code.integer(O::Less, [zero, whole]);
                let values = compared(&next);
                let natural = lowering.nested(|lowering| lowering.go_on(repeating, (&values, turn, whole), &kept, end));
                let other = lowering.nested(|lowering| end(lowering, turn, None, kept.clone()));
                End::Branch { test, consequent: Box::new(natural), alternative: Box::new(other) }
            });
            let End::Branch { test, .. } = &body.end else { internal_bug!("a countdown ends by a test") };
            let test = lowering.operand(*test);
            End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) }
        });
        let state = own.into_iter().chain([turn]).chain(of_kept).collect();
        let initial = initial.into_iter().chain([zero]).chain(begin.operands()).collect();
        self.code.push(Statement::Loop { targets, state, initial, body });
    }

    /// Goes on after an iteration, given the new state, the next turn, and the number of turns that are left: leaves out periods
    /// if the state is the kept one; else keeps it if the kept one is old enough.
    fn go_on(
        &mut self,
        repeating: &Repeating,
        (values, turn, left): (&[Operand], Operand, Operand),
        kept: &Kept,
        end: impl Fn(&mut Self, Operand, Option<Operand>, Kept) -> End,
    ) -> End {
        let now = self.keep(repeating, values, turn);
        let tests: Vec<Operand> =
            now.bits.iter().zip(&kept.bits).map(|(now, kept)| self.code.integer(O::Same, [*now, *kept])).collect();
        let Some(is_same) = tests.into_iter().reduce(|all, one| self.code.integer(O::Both, [all, one])) else {
            internal_bug!("a compared state has variables")
        };
        let period = self.code.integer(O::Subtract, [turn, kept.turn]);
        let differs = self.code.integer(O::Not, [is_same]);
        let test = self.code.integer(O::Likely, [differs]);
        let other = self.nested(|lowering| {
            let test = lowering.code.integer(O::NotBelow, [period, kept.distance]);
            let keeping = lowering.nested(|lowering| {
                let distance = lowering.code.integer(O::Add, [kept.distance, kept.distance]);
                end(lowering, turn, None, Kept { distance, ..now.clone() })
            });
            let going_on = lowering.nested(|lowering| end(lowering, turn, None, kept.clone()));
            End::Branch { test, consequent: Box::new(keeping), alternative: Box::new(going_on) }
        });
        let same = self.nested(|lowering| {
            let zero = Operand::real(0.0);
            let (of_one, before) = match (now.steps, kept.steps) {
                (Some(now), Some(kept)) => (lowering.code.integer(O::Subtract, [now, kept]), now),
                (_, _) => (zero, zero),
            };
            let periods = lowering.code.integer(O::Periods, [left, period, of_one, before]);
            if repeating.counts {
                let times = lowering.code.integer(O::Multiply, [of_one, periods]);
                lowering.code.push(Storage::CountEach { steps: 1, times }.into());
            }
            let skipped = lowering.code.integer(O::Multiply, [periods, period]);
            let turn = lowering.code.integer(O::Add, [turn, skipped]);
            end(lowering, turn, Some(skipped), kept.clone())
        });
        End::Branch { test, consequent: Box::new(other), alternative: Box::new(same) }
    }

    /// A state as it is kept in a turn.
    fn keep(&mut self, repeating: &Repeating, values: &[Operand], turn: Operand) -> Kept {
        let bits = values.iter().map(|value| match self.code.kind(*value) {
            Kind::Boolean => self.code.integer(O::Choose, [*value, Operand::real(1.0), Operand::real(0.0)]),
            Kind::Real | Kind::Array(_) | Kind::Cell | Kind::Integer => self.code.integer(O::Bits, [*value]),
        });
        let bits = bits.collect();
        let steps = repeating.counts.then(|| {
            let target = self.code.fresh(Kind::Integer);
            self.code.push(Statement::Steps { target });
            target.into()
        });
        Kept { bits, turn, distance: Operand::real(1.0), steps }
    }

    /// Variables of a loop for what is kept.
    fn kept_variables(&mut self, begin: &Kept) -> (Kept, Vec<Variable>) {
        let mut variables = Vec::new();
        let mut variable = || {
            let variable = self.code.fresh(Kind::Integer);
            variables.push(variable);
            Operand::Variable(variable)
        };
        let kept = Kept {
            bits: begin.bits.iter().map(|_| variable()).collect(),
            turn: variable(),
            distance: variable(),
            steps: begin.steps.map(|_| variable()),
        };
        (kept, variables)
    }
}

/// True for code that computes nothing but numbers, of nothing but its variables, as do the functions that it calls down to a depth.
fn computes_numbers(unit: &Unit, block: &Block, depth: usize) -> bool {
    let of_numbers = |callee| depth > 1 && computes_numbers(unit, &unit.function(callee).body, depth - 1);
    block.all_statements().all(|statement| match statement.callee() {
        Some(callee) => of_numbers(callee),
        None => {
            statement.is_operation() || matches!(statement.effect(), Effect::Nested | Effect::Repeated | Effect::Count)
        }
    })
}

/// True if the code of a unit counts steps; that of exports does not.
fn counts_steps(unit: &Unit) -> bool {
    unit.all_statements().any(|statement| matches!(statement, Statement::Count { .. }))
}

/// True if an iteration counts steps otherwise than all iterations do at its beginning.
fn counts_inside(iteration: &Block) -> bool {
    let is_count = |statement: &&Statement| matches!(statement, Statement::Count { .. });
    let of_all = iteration.statements.iter().filter(is_count).count();
    iteration.all_statements().any(|statement| statement.repeats() || statement.callee().is_some())
        || iteration.all_statements().filter(is_count).count() > of_all
}

fn is_slow(iteration: &Block) -> bool {
    iteration.all_statements().any(|statement| {
        statement.repeats()
            || statement.callee().is_some()
            || statement.operation().is_some_and(|operation| operation.effort() >= Effort::Division)
    })
}

/// True if a counter of a loop is read for the next one alone, and that is nothing but the counter of the next iteration.
fn only_counts((by, counter): (Operation, Variable), state: &[Variable], iteration: &Block) -> bool {
    let Some(place) = state.iter().position(|variable| *variable == counter) else { return false };
    let next = iteration.statements.iter().find_map(|statement| match statement {
        Statement::Operation { target, operation, first, second }
            if *operation == by && *first == Operand::Variable(counter) && *second == Some(Operand::real(1.0)) =>
        {
            Some(*target)
        }
        _ => None,
    });
    let Some(next) = next else { return false };
    let reads = |variable: Variable| iteration.all_operands().filter(|operand| *operand == variable.into()).count();
    let leaves = iteration.repeats().count();
    let goes_on = iteration.repeats().all(|values| values.get(place) == Some(&next.into()));
    goes_on && leaves > 0 && iteration.yields().next().is_none() && reads(counter) == 1 && reads(next) == leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: Variable = Variable(0);
    const STATE: Variable = Variable(1);
    const NEXT: Variable = Variable(2);
    const VALUE: Variable = Variable(3);

    fn operation(target: Variable, operation: Operation, first: Variable, second: Operand) -> Statement {
        Statement::Operation { target, operation, first: first.into(), second: Some(second) }
    }

    /// An iteration that adds 1 to the counter, and applies an operation to an operand and 2.
    fn iteration(of: Operation, operand: Variable) -> Block {
        let count = operation(NEXT, Operation::Add, COUNTER, Operand::real(1.0));
        let compute = operation(VALUE, of, operand, Operand::real(2.0));
        Block { statements: vec![count, compute], end: End::Repeat(vec![NEXT.into(), VALUE.into()]) }
    }

    #[test]
    fn the_counter_may_be_counted_alone() {
        let state = [COUNTER, STATE];
        assert!(only_counts((Operation::Add, COUNTER), &state, &iteration(Operation::Divide, STATE)));
        assert!(!only_counts((Operation::Add, COUNTER), &state, &iteration(Operation::Divide, COUNTER)));
        assert!(!only_counts((Operation::Add, COUNTER), &state, &iteration(Operation::Divide, NEXT)));
    }

    #[test]
    fn iterations_that_take_long_have_a_quotient_or_a_call() {
        assert!(is_slow(&iteration(Operation::Divide, STATE)) && is_slow(&iteration(Operation::Power, STATE)));
        assert!(!is_slow(&iteration(Operation::Multiply, STATE)));
    }

    #[test]
    fn iterations_with_effects_are_executed() {
        let unit = Unit::default();
        let mut block = iteration(Operation::Divide, STATE);
        assert!(computes_numbers(&unit, &block, DEEPEST) && !counts_inside(&block));
        block.statements.push(Statement::Read { target: Variable(4) });
        assert!(!computes_numbers(&unit, &block, DEEPEST));
    }
}
