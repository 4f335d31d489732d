//! The error types of the machine: a fault by itself, and a fault with its place.
//!
//! An operation returns [`Failed`], since it does not know its node. The machine adds the node and the position
//! relative to the frames, and returns [`Stopped`]. The run turns it into a diagnostic. So a node is looked up only
//! after a fault.

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
    /// The user's application, which is shown instead of a node in library code.
    pub site: ExpressionId,
    /// The position relative to the frames.
    pub position: Position,
}

/// The position of a fault relative to the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In the running activation, which has no frame for the rest of its work.
    Within,
    /// In a call. The rest of the activation has a frame if the call is not in tail position.
    Call,
}

/// The error type of the machine's functions. It is boxed to keep results small, since faults are rare.
pub type Stopped = Box<Stop>;

/// The error type of operations: a fault without a node.
pub type Failed = Box<Fault>;

/// Returns the fault of an operation.
#[cold]
pub fn failed<T>(trouble: RuntimeError) -> Result<T, Failed> {
    Err(Box::new(Fault::RuntimeError(trouble)))
}
