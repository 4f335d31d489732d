//! Faults inside the machine, with the place where they arose.

use vlad_shared::apply::Fault;
use vlad_shared::core::ExpressionId;

/// A fault and where it arose.
#[derive(Debug)]
pub struct Stop {
    /// What happened.
    pub fault: Fault,
    /// The node that was evaluated or applied.
    pub node: ExpressionId,
    /// The user's application to show instead if the node is the prelude's.
    pub site: ExpressionId,
}

/// A fault on its way out; boxed, since it is rare and results are many.
pub type Stopped = Box<Stop>;
