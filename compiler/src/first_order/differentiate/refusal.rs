//! The refusal to remove the levels of a unit.

/// The reason why a unit is left to the tagged back end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub message: String,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into() }
    }
}
