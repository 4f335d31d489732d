//! The steps that iterations of a loop count: at once before the loop, or each its own.

use crate::build::Code;
use crate::{Block, Operand, Statement, Storage};

/// Steps that iterations count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The steps of many iterations have been counted at once.
    AtOnce,
    /// Each iteration counts its own.
    Each,
}

/// Counts the steps that all of so many iterations with a block count, on whatever path, with some that each counts before it; unless
/// there are none, or their number is looked at in between.
pub fn count_for_all(code: &mut Code<'_>, before: u64, iteration: &Block, times: Operand) -> Counts {
    let are_read =
        iteration.all_statements().any(|inner| matches!(inner, Statement::Steps { .. } | Statement::Recount { .. }));
    let of_each = iteration.statements.iter().map(|statement| match statement {
        Statement::Count { steps } => *steps,
        _ => 0,
    });
    let steps: u64 = of_each.fold(before, u64::saturating_add);
    if are_read || steps == 0 {
        return Counts::Each;
    }
    code.push(Storage::CountEach { steps, times }.into());
    Counts::AtOnce
}
