//! Differentiation of first-order code: the removal of levels.

pub mod coefficients;
pub mod reverse;

/// The reason why levels are not removed: the item is left to the tagged back end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason, for `vlad explain`.
    pub message: String,
}

impl Refusal {
    fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into() }
    }
}
