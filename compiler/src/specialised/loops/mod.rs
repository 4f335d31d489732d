//! Loops in C, and the records of their iterations.
//!
//! | module | |
//! |---|---|
//! | [`counted`] | loops that a counter ends, in parts |
//! | [`recorded`], [`flags`], [`packing`] | records, in rows where each iteration has one, and as bytes where they are booleans |
//! | [`repeating`] | loops whose state repeats |
//! | [`recomputed`] | operands that rarely executed blocks of an iteration compute again |
//! | [`steps`] | the steps that iterations count |

pub mod counted;
pub mod flags;
pub mod packing;
pub mod recomputed;
pub mod recorded;
pub mod repeating;
pub mod steps;
