//! Matrices of results that need no array of their rows, since all rows are made in the memory of the caller.

use super::destinations::{Destination, Destinations};
use crate::storage::escapes::are_read_alone;
use crate::{Block, Function, FunctionId, Kind, Scalar, Statement, Variable};
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
    for statement in function.body.all_statements() {
        let Statement::Build { targets, index, body, .. } = statement else { continue };
        for (place, target) in targets.iter().enumerate().filter(|(_, target)| matrices.contains(target)) {
            let rows = yielded(body, place).unwrap_or_default();
            let are_there = rows.iter().all(|row| is_at(*row, Destination::Row(memory, *index)));
            if !rows.is_empty() && are_there && is_at(*target, Destination::Result(memory)) {
                built.insert(*target);
            }
        }
    }
    let are_matrices = matrices.iter().all(|matrix| {
        matches!(function.kind((*matrix).into()), Kind::Array(of) if of.rank == 2 && of.scalar == Scalar::Real)
    });
    let all: Vec<Variable> = matrices.iter().copied().collect();
    let are_alone = are_read_alone(&function.body, &all, &function.body, |_, place| place == leaf);
    let mut operands = function.body.all_statements().flat_map(Statement::operands);
    let are_read = operands.any(|operand| operand.variable().is_some_and(|of| matrices.contains(&of)));
    (are_matrices && built == matrices && are_alone && !are_read).then_some(matrices)
}

/// The variables that the leaves of a block yield at a place; none if one of them yields a constant.
fn yielded(block: &Block, place: usize) -> Option<BTreeSet<Variable>> {
    block.yields().map(|values| values.get(place)?.variable()).collect()
}
