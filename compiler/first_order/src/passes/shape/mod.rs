//! The shape of a unit: which functions, loops and states it has. Every level of differentiation stays, since values are only moved.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`direct_style`] | no function that hands its result to a continuation in a cell, and uses it in no other way |
//! | [`tidy`] | no copies, no dead code, no unreachable functions |
//! | [`loops`] | no function calls itself in tail position; no state of a loop is a copy |
//! | [`inline`] | small functions, and those with one call, are called no more |
//! | [`signatures`] | no parameter that all calls give as a constant, or as another parameter; no such result is used |
//! | [`recursion`] | no function calls itself outside of loops, and once on a path |
//!
//! [`iteration`], [`loop_state`] and [`tail`] are what several of them need.

pub mod direct_style;
pub mod inline;
pub mod iteration;
pub mod loop_state;
pub mod loops;
pub mod recursion;
pub mod signatures;
pub mod tail;
pub mod tidy;
