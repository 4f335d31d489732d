//! Top-level definitions as the analysis knows them.

use crate::analysis::values::domain::AbstractId;

/// The knowledge about a top-level definition.
#[derive(Clone, Copy, Debug)]
pub enum Global {
    /// It has not been evaluated yet.
    Unbound,
    /// Its value is not known.
    Unknown,
    /// Its value.
    Known(AbstractId),
}
