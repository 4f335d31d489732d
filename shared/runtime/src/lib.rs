//! The parts of a run that are the same in every engine: primitives, operators, effects, steps, limits, and the errors
//! of a run.
//!
//! - [`apply`], [`two_operands`], `vectors`, [`operands`]: application of primitives; [`operators`]: those that call
//!   procedures;
//! - [`computations`], [`steps`], [`effects`]: nested runs, their counts, and their input and output under
//!   re-execution;
//! - [`run`]: input, output, limits and outcome; [`restart`]: a run that moves to another engine; `digest`:
//!   comparison of repeated effects;
//! - [`pending`], [`frames`], `called`, `elements`, [`explain`], [`mismatch`]: from a fault to its diagnostic;
//! - [`suspended`]: suspended runs in terms of core; [`segments`]: continuations in segments that can be shared.

pub mod apply;
mod called;
pub mod computations;
pub mod context;
mod digest;
pub mod effects;
mod elements;
pub mod event;
pub mod explain;
pub mod frames;
pub mod mismatch;
pub mod operands;
pub mod operators;
pub mod pending;
pub mod restart;
pub mod run;
pub mod segments;
pub mod steps;
pub mod suspended;
pub mod two_operands;
mod vectors;
