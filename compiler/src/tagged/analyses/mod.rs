//! The analyses of a program before the generation of C, in the order of `pipeline`. Each takes the program and the
//! results of earlier ones.
//!
//! | analysis | result, with its invariant |
//! |---|---|
//! | [`globals`] | the definitions that are known procedures, and the definitions that have run before a block does |
//! | [`escapes`] | the procedures that escape; all others are called only where their code is known |
//! | [`regions`] | C functions: each reachable block is in one, whole or in chunks, after all its predecessors; lengths are bounded |
//! | [`rows`] | rows: each step of a stoppable program is in one, with the variables that are live there |
//! | [`elision`] | elided values of the reflective basis: each has one use, in the same block |
//! | [`places`] | a representative for each place, shared by places in equal code |

pub mod elision;
pub mod escapes;
pub mod globals;
pub mod places;
pub mod regions;
pub mod rows;
