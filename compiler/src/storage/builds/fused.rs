//! Loops that take the elements of an array as it is built.
//!
//! ```text
//! a = build n (fun i -> exp v[i]);  loop k = 0, s = 0.0 below n: s + a[k]
//! ```
//!
//! Both are one loop: an iteration makes an element, and then does what the other loop does with it. A processor adds while it waits for
//! the function of the next element, which takes longer, and no array is read once more. Each loop computes the same as before, in the
//! same order. What the second loop does has no effect and cannot fail, so nobody sees that some of it comes before the last elements.
//!
//! Elements without calls of functions are better made alone, with packed instructions.

use super::packable::Packable;
use super::{Counts, Element, Lowering};
use crate::first_order::effects::is_packed;
use crate::first_order::{Block, End, Kind, Operand, Statement, Variable};
use crate::storage::counted_loops::Counted;
use crate::storage::memory::allocates_in;
use crate::storage::{IntegerOperation, Order, Storage};
use std::collections::HashMap;
use vlad_table::internal_bug;

/// A build, and the loop behind it that is executed with it.
pub(super) struct Fused<'unit> {
    array: &'unit [Variable],
    length: Operand,
    index: Variable,
    body: &'unit Block,
    counted: Counted<'unit>,
}

impl<'unit> Fused<'unit> {
    /// The parts of two statements, one behind the other; none if they are no such loops.
    pub fn of(first: &'unit Statement, following: &'unit Statement, of: &Lowering<'_, 'unit>) -> Option<Fused<'unit>> {
        let Statement::Build { targets: array, length, index, body } = first else { return None };
        let counted = Counted::of(following, &of.counters)?;
        let fused = Fused { array, length: *length, index: *index, body, counted };
        (calls_for_elements(body, *index, of) && fused.takes_elements(of)).then_some(fused)
    }

    /// Returns true if the loop is over all elements, computes numbers without leaving the code, and reads the element of its turn alone.
    fn takes_elements(&self, of: &Lowering<'_, 'unit>) -> bool {
        let Counted { counter, most, iteration, state, initial, .. } = &self.counted;
        let ([array], [first, others @ ..]) = (self.array, *state) else { return false };
        let array_of = |length: Operand| length.variable().and_then(|length| of.lengths.get(&length).copied());
        let is_over_all = counter == first
            && initial.first() == Some(&Operand::real(0.0))
            && array_of(*most).is_some_and(|most| array_of(self.length) == Some(most) || most == (*array).into());
        let are_plain = |variable: &Variable| {
            matches!(of.function.kind((*variable).into()), Kind::Real | Kind::Boolean)
                && !of.counters.contains(variable)
        };
        let mut may_be_taken = true;
        iteration.each_statement(&mut |statement| {
            may_be_taken &= match statement {
                Statement::Operation { .. }
                | Statement::PositiveZero { .. }
                | Statement::Compare { .. }
                | Statement::Length { .. }
                | Statement::Count { .. }
                | Statement::Bind { .. } => true,
                Statement::Element { array: read, index, .. } => {
                    *read != (*array).into() || *index == (*counter).into()
                }
                _ => false,
            };
        });
        iteration.each_block(&mut |block| may_be_taken &= !matches!(block.end, End::BailOut(_)));
        is_over_all && others.iter().all(are_plain) && may_be_taken
    }
}

/// Returns true if the elements of a build are reals each of which takes a call of a function, and are made one behind the other.
fn calls_for_elements(body: &Block, index: Variable, of: &Lowering<'_, '_>) -> bool {
    let End::Yield(values) = &body.end else { return false };
    let are_reals = values.iter().all(|value| of.function.kind(*value) == Kind::Real);
    let calls =
        |statement: &Statement| matches!(statement, Statement::Operation { operation, .. } if !is_packed(*operation));
    let statements: Vec<&Statement> = body.statements.iter().collect();
    let is_packable = Packable::of(of.function, index, &statements, &body.end, Counts::AtOnce).is_some();
    let allocates = allocates_in(body, of.allocating, &|array| of.placement.is_elsewhere(array));
    are_reals && body.statements.iter().any(calls) && !allocates && !is_packable
}

impl<'unit> Lowering<'_, 'unit> {
    /// The loop of a build and of what takes its elements.
    pub(super) fn fused_loops(&mut self, fused: &Fused<'unit>) {
        let Fused { array, length, index, body, counted } = fused;
        let Counted { counter, test, iteration, after, targets, state, initial, .. } = *counted;
        let count = self.begin_build(array, *length, *index);
        let counts = self.count_at_once(body, count);
        self.code.push(Storage::Turns { count }.into());
        let of_following = self.count_at_once(iteration, count);

        let others: Vec<(Variable, Operand)> =
            state.iter().copied().zip(initial.iter().copied()).filter(|(variable, _)| *variable != counter).collect();
        let kinds: Vec<(Kind, Operand)> =
            others.iter().map(|(variable, initial)| (self.function.kind((*variable).into()), *initial)).collect();
        let mut values: HashMap<Variable, Operand> = HashMap::new();
        let last = self.each((Operand::real(0.0), count), Order::Sequential, &kinds, |lowering, number, now| {
            let element = Element { shared: &[], block: body, counts };
            lowering.element((array, *index), number, element, &End::Yield(Vec::new()));
            let real = lowering.integer(IntegerOperation::Real, [number]);
            values = others.iter().map(|(variable, _)| *variable).zip(now.iter().copied()).collect();
            values.extend([(counter, real), (test, Operand::Boolean(true))]);
            let mut iteration = lowering.iteration(iteration, of_following, (counter, state));
            iteration.substitute(&values);
            iteration.statements.into_iter().for_each(|statement| lowering.code.push(statement));
            iteration.end
        });
        let real = self.integer(IntegerOperation::Real, [count]);
        let mut after_last: HashMap<Variable, Operand> =
            others.iter().map(|(variable, _)| *variable).zip(last).collect();
        after_last.extend([(counter, real), (test, Operand::Boolean(false))]);
        let mut block = self.block(after);
        block.substitute(&after_last);
        self.code.push(Statement::Bind { targets: targets.to_vec(), block });
    }

    /// An iteration of a counted loop, which repeats with the state without the counter.
    fn iteration(
        &mut self,
        iteration: &'unit Block,
        counts: Counts,
        (counter, state): (Variable, &[Variable]),
    ) -> Block {
        self.nested(|lowering| {
            let is_left_out =
                |statement: &&Statement| counts == Counts::AtOnce && matches!(statement, Statement::Count { .. });
            let statements = iteration.statements.iter().filter(|statement| !is_left_out(statement));
            statements.for_each(|statement| lowering.statement(statement));
            lowering.next_state(&iteration.end, (counter, state))
        })
    }

    fn next_state(&mut self, end: &'unit End, (counter, state): (Variable, &[Variable])) -> End {
        match end {
            End::Repeat(values) => {
                let others = state.iter().zip(values).filter(|(variable, _)| **variable != counter);
                End::Repeat(others.map(|(_, value)| *value).collect())
            }
            End::Branch { test, consequent, alternative } => {
                let [consequent, alternative] = [consequent, alternative]
                    .map(|block| Box::new(self.iteration(block, Counts::Each, (counter, state))));
                End::Branch { test: *test, consequent, alternative }
            }
            End::BailOut(node) => End::BailOut(*node),
            End::Yield(_) => internal_bug!("an iteration of a counted loop goes on"),
        }
    }
}
