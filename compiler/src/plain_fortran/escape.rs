//! Escape analysis: functions and loops whose arrays and cells die with them.
//!
//! An array or a cell leaves a function or the body of a loop as a result, as a part of the next state, or on a stack of
//! records. Arrays that change hold scalars, so nothing else keeps one.

use super::unit::{is_place, makes};
use vlad_first_order::{Block, Function, Kind, Statement, Unit};

/// Returns for each function whether it pushes arrays or cells on a stack of records, or calls one that does.
pub fn pushing(unit: &Unit) -> Vec<bool> {
    let mut pushing = vec![false; unit.functions.len()];
    let mut changes = true;
    while changes {
        changes = false;
        for (number, function) in unit.functions.iter().enumerate() {
            let pushes = block_pushes(function, &function.body, &pushing);
            if let Some(place) = pushing.get_mut(number)
                && pushes
                && !*place
            {
                *place = true;
                changes = true;
            }
        }
    }
    pushing
}

/// Returns true if a block pushes arrays or cells, given the functions that do.
fn block_pushes(function: &Function, block: &Block, pushing: &[bool]) -> bool {
    let mut pushes = false;
    for statement in block.all_statements() {
        if let Statement::Push { values, .. } = statement {
            pushes |= values.iter().any(|value| is_place(function.kind(*value)));
        }
        if let Statement::Call { function, .. } = statement {
            pushes |= pushing.get(function.0 as usize).copied().unwrap_or(true);
        }
    }
    pushes
}

/// Returns true if a block makes something in the heap, and none of it is there when the block has yielded values of these
/// kinds.
pub fn frees(function: &Function, block: &Block, yielded: impl IntoIterator<Item = Kind>, pushing: &[bool]) -> bool {
    let mut allocates = false;
    for statement in block.all_statements() {
        allocates |= makes(statement);
    }
    allocates && !yielded.into_iter().any(is_place) && !block_pushes(function, block, pushing)
}
