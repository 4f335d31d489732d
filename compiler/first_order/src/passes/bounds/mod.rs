//! Tests of lengths and indices: those whose outcome is known go, and others move to the front of loops. For code without levels.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`loop_tests`] | no loop that the equality of its counter with a length ends, or another test than whether it is less |
//! | [`lengths`] | no test of a length or an index whose outcome is known where it stands |
//! | [`loop_bounds`] | no test in a counted loop that its counter is an index of an array from outside |
//!
//! [`row_bounds`] is the part of [`loop_bounds`] for the rows of matrices, [`index_tests`] what both of them take out of loops.

mod index_tests;
pub mod lengths;
pub mod loop_bounds;
pub mod loop_tests;
mod row_bounds;
