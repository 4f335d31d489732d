//! Loops whose state repeats, as iterations of Newton's method end: what is left of them is not executed.
//!
//! ```text
//! for i below n:  (a, b) := f (a, b)
//!   ~>  (a', b') := (a, b)
//!       for i below n:  (a, b) := f (a, b)
//!                       if (a, b) = (a', b') then i := i + whole periods below n
//!                       else if the distance of i to that of (a', b') is 2^k then (a', b') := (a, b)
//! ```
//!
//! An iteration that reads nothing that changes but its own state, and has no effects, computes the same for the same state: once all
//! bits of a state are those of an earlier one, the states between the two come again and again. A state that stays has the period
//! 1; one that rounding moves to and fro, 2. States are kept at distances that double, so any period is found (Brent, An improved
//! Monte Carlo factorization algorithm, 1980).
//!
//! Whole periods are left out. Each of them counts as many steps as the one that was executed: those that all iterations count have
//! been counted before, and what calls and inner loops have counted is counted again for each. If these were more steps than reals
//! can tell apart, nothing is left out, and the loop goes on until a limit ends it. So no bit, no step and no limit changes.
//!
//! The comparison is worth it only where an iteration takes long: it has a division, a square root, a loop or a call, and the
//! comparison is beside the chain of operations that it waits for.

use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::{Body, name, shared};
use vlad_first_order::effects::is_instruction;
use vlad_first_order::{Block, End, Kind, Operand, Statement, Unit, Variable};
use vlad_table::{Comparison, Operation};

/// The most variables that are compared.
const MOST: usize = 8;

/// The deepest nest of calls that is looked into.
const DEEPEST: usize = 4;

/// The number of the iteration before which the kept state was, and the distance at which the next one is kept, in C.
const PLACE: &str = "kept_place";
const DISTANCE: &str = "kept_distance";

/// A loop of which periods are left out once its state repeats.
pub struct Repeating {
    /// The state without the counter.
    state: Vec<Variable>,
    /// True if an iteration counts steps in its calls or inner loops.
    counts: bool,
}

