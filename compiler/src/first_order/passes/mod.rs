//! The passes over first-order code.
//!
//! These keep levels as they are: they move values, so no tape node comes or goes.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`tidy`] | no copies, no dead code, no unreachable functions |
//! | [`loops`] | no function calls itself in tail position; no state of a loop is a copy |
//! | [`inline`] | small functions, and those with one call, are called no more |
//!
//! Passes for code without levels, where an operation is only its value:
//!
//! | pass | postcondition |
//! |---|---|
//! | [`common`] | no operation whose value is known where it stands |
//! | [`fuse`] | no two loops, and no two calls, of one block that decide alike |
//! | [`zero_signs`] | no operation that changes only the sign of a zero that nobody observes |
//! | [`negations`] | no negation whose result is only added, subtracted or negated |
//! | [`guards`] | no guarded product of factors that are known to need no guard |
//! | [`regions`] | guarded products stand where one test for many of them has failed, or where it would not pay |

pub mod common;
mod dead;
pub mod fuse;
pub mod guards;
pub mod inline;
pub mod loops;
mod merge;
pub mod negations;
pub mod regions;
mod simplify;
mod state;
mod tail;
pub mod tidy;
pub mod zero_signs;

use super::Unit;

/// Prepares a unit for the removal of its levels.
///
/// Tail recursion becomes loops first, so that the functions can be inlined; inlining makes self calls out of mutual
/// tail calls.
pub fn prepare(unit: &mut Unit) {
    tidy::tidy(unit);
    loops::loops(unit);
    inline::inline(unit);
    tidy::tidy(unit);
    loops::loops(unit);
    inline::inline(unit);
    tidy::tidy(unit);
}

/// Simplifies the values of a unit without levels.
pub fn simplify_values(unit: &mut Unit) {
    tidy::tidy(unit);
    common::share_common(unit);
    fuse::fuse(unit);
    tidy::tidy(unit);
    zero_signs::leave_out_zero_signs(unit);
    negations::move_negations(unit);
    guards::leave_out_guards(unit);
    regions::guard_by_region(unit);
    common::share_common(unit);
    tidy::tidy(unit);
}

#[cfg(test)]
mod tests;
