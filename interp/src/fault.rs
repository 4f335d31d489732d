//! What ends an evaluation before its time.

use crate::computations::Entry;
use vlad_shared::apply::Fault;
use vlad_shared::core::ExpressionId;

/// Why an evaluation does not go on.
#[derive(Debug)]
pub enum Stop {
    /// A fault.
    Fault {
        /// What happened.
        fault: Fault,
        /// The node that was evaluated or applied.
        node: ExpressionId,
        /// The user's application to show instead if the node is of shipped code.
        site: ExpressionId,
    },
    /// The computation has come to its limit, at the entry of a node: nothing is lost.
    Interrupted(Entry),
}

/// A stop on its way out; boxed, since it is rare and results are many.
pub type Stopped = Box<Stop>;
