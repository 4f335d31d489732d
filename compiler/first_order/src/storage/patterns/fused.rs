//! Loops that take the elements of an array as it is built.
//!
//! ```text
//! a = build n (fun i -> exp v[i]);  loop k = 0, s = 0.0 below n: s + a[k]
//! ```
//!
//! Both are one loop: an iteration makes an element, and then executes the iteration of the other loop for it. A processor adds while it
//! waits for the function of the next element, which takes longer, and the array is not read again. Each loop computes the same as
//! before, in the same order. The iterations of the second loop have no effect and cannot fail, so nobody sees that some of them precede
//! the last elements.
//!
//! Elements without calls of functions are better made alone, with packed instructions.

use super::packable::Packable;
use crate::counted_loops::{Counted, Range};
use crate::effects::Effect;
use crate::storage::counts::Counts;
use crate::{Block, End, Function, Kind, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Operation;

/// A build, and the loop behind it that is executed with it.
pub struct Fused<'unit> {
    /// The array.
    pub array: &'unit [Variable],
    /// Its length.
    pub length: Operand,
    /// The index of its elements.
    pub index: Variable,
    /// The block of an element.
    pub body: &'unit Block,
    /// The loop.
    pub counted: Counted<'unit>,
}

/// The facts about a function that decide which loops are fused.
#[derive(Clone, Debug)]
pub struct LoopFacts<'unit> {
    /// The function.
    pub function: &'unit Function,
    /// The counters of its loops.
    pub counters: HashSet<Variable>,
    /// The arrays of which variables are the lengths.
    pub lengths: HashMap<Variable, Operand>,
}

impl<'unit> Fused<'unit> {
    /// The parts of two statements, one behind the other; none if they are no such loops. An element may not allocate.
    pub fn of(first: &'unit Statement, following: &'unit Statement, of: &LoopFacts<'unit>) -> Option<Fused<'unit>> {
        let Statement::Build { targets: array, length, index, body } = first else { return None };
        let counted = Counted::of(following, &of.counters)
            .filter(|counted| counted.steps == 0 && counted.range == Range::BELOW)?;
        let fused = Fused { array, length: *length, index: *index, body, counted };
        (calls_for_elements(body, *index, of) && fused.takes_elements(of)).then_some(fused)
    }

    /// Returns true if the loop is over all elements, computes numbers without leaving the code, and reads the element of its turn alone.
    fn takes_elements(&self, of: &LoopFacts<'unit>) -> bool {
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
        let reads_others = |statement: &Statement| {
            statement.operands().contains(&(*array).into())
                && !matches!(statement, Statement::Length { .. })
                && !matches!(statement, Statement::Element { index, .. } if *index == (*counter).into())
        };
        let may_be_taken = |statement: &Statement| {
            matches!(statement.effect(), Effect::Value | Effect::Nested | Effect::Count) && !reads_others(statement)
        };
        is_over_all
            && others.iter().all(are_plain)
            && iteration.all_statements().all(may_be_taken)
            && !iteration.may_bail_out()
    }
}

/// Returns true if the elements of a build are reals each of which takes a call of a function, and are made one behind the other.
fn calls_for_elements(body: &Block, index: Variable, of: &LoopFacts<'_>) -> bool {
    let End::Yield(values) = &body.end else { return false };
    let are_reals = values.iter().all(|value| of.function.kind(*value) == Kind::Real);
    let mut operations = body.statements.iter().filter_map(Statement::operation);
    let statements: Vec<&Statement> = body.statements.iter().collect();
    let is_packable = Packable::of(of.function, index, &statements, &body.end, Counts::AtOnce).is_some();
    are_reals && !operations.all(Operation::is_packed) && !is_packable
}
