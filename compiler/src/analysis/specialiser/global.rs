//! Top-level definitions as the analysis knows them.

use crate::analysis::values::domain::AbstractId;
use vlad_core::ConstantId;

/// The use of definitions of data by the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// Their shape is known: the code serves all data of it.
    Unknown,
    /// They are known, and definitions are read as they are: code without other code beside it has the leaves of a definition's own
    /// template, where other code takes its value apart by the template of the reader.
    Known,
}

/// The knowledge about a top-level definition.
#[derive(Clone, Copy, Debug)]
pub enum Global {
    /// It has not been evaluated yet.
    Unbound,
    /// Its value is not known.
    Unknown,
    /// Its value.
    Known(AbstractId),
    /// Data.
    Data {
        /// All values of its shape.
        shape: AbstractId,
        /// Its value.
        constant: ConstantId,
    },
}
