//! The operators of the language that call procedures (report, parts 8, 15 and 17), as engines see them.
//!
//! For a primitive that calls a procedure an engine calls [`application::enter`], for a tagged procedure
//! [`transformed::enter`]. The result ([`EnteredOperator`]) is a value, a call in tail position, or a computation that
//! the engine runs. The engine passes the end of each computation to [`OperatorContinuation::leave`], which returns the
//! operator's value or requests a further run.

pub mod application;
mod backpropagator;
mod checkpoint;
mod computation;
mod pending;
pub mod transformed;

pub use checkpoint::Checkpoint;
pub use computation::{ComputationResult, NestedRun, OperatorContext, Start, State};
pub use pending::{EnteredOperator, OperatorContinuation, OperatorResult};
