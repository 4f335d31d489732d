//! Values of expressions and cells, and the reasons for which execution does not go on.

use crate::number::Number;

/// A value of an expression or of a cell.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Real(Number),
    Integer(i64),
    Logical(bool),
}

/// The reason for which execution does not go on.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    Stopped,
    Failed(String),
    Unknown(&'static str),
    Broken(String),
}

pub(crate) fn broken<T>(reason: impl Into<String>) -> Result<T, Halt> {
    Err(Halt::Broken(reason.into()))
}

pub(crate) fn failed<T>(reason: impl Into<String>) -> Result<T, Halt> {
    Err(Halt::Failed(reason.into()))
}
