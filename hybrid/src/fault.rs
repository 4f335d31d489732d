//! The results of the machine's functions: with a fault by itself, and with a fault and its place.
//!
//! An operation returns a fault alone, since it does not know its node. The machine adds the node and the position
//! relative to the frames, and the run turns both into a diagnostic. So a node is looked up only after a fault. Faults are rare,
//! and boxed to keep results small.

use vlad_core::ExpressionId;
use vlad_runtime::primitives::context::Fault;
use vlad_values::fault::RuntimeError;

/// A fault and its place.
#[derive(Debug)]
pub struct PlacedFault {
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

/// The result of a function of the machine.
pub type MachineResult<T> = Result<T, Box<PlacedFault>>;

/// The result of an operation: a fault has no place yet.
pub type OperationResult<T> = Result<T, Box<Fault>>;

/// Returns the error of an operation as its result.
#[cold]
pub fn error<T>(error: RuntimeError) -> OperationResult<T> {
    Err(Box::new(Fault::RuntimeError(error)))
}
