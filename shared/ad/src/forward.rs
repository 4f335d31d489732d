//! `(j* f x x')` = `(cons y y')`: the value of f at x and its directional derivative along x' (forward mode).
//!
//! Entry: x and x' become dual numbers of a new level, position by position. Exit: the level is stripped from the
//! result, which is split into its primal and its tangent; a position that is not of the level is constant at it and
//! has the tangent +0.

use crate::arithmetic::Levels;
use crate::context::TraversalContext;
use crate::plain::given_back;
use crate::rebuild::{Companion, Sharing, rebuild, rebuild_with};
use std::rc::Rc;
use vlad_table::Primitive;
use vlad_values::fault::RuntimeError;
use vlad_values::tagged::ValueView;
use vlad_values::{Level, LevelPart, Lifted, Number, Primals, Value};

/// Begins a level and returns x lifted with x'.
///
/// # Errors
/// Returns an error if x' does not conform to x, or if a limit is reached.
pub fn enter(
    levels: &mut Levels,
    x: &Value,
    tangent: &Value,
    context: &mut TraversalContext<'_>,
) -> Result<(Level, Value), RuntimeError> {
    let level = levels.begin_forward()?;
    let lifted = lifted(level, x, tangent, Primitive::Forward, context)?;
    note_inputs(levels, level, &lifted, context)?;
    Ok((level, lifted))
}

/// Lifts every real of a value to a forward level, with the real of the tangent at its position.
pub fn lifted(
    level: Level,
    value: &Value,
    tangent: &Value,
    operator: Primitive,
    context: &mut TraversalContext<'_>,
) -> Result<Value, RuntimeError> {
    let (value, tangent, role) = (ValueView::as_is(value), ValueView::as_is(tangent), Companion::Tangent(operator));
    rebuild_with(value, tangent, role, Sharing::Kept, Primals::Same, context, &mut |primal, tangent| {
        Ok(Number::Lifted(Rc::new(Lifted { level, primal, part: LevelPart::Tangent(tangent) })))
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
    context: &mut TraversalContext<'_>,
) -> Result<(Value, Value), RuntimeError> {
    levels.end_forward();
    let primal = primal_at(level, y, context)?;
    let tangent = rebuild(y, Sharing::Kept, Primals::Other, context, &mut |number| match &number {
        Number::Lifted(lifted) if lifted.level == level => match &lifted.part {
            LevelPart::Tangent(tangent) => given_back(tangent),
            LevelPart::Node(_) => vlad_table::internal_bug!("a forward level makes no nodes"),
        },
        Number::Lifted(_) | Number::Real(_) => Number::Real(0.0),
    })?;
    Ok((primal, tangent))
}

/// Strips a level from a value: replaces every real of the level by its primal.
pub fn primal_at(level: Level, value: &Value, context: &mut TraversalContext<'_>) -> Result<Value, RuntimeError> {
    rebuild(value, Sharing::Kept, Primals::Same, context, &mut |number| match &number {
        Number::Lifted(lifted) if lifted.level == level => lifted.primal.clone(),
        Number::Lifted(_) | Number::Real(_) => number,
    })
}

/// Logs the positions of a lifted operand, if operations at its level are logged.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn note_inputs(
    levels: &mut Levels,
    level: Level,
    operand: &Value,
    context: &mut TraversalContext<'_>,
) -> Result<(), RuntimeError> {
    let Some(log) = levels.log_of(level) else { return Ok(()) };
    // The value that the traversal rebuilds is not used.
    rebuild(operand, Sharing::Undone, Primals::Same, context, &mut |number| {
        log.input(&number);
        number
    })?;
    Ok(())
}
