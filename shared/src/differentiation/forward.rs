//! `(j* f x x')` = `(cons y y')`: the value of f at x and its directional derivative along x' (forward mode).
//!
//! Enter: x and x' become dual numbers of a new level, position by position. Leave: the result is split into its primal
//! and its tangent; a position that is not of the level is constant there and has the tangent +0.

use super::arithmetic::given_back;
use super::rebuild::{Companion, Primals, Sharing, rebuild, rebuild_with};
use super::{Levels, Surroundings};
use crate::run::Trouble;
use crate::table::Primitive;
use crate::tagged::Seen;
use crate::value::{Level, Lifted, Number, Part, Value};
use std::rc::Rc;

/// Begins a level and gives x lifted with x'.
///
/// # Errors
/// x' does not conform to x; a limit.
pub fn enter(
    levels: &mut Levels,
    x: &Value,
    tangent: &Value,
    surroundings: &mut Surroundings<'_>,
) -> Result<(Level, Value), Trouble> {
    let level = levels.begin_forward()?;
    Ok((level, lifted(level, x, tangent, Primitive::Forward, surroundings)?))
}

/// A value each of whose reals is one of a forward level.
pub(super) fn lifted(
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

/// Ends the level and gives the primal and the tangent of y.
///
/// # Errors
/// A limit of the run.
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
            Part::Node(_) => crate::internal_bug!("a forward level makes no nodes"),
        },
        Number::Lifted(_) | Number::Real(_) => Number::Real(0.0),
    })?;
    Ok((primal, tangent))
}

/// A value with every real of a level replaced by its primal.
pub(super) fn primal_at(level: Level, value: &Value, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
    rebuild(value, Sharing::Kept, Primals::Same, surroundings, &mut |number| match &number {
        Number::Lifted(lifted) if lifted.level == level => lifted.primal.clone(),
        Number::Lifted(_) | Number::Real(_) => number,
    })
}