impl Body<'_> {
    /// The loop, if an iteration computes its state from nothing else that changes, and takes long.
    pub fn repeating(&self, counter: Operand, state: &[Variable], iteration: &Block) -> Option<Repeating> {
        self.repeating_by((Operation::Add, counter), state, iteration)
    }

    /// The same for a counter to which an operation is applied with 1.
    fn repeating_by(
        &self,
        (by, counter): (Operation, Operand),
        state: &[Variable],
        iteration: &Block,
    ) -> Option<Repeating> {
        let counter = counter.variable()?;
        let others: Vec<Variable> = state.iter().copied().filter(|variable| *variable != counter).collect();
        let is_plain = |variable: &Variable| {
            matches!(self.kind(*variable), Kind::Real | Kind::Boolean) && !self.is_integer(*variable)
        };
        let is_compared = (1..=MOST).contains(&others.len())
            && others.iter().all(is_plain)
            && is_slow(iteration)
            && only_counts((by, counter), state, iteration)
            && is_pure(self.scope.unit, iteration, DEEPEST);
        is_compared.then(|| Repeating { state: others, counts: counts_inside(iteration) })
    }

    /// A loop that counts down by 1 until its counter is 0, if an iteration computes the rest of its state from nothing else that
    /// changes, and takes long; with its counter.
    pub fn repeating_down(&self, state: &[Variable], body: &Block) -> Option<(Repeating, Variable)> {
        let End::Branch { test, consequent, alternative } = &body.end else { return None };
        let mut compared = None;
        for statement in &body.statements {
            match statement {
                Statement::Count { .. } => {}
                Statement::Compare { target, comparison: Comparison::Equal, first, second }
                    if *test == Operand::Variable(*target) && *second == Operand::real(0.0) && compared.is_none() =>
                {
                    compared = Some(*first);
                }
                _ => return None,
            }
        }
        let counter = compared?;
        let mut ends = true;
        consequent.each_leaf(&mut |leaf| ends &= !matches!(leaf.end, End::Repeat(_)));
        let repeating = self.repeating_by((Operation::Subtract, counter), state, alternative).filter(|_| ends)?;
        let counter = counter.variable().filter(|counter| !self.is_integer(*counter))?;
        Some((Repeating { counts: true, ..repeating }, counter))
    }

    /// The iterations of such a loop, given the code of one.
    pub fn iterations_down(&self, (repeating, counter): (&Repeating, Variable), iteration: Vec<S>, out: &mut Vec<S>) {
        let (turn, left) = (C::name("kept_turn"), name(counter));
        let is_natural = C::call("vlad_is_moderate", [left.clone()])
            .infix(Infix::And, left.clone().infix(Infix::Greater, C::Number(0)));
        let end = turn.clone().infix(Infix::Add, C::call("vlad_whole", [left.clone()]));
        let mut inside = iteration;
        inside.push(S::Add(turn.clone(), C::Number(1)));
        let mut periods = Vec::new();
        self.leave_out_periods(repeating, (turn.clone(), end), &mut periods);
        // The counter goes down as far as the turns go up.
        let before = S::integer("kept_before", turn.clone());
        let passed = turn.clone().infix(Infix::Subtract, C::name("kept_before"));
        periods.insert(0, before);
        periods.push(S::Subtract(left, C::call("vlad_real_of", [passed])));
        inside.push(S::when(is_natural, periods));
        let mut kept = vec![S::integer("kept_turn", C::Number(0))];
        self.keep_state(repeating, turn, &mut kept);
        kept.push(S::Loop(inside));
        out.push(S::Scope(kept));
    }

    /// Keeps the state, its place and the number of steps before the first iteration.
    pub fn keep_state(&self, repeating: &Repeating, counter: C, out: &mut Vec<S>) {
        let define =
            |ctype: &'static str, name: &str, value| S::Define { ctype: ctype.into(), name: name.into(), value };
        out.extend(repeating.state.iter().map(|variable| {
            let ctype = if self.kind(*variable) == Kind::Real { "double" } else { "int" };
            define(ctype, &kept(*variable), name(*variable))
        }));
        out.push(S::integer(PLACE, counter));
        out.push(S::integer(DISTANCE, C::Number(1)));
        let counters = self.step_counters(repeating);
        out.extend(counters.into_iter().map(|(kept, counter)| S::integer(kept, counter)));
    }

    /// Leaves out periods behind an iteration if the state is the kept one; else keeps it if it is its turn.
    pub fn leave_out_periods(&self, repeating: &Repeating, (counter, end): (C, C), out: &mut Vec<S>) {
        let same = repeating.state.iter().map(|variable| {
            let (now, before) = (name(*variable), C::Name(kept(*variable)));
            match self.kind(*variable) {
                Kind::Real => C::call("vlad_has_same_bits", [now, before]),
                Kind::Boolean | Kind::Array(_) | Kind::Cell | Kind::Integer => now.infix(Infix::Equal, before),
            }
        });
        let Some(all) = same.reduce(|all, one| all.infix(Infix::And, one)) else { return };
        let distance = counter.clone().infix(Infix::Subtract, C::name(PLACE));
        let left = end.infix(Infix::Subtract, counter.clone());
        let counters = self.step_counters(repeating);
        let of_one = |(kept, steps): &(&'static str, C)| steps.clone().infix(Infix::Subtract, C::name(*kept));
        let sum = |numbers: Vec<C>| numbers.into_iter().reduce(|sum, one| sum.infix(Infix::Add, one));
        let (of_period, before) = (
            sum(counters.iter().map(of_one).collect()),
            sum(counters.iter().map(|(_, steps)| steps.clone()).collect()),
        );
        let periods = match (of_period, before) {
            (Some(of_period), Some(before)) => C::call("vlad_periods", [left, C::name("period"), of_period, before]),
            (_, _) => left.infix(Infix::Divide, C::name("period")),
        };
        let mut then = vec![S::integer("period", distance.clone()), S::integer("periods", periods)];
        for counter in &counters {
            then.push(S::Add(counter.1.clone(), of_one(counter).infix(Infix::Multiply, C::name("periods"))));
        }
        then.push(S::Add(counter.clone(), C::name("periods").infix(Infix::Multiply, C::name("period"))));
        let mut keep: Vec<S> =
            repeating.state.iter().map(|variable| S::Assign(C::Name(kept(*variable)), name(*variable))).collect();
        keep.push(S::Assign(C::name(PLACE), counter));
        keep.push(S::Add(C::name(DISTANCE), C::name(DISTANCE)));
        keep.extend(self.step_counters(repeating).into_iter().map(|(kept, steps)| S::Assign(C::name(kept), steps)));
        let is_turn = distance.infix(Infix::NotLess, C::name(DISTANCE));
        out.push(S::If { test: all.unlikely(), then, otherwise: vec![S::when(is_turn, keep)] });
    }

    /// The numbers of steps that calls and inner loops change, each with the name under which it is kept; none in code that counts none, as
    /// exported code does.
    fn step_counters(&self, repeating: &Repeating) -> Vec<(&'static str, C)> {
        let mut counters = vec![("kept_shared", shared("steps"))];
        if self.has_steps {
            counters.push(("kept_steps", self.counter()));
        }
        counters.retain(|_| repeating.counts && counts_steps(self.scope.unit));
        counters
    }
}

