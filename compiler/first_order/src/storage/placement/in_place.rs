//! Matrices of results that need no array of their rows, since all rows are made in the memory of the caller.

use super::destinations::{Destination, Destinations};
use crate::storage::escapes::are_read_alone;
use crate::{Block, End, Function, FunctionId, Kind, Operand, Scalar, Statement, Variable};
use std::collections::BTreeSet;

/// The matrices that a leaf of the value of a unit is, which is wanted in a memory of the caller, if all of them are there with all
/// of their rows, and are nothing but that leaf.
pub fn matrices_in_place(
    (entry, function): (FunctionId, &Function),
    destinations: &Destinations,
    (leaf, memory): (usize, usize),
) -> Option<BTreeSet<Variable>> {
    let matrices = yielded(&function.body, leaf)?;
    let is_at = |array: Variable, place| destinations.of(entry, array) == Some(place);
    let mut built = BTreeSet::new();
    function.body.each_statement(&mut |statement| {
        let Statement::Build { targets, index, body, .. } = statement else { return };
        for (place, target) in targets.iter().enumerate().filter(|(_, target)| matrices.contains(target)) {
            let rows = yielded(body, place).unwrap_or_default();
            let are_there = rows.iter().all(|row| is_at(*row, Destination::Row(memory, *index)));
            if !rows.is_empty() && are_there && is_at(*target, Destination::Result(memory)) {
                built.insert(*target);
            }
        }
    });
    let are_matrices = matrices.iter().all(|matrix| {
        matches!(function.kind((*matrix).into()), Kind::Array(of) if of.rank == 2 && of.scalar == Scalar::Real)
    });
    let all: Vec<Variable> = matrices.iter().copied().collect();
    let are_alone = are_read_alone(&function.body, &all, &function.body, |_, place| place == leaf);
    let mut are_read = false;
    function.body.each_statement(&mut |statement| {
        let is_one = |operand: &Operand| matches!(operand, Operand::Variable(of) if matrices.contains(of));
        are_read |= statement.operands().iter().any(is_one);
    });
    (are_matrices && built == matrices && are_alone && !are_read).then_some(matrices)
}

/// The variables that the leaves of a block yield at a place; none if one of them yields a constant.
fn yielded(block: &Block, place: usize) -> Option<BTreeSet<Variable>> {
    let mut found = Some(BTreeSet::new());
    block.each_leaf(&mut |leaf| {
        let End::Yield(values) = &leaf.end else { return };
        match values.get(place) {
            Some(Operand::Variable(variable)) => {
                found.as_mut().map(|found| found.insert(*variable));
            }
            Some(Operand::Real(_) | Operand::Boolean(_)) | None => found = None,
        }
    });
    found
}
