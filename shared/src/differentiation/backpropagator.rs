//! `((*j f) (*j x))` = `(cons (*j y) b)`: the value of f at x for reverse mode, and the way back (report, part 17.4).
//!
//! The backpropagator b maps a cotangent y' of y to the cotangents of f and x: `(b y')` is what
//! `(cdr (*j (lambda ((cons f x)) (f x)) (cons f x) y'))` gives. It keeps the tape of the application, so nothing is executed
//! again, and the nodes of the application at the levels around are those that b works on.
//!
//! f and x are its parts: it can be differentiated through and changed like a procedure with two slots. One that a walk has
//! made has no tape, and executes f at each call. If f and x still have the primals that they had, that is an execution again:
//! it reads what the application has read. Otherwise, as in a tangent or a sum, it is an application like any other.

use super::application::Means;
use super::arithmetic::tape_is_full;
use super::forward::primal_at;
use super::rebuild::{Companion, Primals, Sharing};
use super::reflection::{as_given, marked};
use super::reverse::{gather, number_positions, seed};
use super::tape::{Carried, Tape};
use super::{Levels, Surroundings};
use crate::run::Trouble;
use crate::steps::Execution;
use crate::table::Mark;
use crate::tagged::{Marking, Tagged};
use crate::value::{Level, Value};
use std::mem;
use std::rc::Rc;

/// A way back.
pub struct Backpropagator {
    /// f.
    pub operator: Value,
    /// x.
    pub operand: Value,
    /// What the application has read; none if f and x have other primals than it had.
    pub reads: Option<Rc<[f64]>>,
    record: Option<Box<Record>>,
}

/// The record of an application.
struct Record {
    /// The level that it had, which has ended.
    level: Level,
    /// The value of f at x, whose reals of the level carry nodes.
    y: Value,
    tape: Tape,
}

impl Backpropagator {
    /// A backpropagator without a tape.
    pub fn new(operator: Value, operand: Value, reads: Option<Rc<[f64]>>) -> Backpropagator {
        Backpropagator { operator, operand, reads, record: None }
    }

    /// One of other parts.
    pub(crate) fn of_others(&self, operator: Value, operand: Value, primals: Primals) -> Backpropagator {
        Backpropagator::new(operator, operand, self.reads.clone().filter(|_| primals == Primals::Same))
    }

    /// Takes out all values.
    pub(crate) fn empty(&mut self, take: &mut dyn FnMut(Value)) {
        take(mem::take(&mut self.operator));
        take(mem::take(&mut self.operand));
        if let Some(record) = &mut self.record {
            take(mem::take(&mut record.y));
        }
    }

    /// f and x.
    pub(super) fn parts(&self) -> Value {
        Value::pair(self.operator.clone(), self.operand.clone())
    }
}

/// Begins a level and gives f and x lifted, each position by itself, those of f first.
///
/// # Errors
/// A limit.
pub(super) fn enter(
    levels: &mut Levels,
    f: &Value,
    x: &Value,
    surroundings: &mut Surroundings<'_>,
) -> Result<(Level, Value, Value), Trouble> {
    let level = levels.begin_reverse()?;
    let tape = levels.newest_tape();
    let operator = number_positions(level, tape, f, Sharing::Undone, surroundings)?;
    let operand = number_positions(level, tape, x, Sharing::Undone, surroundings)?;
    if tape.is_full() {
        return Err(tape_is_full());
    }
    Ok((level, operator, operand))
}

/// Ends the level of an application that gave y, and gives the pair of the reversed y and the backpropagator.
///
/// # Errors
/// A limit of the run.
pub(super) fn leave(
    level: Level,
    (operator, operand): (Value, Value),
    y: Value,
    means: &mut Means<'_, '_>,
) -> Result<Value, Trouble> {
    let reads = means.effects.end();
    let (levels, mut surroundings) = means.differentiation();
    let tape = levels.end_reverse();
    let primal = primal_at(level, &y, &mut surroundings)?;
    let record = Some(Box::new(Record { level, y, tape }));
    let backpropagator = Backpropagator { operator, operand, reads: Some(reads.into()), record };
    let backpropagator = Value::tagged(Tagged::Backpropagator(backpropagator));
    Ok(Value::pair(Value::tagged(Tagged::Reverse(primal)), backpropagator))
}

/// What a call of a backpropagator comes to.
pub(super) enum Called {
    /// The pair of the cotangents of f and x, as they are given back.
    Cotangents(Value),
    /// f has to be executed, at a new level.
    Execute(Level, Value, Value, Execution),
}

/// Calls a backpropagator with a cotangent of y.
///
/// # Errors
/// The cotangent does not conform to y; a limit of the run.
pub(super) fn call(
    backpropagator: &Backpropagator,
    cotangent: &Value,
    means: &mut Means<'_, '_>,
) -> Result<Called, Trouble> {
    let (levels, mut surroundings) = means.differentiation();
    let Some(Record { level, y, tape }) = backpropagator.record.as_deref() else {
        let (level, f, x) = enter(levels, &backpropagator.operator, &backpropagator.operand, &mut surroundings)?;
        let Some(reads) = &backpropagator.reads else { return Ok(Called::Execute(level, f, x, Execution::First)) };
        means.effects.replay(reads);
        return Ok(Called::Execute(level, f, x, Execution::Again));
    };
    let (cotangent, marking) = as_given(Mark::Sensitivity, cotangent, y);
    let mut carried = Carried::default();
    seed(levels, *level, &mut carried, y, cotangent, Companion::Sensitivity, &mut surroundings)?;
    tape.sweep_kept(levels, &mut carried, surroundings.watch)?;
    let cotangents = gather(&carried, &backpropagator.parts(), &mut surroundings)?;
    Ok(Called::Cotangents(given_back(cotangents, marking)))
}

/// Cotangents as they are given back: tagged if that of y was.
fn given_back(cotangents: Value, marking: Marking) -> Value {
    match marking {
        Marking::Plain => cotangents,
        Marking::Tagged => marked(Mark::Sensitivity, cotangents),
    }
}

/// Ends the execution of f, which gave y, and gives the pair of the cotangents of f and x as they are given back.
///
/// # Errors
/// The cotangent does not conform to y; a limit of the run.
pub(super) fn leave_executed(
    level: Level,
    execution: Execution,
    parts: &Value,
    y: &Value,
    cotangent: &Value,
    means: &mut Means<'_, '_>,
) -> Result<Value, Trouble> {
    if execution == Execution::Again {
        means.effects.end();
    }
    let (levels, mut surroundings) = means.differentiation();
    let tape = levels.end_reverse();
    let (cotangent, marking) = as_given(Mark::Sensitivity, cotangent, y);
    let mut carried = Carried::default();
    seed(levels, level, &mut carried, y, cotangent, Companion::Sensitivity, &mut surroundings)?;
    tape.sweep(levels, &mut carried, surroundings.watch)?;
    Ok(given_back(gather(&carried, parts, &mut surroundings)?, marking))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They are freed in constant stack, like all values.
    #[test]
    fn a_chain_of_a_million_is_freed() {
        let link = |operand, _| {
            let backpropagator = Backpropagator::new(Value::Nil, operand, None);
            Value::tagged(Tagged::Backpropagator(backpropagator))
        };
        drop((0..1_000_000).fold(Value::Nil, link));
    }
}
