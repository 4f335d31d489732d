//! Entries: the points at which a computation can be interrupted.

use vlad_core::ExpressionId;

/// The next entry of an expression node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The entry of the node itself.
    Node(ExpressionId),
    /// The entry of the lambda of a `let`; the node is that of the `let`.
    OperatorOfLet(ExpressionId),
}

impl Entry {
    /// The node.
    pub fn node(self) -> ExpressionId {
        match self {
            Entry::Node(node) | Entry::OperatorOfLet(node) => node,
        }
    }
}
