//! `(j* f x x')` = `(cons y y')`: the value of f at x and its directional derivative along x' (forward mode).
//!
//! Entry: x and x' become dual numbers of a new level, position by position. Exit: the level is stripped from the result,
//! which is split into its primal and its tangent; a position that is not of the level is constant at it and has the
//! tangent +0.

use crate::arithmetic::{Levels, given_back};
use crate::context::Surroundings;
use crate::rebuild::{Companion, Sharing, rebuild, rebuild_with};
use std::rc::Rc;
use vlad_table::Primitive;
use vlad_values::fault::Trouble;
use vlad_values::tagged::Seen;
use vlad_values::{Level, Lifted, Number, Part, Primals, Value};

/// Begins a level and returns x lifted with x'.
///
/// # Errors
/// Returns an error if x' does not conform to x, or if a limit is reached.
pub fn enter(
    levels: &mut Levels,
    x: &Value,
    tangent: &Value,
    surroundings: &mut Surroundings<'_>,
) -> Result<(Level, Value), Trouble> {
    let level = levels.begin_forward()?;
    Ok((level, lifted(level, x, tangent, Primitive::Forward, surroundings)?))
}

/// Lifts every real of a value to a forward level, with the real of the tangent at its position.
pub fn lifted(
    level: Level,
    value: &Value,
    tangent: &Value,
    operator: Primitive,
    surroundings: &mut Surroundings<'_>,
) -> Result<Value, Trouble> {
    let (value, tangent, role) = (Seen::as_is(value), Seen::as_is(tangent), Companion::Tangent(operator));
    rebuild_with(value, tangent, role, Sharing::Kept, Primals::Same, surroundings, &mut |primal, tangent| {
        Number::Lifted(Rc::new(Lifted { level, primal, part: Part::Tangent(tangent) }))
    })
}

/// Ends the level, and returns the primal and the tangent of y.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn leave(
    levels: &mut Levels,
    level: Level,
    y: &Value,
    surroundings: &mut Surroundings<'_>,
) -> Result<(Value, Value), Trouble> {
    levels.end_forward();
    let primal = primal_at(level, y, surroundings)?;
    let tangent = rebuild(y, Sharing::Kept, Primals::Other, surroundings, &mut |number| match &number {
        Number::Lifted(lifted) if lifted.level == level => match &lifted.part {
            Part::Tangent(tangent) => given_back(tangent),
            Part::Node(_) => vlad_table::internal_bug!("a forward level makes no nodes"),
        },
        Number::Lifted(_) | Number::Real(_) => Number::Real(0.0),
    })?;
    Ok((primal, tangent))
}

/// Strips a level from a value: replaces every real of the level by its primal.
pub fn primal_at(level: Level, value: &Value, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
    rebuild(value, Sharing::Kept, Primals::Same, surroundings, &mut |number| match &number {
        Number::Lifted(lifted) if lifted.level == level => lifted.primal.clone(),
        Number::Lifted(_) | Number::Real(_) => number,
    })
}
