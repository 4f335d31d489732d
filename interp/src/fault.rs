//! The reasons for which an evaluation ends early.

use crate::entry::Entry;
use vlad_core::ExpressionId;
use vlad_runtime::primitives::context::Fault;

/// The reason for which an evaluation does not continue.
#[derive(Debug)]
pub enum Stop {
    /// A fault.
    Fault {
        /// The fault.
        fault: Fault,
        /// The expression node that was evaluated or applied.
        node: ExpressionId,
        /// The call site: the user's application to report instead if the node is in library code.
        site: ExpressionId,
    },
    /// The computation has reached its limit, at an entry from which it can continue.
    Interrupted(Entry),
}

/// A stop as an error value; boxed, since it is rare and results are frequent.
pub type Stopped = Box<Stop>;
