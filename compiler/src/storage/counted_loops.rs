//! Counted loops: a comparison of their counter, with a number that stays, ends them and nothing else.

use crate::first_order::{Block, End, Operand, Statement, Variable};
use std::collections::HashSet;
use vlad_table::Comparison;

/// The parts of a counted loop.
#[derive(Clone, Copy)]
pub struct Counted<'unit> {
    /// The results of the loop.
    pub targets: &'unit [Variable],
    /// Its state.
    pub state: &'unit [Variable],
    /// The first values of the state.
    pub initial: &'unit [Operand],
    /// The counter, which is one of the state.
    pub counter: Variable,
    /// The number that it is compared with.
    pub most: Operand,
    /// The result of the comparison.
    pub test: Variable,
    /// The block of an iteration.
    pub iteration: &'unit Block,
    /// The block after the last one.
    pub after: &'unit Block,
}

impl<'unit> Counted<'unit> {
    /// The parts of a statement, given the counters of its function.
    pub fn of(statement: &'unit Statement, counters: &HashSet<Variable>) -> Option<Counted<'unit>> {
        let Statement::Loop { targets, state, initial, body } = statement else { return None };
        let [Statement::Compare { target, comparison: Comparison::Less, first, second }] = body.statements.as_slice()
        else {
            return None;
        };
        let End::Branch { test, consequent, alternative } = &body.end else { return None };
        let counter = first.variable().filter(|counter| counters.contains(counter) && state.contains(counter))?;
        let (mut leaves, mut comes_back) = (false, false);
        consequent.each_leaf(&mut |leaf| leaves |= matches!(leaf.end, End::Yield(_)));
        alternative.each_leaf(&mut |leaf| comes_back |= matches!(leaf.end, End::Repeat(_)));
        let ends_by_test = *test == Operand::Variable(*target) && !leaves && !comes_back;
        (ends_by_test && !is_assigned(*second, (state, body))).then_some(Counted {
            targets,
            state,
            initial,
            counter,
            most: *second,
            test: *target,
            iteration: consequent,
            after: alternative,
        })
    }
}

/// Returns true for a variable that a loop with a state assigns.
fn is_assigned(operand: Operand, (state, body): (&[Variable], &Block)) -> bool {
    let Operand::Variable(variable) = operand else { return false };
    let mut is_assigned = state.contains(&variable);
    body.each_statement(&mut |inner| {
        is_assigned |= inner.targets().contains(&variable) || inner.inner_variables().contains(&variable);
    });
    is_assigned
}
