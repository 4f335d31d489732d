//! Counted loops ([`Counted`]) as loops over the parts of a range, with a [`Storage::For`] for the iterations of a part.
//!
//! ```text
//! loop i := 0, s := x:                        loop i := 0, s := x:
//!   t = i < n                                   p = part i n
//!   if t: iteration; repeat i + 1, s'    =>     turns p - i
//!   else: after                                 s' = for j := i, s := s below p: iteration
//!                                               if p < n: repeat p, s'  else: after
//! ```
//!
//! Each iteration takes a *turn* (`compiler/runtime/interface/first_order.h`). The turns of a part are taken at once before it, by a call. The
//! iterations have variables of their own, which this call does not force into memory. As many iterations as an array has elements are
//! one part, as in builds: memory bounds their number.
//!
//! Iterations are executed in their order, but for elementwise ones, and as often as before, but for [`super::repeating`]. Their steps
//! are counted at once if no code reads the number in between. So no bit and no step changes.

use super::lowering::{Given, Lowering, Others, Tail};
use super::repeating::Repeating;
use crate::counted_loops::{Counted, Last, Range, natural};
use crate::elementwise::is_elementwise_iteration;
use crate::storage::counts::{Counts, count_for_all};
use crate::storage::unrolling::{is_left, order_of};
use crate::{Block, End, IntegerOperation as O, Kind, Operand, Order, Statement, Storage, Variable};
use vlad_table::internal_bug;

/// The iterations of a part: from one integer up to another one.
#[derive(Clone, Copy)]
struct Part {
    from: Operand,
    to: Operand,
}