fn kept(variable: Variable) -> String {
    format!("kept_v{}", variable.0)
}

/// True for code that does nothing but compute numbers, choose, and repeat, go on or leave the code. Recursion is bounded by the depth of calls.
fn is_pure(unit: &Unit, block: &Block, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let mut pure = true;
    block.each_statement(&mut |statement| {
        pure = pure
            && match statement {
                Statement::Operation { .. }
                | Statement::PositiveZero { .. }
                | Statement::Compare { .. }
                | Statement::Bind { .. }
                | Statement::Loop { .. }
                | Statement::Count { .. } => true,
                Statement::Call { function, .. } => is_pure(unit, &unit.function(*function).body, depth),
                _ => false,
            };
    });
    pure
}

/// True if the code of a unit counts steps.
fn counts_steps(unit: &Unit) -> bool {
    let mut counts = false;
    for function in &unit.functions {
        function.body.each_statement(&mut |statement| counts |= matches!(statement, Statement::Count { .. }));
    }
    counts
}

/// True if an iteration counts steps otherwise than all iterations do at its beginning.
fn counts_inside(iteration: &Block) -> bool {
    let (mut counts, mut repeats) = (0, false);
    iteration.each_statement(&mut |statement| {
        counts += usize::from(matches!(statement, Statement::Count { .. }));
        repeats |= matches!(statement, Statement::Loop { .. } | Statement::Call { .. });
    });
    let of_all = iteration.statements.iter().filter(|statement| matches!(statement, Statement::Count { .. })).count();
    repeats || counts > of_all
}

fn is_slow(iteration: &Block) -> bool {
    let mut is_slow = false;
    iteration.each_statement(&mut |statement| {
        is_slow |= match statement {
            Statement::Operation { operation, .. } => {
                matches!(operation, Operation::Divide | Operation::SquareRoot) || !is_instruction(*operation)
            }
            Statement::Loop { .. } | Statement::Call { .. } => true,
            _ => false,
        };
    });
    is_slow
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
    let reads = |variable: Variable| {
        let mut reads = 0;
        iteration.each_block(&mut |block| {
            let of_statements = block.statements.iter().flat_map(Statement::operands);
            let of_end = block.end.operands().iter().copied();
            reads += of_statements.chain(of_end).filter(|operand| *operand == Operand::Variable(variable)).count();
        });
        reads
    };
    let (mut leaves, mut goes_on) = (0, true);
    iteration.each_leaf(&mut |leaf| match &leaf.end {
        End::Repeat(values) => {
            leaves += 1;
            goes_on &= values.get(place) == Some(&Operand::Variable(next));
        }
        End::BailOut(_) => {}
        End::Yield(_) | End::Branch { .. } => goes_on = false,
    });
    goes_on && leaves > 0 && reads(counter) == 1 && reads(next) == leaves
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
        assert!(is_pure(&unit, &block, DEEPEST) && !counts_inside(&block));
        block.statements.push(Statement::Read { target: Variable(4) });
        assert!(!is_pure(&unit, &block, DEEPEST));
    }
}
