//! `((*j f) (*j x))` = `(cons (*j y) b)`: the value y of f at x for reverse mode, and the backpropagator b (report,
//! part 17.4).
//!
//! The backpropagator b maps a cotangent y' of y to the cotangents of f and x: `(b y')` equals
//! `(cdr (*j (lambda ((cons f x)) (f x)) (cons f x) y'))`. It keeps the tape of the application, so nothing is executed
//! again, and it works on the tape nodes that the application has at the enclosing levels.
//!
//! f and x are its parts: it is differentiated through and rebuilt like a procedure with two slots. A backpropagator
//! that such a traversal has made has no tape, and executes f at each call. If f and x still have the primals of the
//! application, this is a re-execution, which reads the input that the application has read. Otherwise, as in a tangent
//! or a sum, it is an application like any other.

use super::computation::OperatorContext;
use crate::steps::Execution;
use std::any::Any;
use std::mem;
use vlad_ad::arithmetic::tape_is_full;
use vlad_ad::forward::primal_at;
use vlad_ad::rebuild::{Companion, Sharing};
use vlad_ad::reflection::{marked, strip_tangent_tag};
use vlad_ad::reverse::{gather, number_positions, seed};
use vlad_ad::sweep::CarriedAccumulators;
use vlad_ad::tape::Tape;
use vlad_ad::{Levels, TraversalContext};
use vlad_table::{ValueTag, internal_bug};
use vlad_values::fault::RuntimeError;
use vlad_values::{Backpropagator, Level, Record, Tagged, Tagging, Value};

/// The record of an application.
#[derive(Debug)]
struct Taped {
    /// The level of the application, which has ended.
    level: Level,
    /// The value of f at x, whose reals of the level carry nodes.
    y: Value,
    tape: Tape,
}

impl Record for Taped {
    fn empty(&mut self, take: &mut dyn FnMut(Value)) {
        take(mem::take(&mut self.y));
    }
}

/// The record as it was made.
fn taped(record: &dyn Record) -> &Taped {
    match (record as &dyn Any).downcast_ref() {
        Some(taped) => taped,
        None => internal_bug!("a backpropagator of these engines has one kind of record"),
    }
}

/// Begins a level and returns f and x lifted, with a tape node for each position, those of f first.
///
/// # Errors
/// Returns an error if a limit is reached.
pub(super) fn enter(
    levels: &mut Levels,
    f: &Value,
    x: &Value,
    context: &mut TraversalContext<'_>,
) -> Result<(Level, Value, Value), RuntimeError> {
    let level = levels.begin_reverse()?;
    let tape = levels.newest_tape();
    let operator = number_positions(level, tape, f, Sharing::Undone, context)?;
    let operand = number_positions(level, tape, x, Sharing::Undone, context)?;
    if tape.is_full() {
        return Err(tape_is_full());
    }
    Ok((level, operator, operand))
}

/// Ends the level of an application with the value y, and returns the pair of the reversed y and the backpropagator.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub(super) fn leave(
    level: Level,
    (operator, operand): (Value, Value),
    y: Value,
    operator_context: &mut OperatorContext<'_, '_>,
) -> Result<Value, RuntimeError> {
    let reads = operator_context.effects.end();
    let (levels, mut context) = operator_context.differentiation();
    let tape = levels.end_reverse();
    let primal = primal_at(level, &y, &mut context)?;
    let record: Box<dyn Record> = Box::new(Taped { level, y, tape });
    let backpropagator = Backpropagator { operator, operand, reads: Some(reads.into()), record: Some(record) };
    let backpropagator = Value::tagged(Tagged::Backpropagator(backpropagator));
    Ok(Value::pair(Value::tagged(Tagged::Reverse(primal)), backpropagator))
}

/// The result of a call of a backpropagator.
pub(super) enum Called {
    /// The pair of the cotangents of f and x, tagged as the cotangent of y was.
    Cotangents(Value),
    /// A request to execute f at a new level.
    Execute(Level, Value, Value, Execution),
}

/// Calls a backpropagator with a cotangent of y.
///
/// # Errors
/// Returns an error if the cotangent does not conform to y, or if a limit of the run is reached.
pub(super) fn call(
    backpropagator: &Backpropagator,
    cotangent: &Value,
    operator_context: &mut OperatorContext<'_, '_>,
) -> Result<Called, RuntimeError> {
    let (levels, mut context) = operator_context.differentiation();
    let Some(Taped { level, y, tape }) = backpropagator.record.as_deref().map(taped) else {
        let (level, f, x) = enter(levels, &backpropagator.operator, &backpropagator.operand, &mut context)?;
        let Some(reads) = &backpropagator.reads else { return Ok(Called::Execute(level, f, x, Execution::First)) };
        operator_context.effects.replay(reads);
        return Ok(Called::Execute(level, f, x, Execution::Again));
    };
    let (cotangent, marking) = strip_tangent_tag(ValueTag::Sensitivity, cotangent, y);
    let mut carried = CarriedAccumulators::default();
    seed(levels, *level, &mut carried, y, cotangent, Companion::Sensitivity, &mut context)?;
    tape.sweep_kept(levels, &mut carried, context.watch)?;
    let cotangents = gather(&carried, &backpropagator.parts(), &mut context)?;
    Ok(Called::Cotangents(given_back(cotangents, marking)))
}

/// Tags cotangents as sensitivities if the cotangent of y was tagged.
fn given_back(cotangents: Value, marking: Tagging) -> Value {
    match marking {
        Tagging::Plain => cotangents,
        Tagging::Tagged => marked(ValueTag::Sensitivity, cotangents),
    }
}

/// Ends the execution of f, whose value is y, and returns the pair of the cotangents of f and x, tagged as that of y
/// was.
///
/// # Errors
/// Returns an error if the cotangent does not conform to y, or if a limit of the run is reached.
pub(super) fn leave_executed(
    level: Level,
    execution: Execution,
    parts: &Value,
    y: &Value,
    cotangent: &Value,
    operator_context: &mut OperatorContext<'_, '_>,
) -> Result<Value, RuntimeError> {
    if execution == Execution::Again {
        operator_context.effects.end();
    }
    let (levels, mut context) = operator_context.differentiation();
    let tape = levels.end_reverse();
    let (cotangent, marking) = strip_tangent_tag(ValueTag::Sensitivity, cotangent, y);
    let mut carried = CarriedAccumulators::default();
    seed(levels, level, &mut carried, y, cotangent, Companion::Sensitivity, &mut context)?;
    tape.sweep(levels, &mut carried, context.watch)?;
    Ok(given_back(gather(&carried, parts, &mut context)?, marking))
}
