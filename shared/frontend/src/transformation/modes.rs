//! The choices that determine the form of transformed code.

/// The direction of the transformation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `j*`.
    Forward,
    /// `*j`.
    Reverse,
}

impl Mode {
    /// Returns the operator that denotes the transformation.
    pub fn operator(self) -> &'static str {
        match self {
            Mode::Forward => "j*",
            Mode::Reverse => "*j",
        }
    }

    /// Returns the suffix of the names of transformed values.
    pub fn mark(self) -> &'static str {
        match self {
            Mode::Forward => ">",
            Mode::Reverse => "<",
        }
    }
}

/// The order of the transformed code: first-order, or higher-order if procedures are data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Procedures are only called; all data are tagged.
    First,
    /// Procedures are data as well. Those that are transformed as code have no tag, so pairs of them have none either,
    /// and all accesses to data test for a tag first.
    Higher,
}

/// The representation of a top-level procedure used as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopValues {
    /// Its transformed code.
    AsCode,
    /// A tagged procedure, since it may reach a primitive that takes values as a whole.
    Tagged,
}
