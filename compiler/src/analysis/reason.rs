//! The reasons for which an item is not specialised.

use vlad_core::ExpressionId;

/// A reason, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A clause: "vectors are not specialised".
    pub message: String,
    /// The expression that it is about, if one is known.
    pub node: Option<ExpressionId>,
}

impl Reason {
    /// A reason whose place is not known yet.
    pub fn new(message: impl Into<String>) -> Reason {
        Reason { message: message.into(), node: None }
    }

    /// The reason with a place, unless it has one.
    #[must_use]
    pub fn at(mut self, node: ExpressionId) -> Reason {
        self.node.get_or_insert(node);
        self
    }
}

/// The reason why an abstract evaluation does not return a value.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Evaluation does not return: it fails at the node, or calls a procedure that does not return as far as is known.
    /// (The paper's bottom.)
    Never(ExpressionId),
    /// The item is not specialised.
    GiveUp(Reason),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::GiveUp(reason)
    }
}