impl<'unit> Lowering<'_, 'unit> {
    /// Writes a counted loop.
    pub(super) fn counted(&mut self, counted: &Counted<'unit>) {
        let Counted { targets, state, initial, counter, most, test, .. } = *counted;
        let (assigned, results) = self.results(targets);
        let others = self.others(counted);
        let begin = state.iter().zip(initial).find(|(variable, _)| **variable == counter);
        let from = match begin.and_then(|(_, initial)| natural(*initial)) {
            Some(from) => Operand::real(from),
            None => internal_bug!("a counter begins with a constant"),
        };
        let bound = match (counted.range, self.bounds.get(&test)) {
            (Range::BELOW, Some(bound)) => *bound,
            (range, _) => self.end_of(range, from, most),
        };
        let first = self.given(initial, &others.ways);
        let is_from_zero = from == Operand::real(0.0);
        let is_one_part = is_from_zero
            && (self.is_elementwise(counted)
                || counted.range.last != Last::Through && self.known(most).is_some_and(|whole| whole.is_length));
        let tail = Tail { results, ..Tail::default() };
        let statement = if is_one_part {
            let block = self.nested(|lowering| {
                let last = lowering.part(counted, Part { from, to: bound }, (&others, first));
                lowering.after(counted, &others, (bound, last), &tail)
            });
            Statement::Bind { targets: assigned.clone(), block }
        } else {
            self.parts(counted, [from, bound], (&others, first), assigned.clone(), &tail)
        };
        self.code.push(statement);
        self.reals(targets, &assigned);
    }

    /// The loop over the parts of a range.
    fn parts(
        &mut self,
        counted: &Counted<'unit>,
        [from, bound]: [Operand; 2],
        (others, first): (&Others, Vec<Operand>),
        targets: Vec<Variable>,
        tail: &Tail,
    ) -> Statement {
        let at = self.code.fresh(Kind::Integer);
        let own: Vec<Variable> = others.kinds.iter().map(|kind| self.code.fresh(*kind)).collect();
        let body = self.nested(|lowering| {
            let target = lowering.code.fresh(Kind::Integer);
            lowering.code.push(Storage::Part { target, range: [at.into(), bound] }.into());
            let part = Part { from: at.into(), to: target.into() };
            let last = lowering.part(counted, part, (others, Operand::all(&own)));
            let test = lowering.code.integer(O::Below, [target.into(), bound]);
            let next = std::iter::once(Operand::Variable(target)).chain(last.iter().copied()).collect();
            let consequent = Box::new(Block { statements: Vec::new(), end: End::Repeat(next) });
            let alternative =
                Box::new(lowering.nested(|lowering| lowering.after(counted, others, (target.into(), last), tail)));
            End::Branch { test, consequent, alternative }
        });
        let state = std::iter::once(at).chain(own).collect();
        let initial = std::iter::once(from).chain(first).collect();
        Statement::Loop { targets, state, initial, body }
    }

    /// The state of a loop but its counter; counters and chosen variables among it are integers.
    fn others(&mut self, counted: &Counted<'unit>) -> Others {
        let (mut variables, mut kinds, mut ways) = (Vec::new(), Vec::new(), Vec::new());
        for variable in counted.state {
            if *variable == counted.counter {
                ways.push(Given::Nothing);
                continue;
            }
            let is_integer = self.counters.contains(variable) || self.chosen.contains(variable);
            ways.push(if is_integer { Given::Integer } else { Given::Same });
            kinds.push(if is_integer { Kind::Integer } else { self.function.kind((*variable).into()) });
            variables.push(*variable);
        }
        Others { variables, kinds, ways }
    }

    /// Takes the turns of a part, and executes its iterations; returns the state behind them.
    fn part(&mut self, counted: &Counted<'unit>, part: Part, (others, first): (&Others, Vec<Operand>)) -> Vec<Operand> {
        if part.to == Operand::real(0.0) {
            return first;
        }
        let count = match part.from {
            Operand::Real(_) => part.to,
            _ => self.code.integer(O::Subtract, [part.to, part.from]),
        };
        self.code.push(Storage::Turns { count }.into());
        let counts = count_for_all(&mut self.code, counted.steps, counted.iteration, count);
        let repeating = Repeating::of(self, counted).filter(|_| part.from.variable().is_some());
        match repeating {
            Some(repeating) => self.count_up(&repeating, counted, [part.from, part.to], (others, first), counts),
            None => self.iterations(counted, part, (others, first), counts),
        }
    }

    /// The iterations one after another, or in any order.
    fn iterations(
        &mut self,
        counted: &Counted<'unit>,
        Part { from, to }: Part,
        (others, first): (&Others, Vec<Operand>),
        counts: Counts,
    ) -> Vec<Operand> {
        let order = if self.is_elementwise(counted) { Order::Parallel } else { order_of(counted.iteration) };
        let is_apart = !is_left(counted.iteration) && !has_records(counted.iteration);
        let initial = if is_apart { self.apart(first, &others.kinds) } else { first };
        let index = self.code.fresh(Kind::Integer);
        let own: Vec<Variable> = others.kinds.iter().map(|kind| self.code.fresh(*kind)).collect();
        let body = self.nested(|lowering| {
            // C compilers pack iterations whose addresses go down less well.
            let is_reversed = order == Order::Parallel && !stores_at(counted.counter, counted.iteration);
            let number = if is_reversed {
                let last = lowering.code.integer(O::Subtract, [to, Operand::real(1.0)]);
                lowering.code.integer(O::Subtract, [last, index.into()])
            } else {
                index.into()
            };
            lowering.real(counted.counter, number);
            lowering.iteration(counted, (others, &own), counts, false)
        });
        let targets: Vec<Variable> = others.kinds.iter().map(|kind| self.code.fresh(*kind)).collect();
        let variables = std::iter::once(index).chain(own).collect();
        let initial = std::iter::once(from).chain(initial).collect();
        let last = Operand::all(&targets);
        self.code.push(Storage::For { targets, variables, initial, end: to, listed: None, order, body }.into());
        if is_apart { self.apart(last, &others.kinds) } else { last }
    }

    /// The code of an iteration, in which other variables have the state.
    pub(super) fn iteration(
        &mut self,
        counted: &Counted<'unit>,
        (others, own): (&Others, &[Variable]),
        counts: Counts,
        yields_state: bool,
    ) -> End {
        self.renamed.insert(counted.test, Operand::Boolean(counted.range.holds));
        for (variable, own) in others.variables.iter().zip(own) {
            self.stand_for(*variable, (*own).into());
        }
        if counts == Counts::Each {
            self.count(counted.steps);
        }
        let is_left_out =
            |statement: &Statement| counts == Counts::AtOnce && matches!(statement, Statement::Count { .. });
        counted.iteration.statements.iter().filter(|statement| !is_left_out(statement)).for_each(|statement| {
            self.statement(statement);
        });
        self.end(&counted.iteration.end, &Tail { state: others.ways.clone(), yields_state, ..Tail::default() })
    }

    /// Lets a value stand for a variable, whose real is made if the value is an integer.
    fn stand_for(&mut self, variable: Variable, value: Operand) {
        let is_made = self.code.kind(value) == Kind::Integer && self.function.kind(variable.into()) != Kind::Integer;
        let value = if is_made {
            let real = self.code.fresh(Kind::Real);
            self.real(real, value);
            real.into()
        } else {
            value
        };
        self.renamed.insert(variable, value);
    }

    /// The block after the last iteration, where the counter is an integer.
    fn after(
        &mut self,
        counted: &Counted<'unit>,
        others: &Others,
        (end, last): (Operand, Vec<Operand>),
        tail: &Tail,
    ) -> End {
        self.renamed.insert(counted.test, Operand::Boolean(!counted.range.holds));
        let real = self.code.fresh(Kind::Real);
        self.real(real, end);
        self.renamed.insert(counted.counter, real.into());
        others.variables.iter().zip(last).for_each(|(variable, value)| self.stand_for(*variable, value));
        self.count(counted.steps);
        self.statements(&counted.after.statements);
        self.end(&counted.after.end, tail)
    }

    fn count(&mut self, steps: u64) {
        if steps > 0 {
            self.code.push(Statement::Count { steps });
        }
    }

    /// Copies the reals among values of some kinds, so that C compilers take them for other reals. The originals are live during the call
    /// that takes the turns of the next part, which leaves them no register.
    fn apart(&mut self, values: Vec<Operand>, kinds: &[Kind]) -> Vec<Operand> {
        let copied: Vec<(Operand, Option<Variable>)> = values
            .into_iter()
            .zip(kinds)
            .map(|(value, kind)| (value, (*kind == Kind::Real).then(|| self.code.fresh(Kind::Real))))
            .collect();
        let values: Vec<Operand> = copied.iter().filter(|(_, copy)| copy.is_some()).map(|(value, _)| *value).collect();
        let targets = copied.iter().filter_map(|(_, copy)| *copy).collect();
        if !values.is_empty() {
            self.code.push(Storage::Apart { targets, values }.into());
        }
        copied.into_iter().map(|(value, copy)| copy.map_or(value, Operand::Variable)).collect()
    }

    /// Returns true if the counter is the whole state, and each iteration changes an element of its own.
    fn is_elementwise(&self, counted: &Counted<'unit>) -> bool {
        let is_below = counted.range == Range::BELOW && counted.state.len() == 1;
        is_below && is_elementwise_iteration(self.function, counted.counter, counted.iteration)
    }
}

/// True if a block stores an element at a counter.
fn stores_at(counter: Variable, block: &Block) -> bool {
    block
        .all_statements()
        .any(|statement| matches!(statement, Statement::Store { index, .. } if *index == Operand::Variable(counter)))
}

/// True if records are pushed or popped in a block.
fn has_records(block: &Block) -> bool {
    block.all_statements().any(|statement| matches!(statement, Statement::Push { .. } | Statement::Pop { .. }))
}
