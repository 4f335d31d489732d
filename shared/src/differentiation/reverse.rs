//! `(*j f x y')` = `(cons y x')`: the value of f at x and the cotangent of x for the cotangent y' of the value (reverse
//! mode).
//!
//! Enter: each position of x becomes a node of a new level's tape. Leave: y' is added into the nodes of the result, left
//! to right; the tape is swept; x' has the shape of x, with what its nodes have accumulated.

use super::arithmetic::{given_back, tape_is_full};
use super::forward::primal_at;
use super::rebuild::{Companion, Primals, Sharing, rebuild, rebuild_with};
use super::tape::{Carried, Tape};
use super::{Levels, Surroundings};
use crate::internal_bug;
use crate::run::Trouble;
use crate::table::Primitive;
use crate::tagged::Seen;
use crate::value::{Level, Lifted, Number, Part, Value};
use std::rc::Rc;

/// Begins a level and gives x lifted, each position of it by itself.
///
/// # Errors
/// A limit.
pub fn enter(levels: &mut Levels, x: &Value, surroundings: &mut Surroundings<'_>) -> Result<(Level, Value), Trouble> {
    let level = levels.begin_reverse()?;
    let tape = levels.newest_tape();
    let lifted = number_positions(level, tape, x, Sharing::Undone, surroundings)?;
    if tape.is_full() {
        return Err(tape_is_full());
    }
    Ok((level, lifted))
}

/// Ends the level and gives the pair of the primal of y and the cotangent of x.
///
/// # Errors
/// The cotangent does not conform to y; a limit of the run.
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

/// x with each position by itself a real of a level, of which it gets the next node.
pub(super) fn number_positions(
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
pub(super) fn seed(
    levels: &mut Levels,
    level: Level,
    carried: &mut Carried,
    y: &Value,
    cotangent: &Value,
    role: Companion,
    surroundings: &mut Surroundings<'_>,
) -> Result<(), Trouble> {
    let (y, cotangent) = (Seen::as_is(y), Seen::as_is(cotangent));
    // The walk in step adds as it goes; the value that it rebuilds has no use.
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

/// The cotangent of x: what has been accumulated for its positions, whose nodes are the first.
pub(super) fn gather(carried: &Carried, x: &Value, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
    let mut nodes = 0..;
    rebuild(x, Sharing::Undone, Primals::Other, surroundings, &mut |_| match nodes.next() {
        Some(node) => given_back(&carried.of(node)),
        None => internal_bug!("nodes do not run out"),
    })
}
