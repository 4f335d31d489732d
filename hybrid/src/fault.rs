//! Faults inside the machine, with the place where they arose.

use vlad_core::ExpressionId;
use vlad_runtime::primitives::context::Fault;
use vlad_values::fault::RuntimeError;

/// A fault and its position.
#[derive(Debug)]
pub struct Stop {
    /// The fault.
    pub fault: Fault,
    /// The node that was evaluated or applied.
    pub node: ExpressionId,
    /// The user's application that is shown instead if the node is of library code.
    pub site: ExpressionId,
    /// The position relative to the frames.
    pub position: Position,
}

/// The position of a fault relative to the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In the running activation: no frame has the part of it that awaits the node.
    Within,
    /// In a call, whose activation has a frame if it has a continuation.
    Call,
}

/// The error type of the machine's functions; boxed, since it is rare and results are many.
pub type Stopped = Box<Stop>;

/// A fault of an operation, whose node is not yet looked up.
pub type Failed = Box<Fault>;

/// Returns the fault of an operation.
#[cold]
pub fn failed<T>(trouble: RuntimeError) -> Result<T, Failed> {
    Err(Box::new(Fault::RuntimeError(trouble)))
}
