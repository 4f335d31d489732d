//! The interface between engines and the primitives that call procedures: the application that each operator runs, and
//! the operator's continuation. Both are the same in every engine. Applying a procedure and resuming a state are the
//! engine's own work.
//!
//! `if-procedure` and `resume` continue in place. The other operators run a *computation*: a nested run with its own step
//! count and limit ([`crate::steps`]) and its own continuation, so that this whole continuation can be kept when the
//! computation is interrupted.

use super::checkpoint::{Checkpoint, Progress};
use super::computation::{Ending, Means, Run, State};
use super::pending::{Entered, Leaving, Left};
use super::{backpropagator, transformed};
use crate::event::Event;
use crate::operands::{Request, request};
use crate::run::Host;
use vlad_ad::rebuild::Sharing;
use vlad_ad::reverse::{self, number_positions};
use vlad_ad::{capsules, forward};
use vlad_core::ExpressionId;
use vlad_core::diagnostic::Kind;
use vlad_table::{Control, Primitive, internal_bug};
use vlad_values::Value;
use vlad_values::fault::Trouble;

/// Starts a primitive that calls a procedure, with its argument, at the expression node of the call.
///
/// # Errors
/// Returns an error if the argument is not of the expected form, if a tangent does not conform, if differentiations are
/// nested too deep, or if a limit of the run is reached.
pub fn enter<S: State>(
    control: Control,
    primitive: Primitive,
    argument: &Value,
    node: ExpressionId,
    means: &mut Means<'_, '_>,
) -> Result<Entered<S>, Trouble> {
    let (run, then) = match request(control, primitive, argument, means.program)? {
        Request::IfProcedure { condition, consequent, alternative } => {
            let operator = if condition.is_true() { consequent } else { alternative };
            return Ok(Entered::Call { operator, operand: Value::Nil });
        }
        Request::Resume { capsule } => {
            let (_, mut surroundings) = means.differentiation();
            let values = capsules::open(&capsule, &mut surroundings)?;
            return Ok(Entered::Resume { capsule, values });
        }
        Request::Forward { f, x, tangent } => {
            let (levels, mut surroundings) = means.differentiation();
            let (level, operand) = forward::enter(levels, &x, &tangent, &mut surroundings)?;
            (Run::whole(f, operand), Leaving::Forward { level })
        }
        Request::Reverse { f, x, cotangent } => {
            let (levels, mut surroundings) = means.differentiation();
            let (level, operand) = reverse::enter(levels, &x, &mut surroundings)?;
            (Run::whole(f, operand), Leaving::Reverse { level, operands: Box::new((x, cotangent)) })
        }
        Request::CountSteps { f, x } => (Run::whole(f, x), Leaving::CountSteps),
        Request::Interrupt { f, x, limit } => {
            let (levels, mut surroundings) = means.differentiation();
            let level = levels.begin_counting()?;
            let tape = levels.newest_tape();
            let operator = number_positions(level, tape, &f, Sharing::Kept, &mut surroundings)?;
            let operand = number_positions(level, tape, &x, Sharing::Undone, &mut surroundings)?;
            let run = Run { limit: Some(limit), ..Run::whole(operator, operand) };
            (run, Leaving::Interrupt { level, limit })
        }
        Request::Checkpoint { f, x, cotangent, strategy } => {
            let strategy = strategy.unwrap_or(means.strategy);
            let (run, checkpoint) = Checkpoint::begin(primitive, f, x, cotangent, strategy, means)?;
            (run, Leaving::Checkpoint(Box::new(checkpoint)))
        }
    };
    means.effects.observe(Event::Begun { operator: primitive, node });
    Ok(Entered::Computation { run, then })
}

impl<S: State> Leaving<S> {
    /// Continues with the result of a computation that has taken `steps` steps of its own.
    ///
    /// # Errors
    /// Returns an error if a cotangent does not conform, if the computation ended before the step at which it was to be
    /// interrupted, if its steps cannot be split as the checkpoint options ask, or if a limit is reached.
    pub fn leave(self, ending: Ending<S>, steps: u64, means: &mut Means<'_, '_>) -> Result<Left<S>, Trouble> {
        let (levels, mut surroundings) = means.differentiation();
        let value = match (self, ending) {
            (Leaving::Forward { level }, Ending::Value(y)) => {
                let (primal, tangent) = forward::leave(levels, level, &y, &mut surroundings)?;
                Value::pair(primal, tangent)
            }
            (Leaving::Bundle { level, marking }, Ending::Value(y)) => {
                let (primal, tangent) = forward::leave(levels, level, &y, &mut surroundings)?;
                transformed::bundled(primal, tangent, marking)
            }
            (Leaving::Reversed { level, parts }, Ending::Value(y)) => backpropagator::leave(level, *parts, y, means)?,
            (Leaving::Backpropagated { level, execution, operands }, Ending::Value(y)) => {
                let (parts, cotangent) = *operands;
                backpropagator::leave_executed(level, execution, &parts, &y, &cotangent, means)?
            }
            (Leaving::Tag(tag), Ending::Value(y)) => transformed::tagged(tag, y),
            (Leaving::Reverse { level, operands }, Ending::Value(y)) => {
                let (x, cotangent) = *operands;
                reverse::leave(levels, level, &x, &y, &cotangent, &mut surroundings)?
            }
            (Leaving::CountSteps, Ending::Value(_)) => Value::Real(steps as f64),
            (Leaving::Interrupt { level, .. }, Ending::Interrupted(state)) => {
                levels.end_reverse();
                let (points, values) = state.flatten();
                capsules::close(level, points, &values, &mut surroundings)?
            }
            (Leaving::Interrupt { limit, .. }, Ending::Value(_)) => {
                levels.end_reverse();
                return Err(interrupted_too_late(limit, steps));
            }
            (Leaving::Checkpoint(checkpoint), ending) => {
                return Ok(match checkpoint.go_on(ending, steps, means)? {
                    Progress::Value(value) => Left::Value(value),
                    Progress::Again(run, then) => Left::Again { run, then: Leaving::Checkpoint(then) },
                });
            }
            (
                Leaving::Forward { .. }
                | Leaving::Reverse { .. }
                | Leaving::Bundle { .. }
                | Leaving::Reversed { .. }
                | Leaving::Backpropagated { .. }
                | Leaving::Tag(_)
                | Leaving::CountSteps,
                Ending::Interrupted(_),
            ) => internal_bug!("a computation without a limit is not interrupted"),
        };
        means.effects.observe(Event::Ended { steps });
        Ok(Left::Value(value))
    }
}

/// The fault of `interrupt` when the computation ends before its limit.
pub fn interrupted_too_late(limit: u64, steps: u64) -> Trouble {
    let message =
        format!("`interrupt` expects fewer steps than the computation takes, which are {steps}, found {limit}");
    Trouble::new(Kind::Type, message)
}
