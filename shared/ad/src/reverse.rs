//! `(*j f x y')` = `(cons y x')`: the value of f at x and the cotangent of x for the cotangent y' of the value (reverse
//! mode).
//!
//! Entry: each position of x becomes a node of a new level's tape. Exit: y' is added to the accumulators of the
//! result's nodes, left to right; the reverse sweep runs over the tape; x' has the shape of x and holds the accumulated
//! cotangents of its nodes.

use crate::arithmetic::{Levels, tape_is_full};
use crate::context::TraversalContext;
use crate::forward::{note_inputs, primal_at};
use crate::plain::given_back;
use crate::rebuild::{Companion, Sharing, rebuild, rebuild_with};
use crate::sweep::CarriedAccumulators;
use crate::tape::Tape;
use std::rc::Rc;
use vlad_table::{Primitive, internal_bug};
use vlad_values::fault::RuntimeError;
use vlad_values::tagged::ValueView;
use vlad_values::{Level, LevelPart, Lifted, Number, Primals, Value};

/// Begins a level and returns x lifted, with a tape node for each position.
///
/// # Errors
/// Returns an error if a limit is reached.
pub fn enter(
    levels: &mut Levels,
    x: &Value,
    context: &mut TraversalContext<'_>,
) -> Result<(Level, Value), RuntimeError> {
    let level = levels.begin_reverse()?;
    let tape = levels.newest_tape();
    let lifted = number_positions(level, tape, x, Sharing::Undone, context)?;
    if tape.is_full() {
        return Err(tape_is_full());
    }
    note_inputs(levels, level, &lifted, context)?;
    Ok((level, lifted))
}

/// Ends the level and returns the pair of the primal of y and the cotangent of x.
///
/// # Errors
/// Returns an error if the cotangent does not conform to y, or if a limit of the run is reached.
pub fn leave(
    levels: &mut Levels,
    level: Level,
    x: &Value,
    y: &Value,
    cotangent: &Value,
    context: &mut TraversalContext<'_>,
) -> Result<Value, RuntimeError> {
    let tape = levels.end_reverse();
    let primal = primal_at(level, y, context)?;
    let mut carried = CarriedAccumulators::default();
    seed(levels, level, &mut carried, y, cotangent, Companion::Cotangent(Primitive::Reverse), context)?;
    tape.sweep(levels, &mut carried, context.watch)?;
    Ok(Value::pair(primal, gather(&carried, x, context)?))
}

/// Lifts each position of x to a reverse level, with the next node of its tape.
pub fn number_positions(
    level: Level,
    tape: &mut Tape,
    x: &Value,
    sharing: Sharing,
    context: &mut TraversalContext<'_>,
) -> Result<Value, RuntimeError> {
    rebuild(x, sharing, Primals::Same, context, &mut |primal| {
        Number::Lifted(Rc::new(Lifted { level, primal, part: LevelPart::Node(tape.independent()) }))
    })
}

/// Adds the cotangent of y to the accumulators of its nodes, left to right.
///
/// # Errors
/// Returns an error if the cotangent does not conform to y, or if a limit of the run is reached; the first one on the way.
pub fn seed(
    levels: &mut Levels,
    level: Level,
    carried: &mut CarriedAccumulators,
    y: &Value,
    cotangent: &Value,
    role: Companion,
    context: &mut TraversalContext<'_>,
) -> Result<(), RuntimeError> {
    let (y, cotangent) = (ValueView::as_is(y), ValueView::as_is(cotangent));
    // The traversal of both values adds the cotangents as it goes; the value that it rebuilds is not used.
    rebuild_with(y, cotangent, role, Sharing::Undone, Primals::Other, context, &mut |output, cotangent| {
        if let Number::Lifted(lifted) = &output
            && lifted.level == level
        {
            match lifted.part {
                LevelPart::Node(node) => {
                    carried.add(levels, node, &cotangent);
                    levels.check()?;
                    if let Some(log) = levels.log_of(level) {
                        log.seed(node, &cotangent);
                    }
                }
                LevelPart::Tangent(_) => internal_bug!("a reverse level makes no tangents"),
            }
        }
        Ok(cotangent)
    })?;
    Ok(())
}

/// The cotangent of x: the accumulated cotangents of its positions, whose nodes are the first of the tape.
pub fn gather(
    carried: &CarriedAccumulators,
    x: &Value,
    context: &mut TraversalContext<'_>,
) -> Result<Value, RuntimeError> {
    let mut nodes = 0..;
    rebuild(x, Sharing::Undone, Primals::Other, context, &mut |_| match nodes.next() {
        Some(node) => given_back(&carried.of(node)),
        None => internal_bug!("nodes do not run out"),
    })
}
