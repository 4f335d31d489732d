//! `zero` and `plus`: the tangent space of a value as far as a program can build in it by itself.

use super::rebuild::{Companion, Primals, Sharing, rebuild, rebuild_with};
use super::{Levels, Surroundings};
use crate::run::Trouble;
use crate::table::Operation;
use crate::tagged::Seen;
use crate::value::{Number, Value};

/// The zero of the tangent space of a value: each real +0, discrete parts themselves (TR-ECE-08-01, section 4.1).
///
/// # Errors
/// A limit of the run.
pub fn zero(value: &Value, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
    rebuild(value, Sharing::Kept, Primals::Other, surroundings, &mut |_| Number::Real(0.0))
}

/// The sum of two values of one tangent space, position by position; discrete parts must be equal.
///
/// # Errors
/// The two do not conform to each other; a limit of the run.
pub fn plus(
    levels: &mut Levels,
    first: &Value,
    second: &Value,
    surroundings: &mut Surroundings<'_>,
) -> Result<Value, Trouble> {
    let (first, second) = (Seen::as_is(first), Seen::as_is(second));
    rebuild_with(first, second, Companion::Summand, Sharing::Undone, Primals::Other, surroundings, &mut |a, b| {
        levels.binary(Operation::Add, &a, &b)
    })
}
