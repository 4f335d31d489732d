//! Faults inside the machine, with the place where they arose.

use vlad_shared::apply::Fault;
use vlad_shared::core::ExpressionId;
use vlad_shared::run::Trouble;

/// A fault and where it arose.
#[derive(Debug)]
pub struct Stop {
    /// What happened.
    pub fault: Fault,
    /// The node that was evaluated or applied.
    pub node: ExpressionId,
    /// The user's application to show instead if the node is of shipped code.
    pub site: ExpressionId,
    /// What of the node's activation the frames tell.
    pub position: Position,
}

/// Where a fault arose, seen from the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In the running activation: no frame tells what of it awaits the node.
    Within,
    /// In a call, whose activation has its frame if there is anything left to do in it.
    Call,
}

/// A fault on its way out; boxed, since it is rare and results are many.
pub type Stopped = Box<Stop>;

/// A fault of an operation, whose node is still to be looked up.
pub type Failed = Box<Fault>;

/// The failure of an operation.
#[cold]
pub fn failed<T>(trouble: Trouble) -> Result<T, Failed> {
    Err(Box::new(Fault::Trouble(trouble)))
}
