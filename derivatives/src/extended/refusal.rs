//! The reasons why the evaluator finds no value, and why a difference quotient is no derivative.

use std::fmt;

/// The greatest depth of nested difference quotients.
pub const MOST_DIFFERENCES: usize = 3;

/// The reason why the evaluator finds no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The program fails.
    Fault(String),
    /// It uses a primitive that no difference quotient can follow.
    NotFollowed(&'static str),
    /// Operators are nested deeper than [`MOST_DIFFERENCES`].
    TooDeep,
    /// It takes too long.
    Time,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Fault(message) => write!(out, "the program fails: {message}"),
            Refusal::NotFollowed(name) => write!(out, "no difference quotient follows `{name}`"),
            Refusal::TooDeep => {
                write!(out, "operators are nested deeper than {MOST_DIFFERENCES} difference quotients are good for")
            }
            Refusal::Time => write!(out, "it takes too long with 96 digits"),
        }
    }
}

/// A fault of the program.
pub fn fault<T>(message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Fault(message.into()))
}

/// The reason why a quotient is no derivative, or a real is not known. Of two reasons the greater one is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotDifferentiable {
    /// The two sides of the point have different slopes, or the values jump.
    Kink,
    /// 96 digits are too few, or the steps are too long.
    Imprecise,
    /// The slope of one side is infinite, or a value is no finite number.
    NotFinite,
}
