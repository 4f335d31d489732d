//! `zero` and `plus`: the operations on tangent spaces that the language provides.

use crate::arithmetic::Levels;
use crate::context::TraversalContext;
use crate::rebuild::{Companion, Sharing, rebuild, rebuild_with};
use vlad_table::Operation;
use vlad_values::fault::RuntimeError;
use vlad_values::tagged::ValueView;
use vlad_values::{Number, Primals, Value};

/// The zero of the tangent space of a value: each real +0, discrete parts themselves (TR-ECE-08-01, section 4.1).
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn zero(value: &Value, context: &mut TraversalContext<'_>) -> Result<Value, RuntimeError> {
    rebuild(value, Sharing::Kept, Primals::Other, context, &mut |_| Number::Real(0.0))
}

/// The sum of two values of one tangent space, position by position; their discrete parts must be equal.
///
/// # Errors
/// Returns an error if the two do not conform to each other, or if a limit of the run is reached.
pub fn plus(
    levels: &mut Levels,
    first: &Value,
    second: &Value,
    context: &mut TraversalContext<'_>,
) -> Result<Value, RuntimeError> {
    let (first, second) = (ValueView::as_is(first), ValueView::as_is(second));
    rebuild_with(first, second, Companion::Summand, Sharing::Undone, Primals::Other, context, &mut |a, b| {
        let sum = levels.binary(Operation::Add, &a, &b);
        levels.check()?;
        Ok(sum)
    })
}
