//! The steps that iterations of a loop count: at once before the loop, or each its own.

use crate::{Block, Statement};

/// Steps that iterations count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The steps of many iterations have been counted at once.
    AtOnce,
    /// Each iteration counts its own.
    Each,
}

/// The steps that each iteration with a block counts on whatever path, with some that it counts before; none if there are none, or if
/// their number is looked at in between.
pub fn steps_of_each(before: u64, iteration: &Block) -> Option<u64> {
    let are_read =
        iteration.all_statements().any(|inner| matches!(inner, Statement::Steps { .. } | Statement::Recount { .. }));
    let of_each = iteration.statements.iter().map(|statement| match statement {
        Statement::Count { steps } => *steps,
        _ => 0,
    });
    let steps: u64 = of_each.fold(before, u64::saturating_add);
    (!are_read && steps > 0).then_some(steps)
}
