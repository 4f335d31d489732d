//! Records of loops, and steps, in C.
//!
//! | module | |
//! |---|---|
//! | [`recorded`] | records, in rows where each iteration has one |
//! | [`recomputed`] | operands that rarely executed blocks of an iteration compute again |
//! | [`steps`] | the steps that are counted |

pub mod recomputed;
pub mod recorded;
pub mod steps;
