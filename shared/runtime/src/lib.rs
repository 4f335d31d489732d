//! The parts of a run that are the same in every engine: primitives, operators, effects, steps, limits, and the errors
//! of a run.
//!
//! - [`primitives`]: their application; [`operators`]: those that call procedures;
//! - [`computations`], [`steps`], [`effects`]: nested runs, their counts, and their input and output under
//!   re-execution;
//! - [`run`]: input, output, limits and outcome; [`restart`]: a run that moves to another engine; `digest`:
//!   comparison of repeated effects;
//! - [`diagnosis`]: from a fault to its diagnostic;
//! - [`suspended`]: suspended runs in terms of core; [`segments`]: continuations in segments that can be shared.

pub mod computations;
pub mod diagnosis;
mod digest;
pub mod effects;
pub mod event;
pub mod operators;
pub mod primitives;
pub mod restart;
pub mod run;
pub mod segments;
pub mod steps;
pub mod suspended;
