//! The analyses of a program before C is generated from it, in the order in which `pipeline` runs them. Each takes the
//! program and the results of earlier ones.
//!
//! | analysis | postcondition |
//! |---|---|
//! | [`globals`] | each definition whose value is a known procedure, and those that have run before some code, are known |
//! | [`escapes`] | a procedure that does not escape is only called where its code is known |
//! | [`regions`] | each block that runs is in one C function, whole or in chunks, after all its predecessors; lengths are bounded |
//! | [`rows`] | each step of a stoppable program is in a row, with the variables alive at it |
//! | [`elision`] | a value of the reflective basis that is elided has one use, in the same block |
//! | [`places`] | places in equal code have the same representative |

pub mod elision;
pub mod escapes;
pub mod globals;
pub mod places;
pub mod regions;
pub mod rows;
