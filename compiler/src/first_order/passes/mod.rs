//! The passes over first-order code.
//!
//! These keep levels as they are: they move values, so no tape node comes or goes.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`direct_style`] | no function that hands its result to a continuation in a cell, and uses it in no other way |
//! | [`tidy`] | no copies, no dead code, no unreachable functions |
//! | [`loops`] | no function calls itself in tail position; no state of a loop is a copy |
//! | [`inline`] | small functions, and those with one call, are called no more |
//! | [`signatures`] | no parameter that all calls give as a constant, or as another parameter; no such result is used |
//!
//! Passes for code without levels, where an operation is only its value:
//!
//! | pass | postcondition |
//! |---|---|
//! | [`common`] | no operation whose value is known where it stands |
//! | [`lengths`] | no test of a length or an index whose outcome is known where it stands |
//! | [`bounds`] | no test in a counted loop that its counter is an index of an array from outside |
//! | [`early`] | no operation after a branch or a loop that could be executed before it, and is in it |
//! | [`fuse`] | no two loops, and no two calls, of one block that decide alike |
//! | [`repeated`] | no call of a function without effects in the scope of an equal one |
//! | [`records`] | no value is recorded twice for a reverse sweep, and none that is not read |
//! | [`recorded`] | no operation of a reverse sweep whose value its record has |
//! | [`whole_cells`] | no two places of a record that never have values at once, or that are parts of one cell |
//! | [`zero_signs`] | no operation that changes only the sign of a zero that nobody observes |
//! | [`products`] | no tests of a product that are those of a guarded one |
//! | [`negations`] | no negation whose result is only added, subtracted or negated |
//! | [`guards`] | no guarded product of factors that are known to need no guard |
//! | [`factors`] | no guarded product in an innermost loop, with a factor from outside that is finite and not 0 |
//! | [`recursion`] | no function calls itself outside of loops, and once on a path |
//! | [`regions`] | guarded products stand where one test for many of them has failed, or where it would not pay |
//! | [`unread`] | no array of zeros of which accumulators only take the length |
//! | [`given`] | no accumulators that have a given array and nothing else |
//! | [`in_place`] | no element of a vector is replaced in a copy; it always runs |
//!
//! Their order, and the choice of those that run, are in [`selection`].

mod accumulation;
pub mod bounds;
mod calls_in_loops;
mod choices;
pub mod common;
mod computation;
mod counted;
mod counting;
mod dead;
pub mod direct_style;
pub mod early;
pub mod factors;
pub mod fuse;
pub mod given;
pub mod guards;
pub mod in_place;
pub mod inline;
mod iteration;
pub mod lengths;
pub mod loops;
mod merge;
pub mod negations;
pub mod products;
pub mod recorded;
pub mod records;
pub mod recursion;
pub mod regions;
pub mod renamed;
pub mod repeated;
mod rows;
pub mod selection;
pub mod signatures;
mod simplify;
mod state;
mod tail;
pub mod tidy;
pub mod unread;
pub mod whole_cells;
pub mod zero_signs;

pub use selection::{PASSES, Pass, Passes};

#[cfg(test)]
mod tests;
