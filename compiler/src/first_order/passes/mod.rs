//! The passes over first-order code that keep levels as they are: they move values, so no tape node comes or goes.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`tidy`] | no copies, no dead code, no unreachable functions |
//! | [`loops`] | no function calls itself in tail position; no state of a loop is a copy |
//! | [`inline`] | small functions, and those with one call, are called no more |

mod dead;
pub mod inline;
pub mod loops;
mod simplify;
mod state;
mod tail;
pub mod tidy;

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
