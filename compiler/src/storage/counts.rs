//! The steps that iterations of a loop count: at once before the loop, or each its own.

/// Steps that iterations count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Those of many iterations have been counted at once.
    AtOnce,
    /// Each iteration counts its own.
    Each,
}
