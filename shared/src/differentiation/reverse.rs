//! `(*j f x y')` = `(cons y x')`: the value of f at x and the cotangent of x for the cotangent y' of the value (reverse
//! mode).
//!
//! Enter: each position of x becomes a node of a new level's tape. Leave: y' is added into the nodes of the result, left
//! to right; the tape is swept; x' has the shape of x, with what its nodes have accumulated.

use super::arithmetic::{given_back, tape_is_full};
use super::forward::primal_at;
use super::rebuild::{Companion, Sharing, rebuild, rebuild_with};
use super::{Levels, Surroundings};
use crate::internal_bug;
use crate::run::Trouble;
use crate::value::{Level, Lifted, Number, Part, Value};
use std::rc::Rc;

/// Begins a level and gives x lifted, each position of it by itself.
///
/// # Errors
/// A limit.
pub fn enter(levels: &mut Levels, x: &Value, surroundings: &mut Surroundings<'_>) -> Result<(Level, Value), Trouble> {
    let level = levels.begin_reverse()?;
    let tape = levels.newest_tape();
    let lifted = rebuild(x, Sharing::Undone, surroundings, &mut |primal| {
        Number::Lifted(Rc::new(Lifted { level, primal, part: Part::Node(tape.independent()) }))
    })?;
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
    let independents = tape.independents();
    let primal = primal_at(level, y, surroundings)?;
    let mut accumulators = tape.accumulators();
    // The walk in step adds as it goes; the value that it rebuilds has no use.
    rebuild_with(y, cotangent, Companion::Cotangent, Sharing::Undone, surroundings, &mut |output, cotangent| {
        if let Number::Lifted(lifted) = &output
            && lifted.level == level
        {
            match lifted.part {
                Part::Node(node) => accumulators.add(levels, node, &cotangent),
                Part::Tangent(_) => internal_bug!("a reverse level makes no tangents"),
            }
        }
        cotangent
    })?;
    let accumulators = tape.sweep(levels, accumulators, surroundings.watch)?;
    let mut position = 0;
    let cotangent = rebuild(x, Sharing::Undone, surroundings, &mut |_| {
        position += 1;
        given_back(accumulators.of_independent(position - 1))
    })?;
    if position != independents {
        internal_bug!("the cotangent of x has a position for each of x");
    }
    Ok(Value::pair(primal, cotangent))
}
