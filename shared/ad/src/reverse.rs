//! `(*j f x y')` = `(cons y x')`: the value of f at x and the cotangent of x for the cotangent y' of the value (reverse
//! mode).
//!
//! Entry: each position of x becomes a node of a new level's tape. Exit: y' is added to the accumulators of the result's
//! nodes, left to right; the reverse sweep runs over the tape; x' has the shape of x and holds the accumulated cotangents
//! of its nodes.

use crate::arithmetic::{Levels, given_back, tape_is_full};
use crate::context::Surroundings;
use crate::forward::primal_at;
use crate::rebuild::{Companion, Sharing, rebuild, rebuild_with};
use crate::sweep::Carried;
use crate::tape::Tape;
use std::rc::Rc;
use vlad_table::{Primitive, internal_bug};
use vlad_values::fault::Trouble;
use vlad_values::tagged::Seen;
use vlad_values::{Level, Lifted, Number, Part, Primals, Value};

/// Begins a level and returns x lifted, with a tape node for each position.
///
/// # Errors
/// Returns an error if a limit is reached.
pub fn enter(levels: &mut Levels, x: &Value, surroundings: &mut Surroundings<'_>) -> Result<(Level, Value), Trouble> {
    let level = levels.begin_reverse()?;
    let tape = levels.newest_tape();
    let lifted = number_positions(level, tape, x, Sharing::Undone, surroundings)?;
    if tape.is_full() {
        return Err(tape_is_full());
    }
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
    surroundings: &mut Surroundings<'_>,
) -> Result<Value, Trouble> {
    let tape = levels.end_reverse();
    let primal = primal_at(level, y, surroundings)?;
    let mut carried = Carried::default();
    seed(levels, level, &mut carried, y, cotangent, Companion::Cotangent(Primitive::Reverse), surroundings)?;
    tape.sweep(levels, &mut carried, surroundings.watch)?;
    Ok(Value::pair(primal, gather(&carried, x, surroundings)?))
}

/// Lifts each position of x to a reverse level, with the next node of its tape.
pub fn number_positions(
    level: Level,
    tape: &mut Tape,
    x: &Value,
    sharing: Sharing,
    surroundings: &mut Surroundings<'_>,
) -> Result<Value, Trouble> {
    rebuild(x, sharing, Primals::Same, surroundings, &mut |primal| {
        Number::Lifted(Rc::new(Lifted { level, primal, part: Part::Node(tape.independent()) }))
    })
}

/// Adds the cotangent of y to the accumulators of its nodes, left to right.
pub fn seed(
    levels: &mut Levels,
    level: Level,
    carried: &mut Carried,
    y: &Value,
    cotangent: &Value,
    role: Companion,
    surroundings: &mut Surroundings<'_>,
) -> Result<(), Trouble> {
    let (y, cotangent) = (Seen::as_is(y), Seen::as_is(cotangent));
    // The traversal of both values adds the cotangents as it goes; the value that it rebuilds is not used.
    rebuild_with(y, cotangent, role, Sharing::Undone, Primals::Other, surroundings, &mut |output, cotangent| {
        if let Number::Lifted(lifted) = &output
            && lifted.level == level
        {
            match lifted.part {
                Part::Node(node) => carried.add(levels, node, &cotangent),
                Part::Tangent(_) => internal_bug!("a reverse level makes no tangents"),
            }
        }
        cotangent
    })?;
    Ok(())
}

/// The cotangent of x: the accumulated cotangents of its positions, whose nodes are the first of the tape.
pub fn gather(carried: &Carried, x: &Value, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
    let mut nodes = 0..;
    rebuild(x, Sharing::Undone, Primals::Other, surroundings, &mut |_| match nodes.next() {
        Some(node) => given_back(&carried.of(node)),
        None => internal_bug!("nodes do not run out"),
    })
}
