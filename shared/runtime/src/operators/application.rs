//! The interface between engines and the primitives that call procedures: the application that each operator runs, and
//! the operator's continuation. Both are the same in every engine. Applying a procedure and resuming a state are the
//! engine's own work.
//!
//! `if-procedure` and `resume` continue in place. The other operators run a *computation*: a nested run with its own
//! step count and limit ([`crate::steps`]) and its own continuation, so that this whole continuation can be kept when
//! the computation is interrupted.

use super::checkpoint::{Checkpoint, Progress};
use super::computation::{ComputationResult, NestedRun, OperatorContext, State};
use super::pending::{EnteredOperator, OperatorContinuation, OperatorResult};
use super::{backpropagator, transformed};
use crate::event::Event;
use crate::primitives::operands::{Request, request};
use crate::run::Host;
use vlad_ad::rebuild::Sharing;
use vlad_ad::reverse::{self, number_positions};
use vlad_ad::{capsules, forward};
use vlad_core::ExpressionId;
use vlad_core::diagnostic::Kind;
use vlad_table::{Control, Primitive, internal_bug};
use vlad_values::Value;
use vlad_values::fault::RuntimeError;

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
    operator_context: &mut OperatorContext<'_, '_>,
) -> Result<EnteredOperator<S>, RuntimeError> {
    let (run, then) = match request(control, primitive, argument, operator_context.program)? {
        Request::IfProcedure { condition, consequent, alternative } => {
            let operator = if condition.is_true() { consequent } else { alternative };
            return Ok(EnteredOperator::Call { operator, operand: Value::Nil });
        }
        Request::Resume { capsule } => {
            let (_, mut context) = operator_context.differentiation();
            let values = capsules::open(&capsule, &mut context)?;
            return Ok(EnteredOperator::Resume { capsule, values });
        }
        Request::Forward { f, x, tangent } => {
            let (levels, mut context) = operator_context.differentiation();
            let (level, operand) = forward::enter(levels, &x, &tangent, &mut context)?;
            (NestedRun::whole(f, operand), OperatorContinuation::Forward { level })
        }
        Request::Reverse { f, x, cotangent } => {
            let (levels, mut context) = operator_context.differentiation();
            let (level, operand) = reverse::enter(levels, &x, &mut context)?;
            (NestedRun::whole(f, operand), OperatorContinuation::Reverse { level, operands: Box::new((x, cotangent)) })
        }
        Request::CountSteps { f, x } => (NestedRun::whole(f, x), OperatorContinuation::CountSteps),
        Request::Interrupt { f, x, limit } => {
            let (levels, mut context) = operator_context.differentiation();
            let level = levels.begin_counting()?;
            let tape = levels.newest_tape();
            let operator = number_positions(level, tape, &f, Sharing::Kept, &mut context)?;
            let operand = number_positions(level, tape, &x, Sharing::Undone, &mut context)?;
            let run = NestedRun { limit: Some(limit), ..NestedRun::whole(operator, operand) };
            (run, OperatorContinuation::Interrupt { level, limit })
        }
        Request::Checkpoint { f, x, cotangent, strategy } => {
            let strategy = strategy.unwrap_or(operator_context.strategy);
            let (run, checkpoint) = Checkpoint::begin(primitive, f, x, cotangent, strategy, operator_context)?;
            (run, OperatorContinuation::Checkpoint(Box::new(checkpoint)))
        }
    };
    operator_context.effects.observe(Event::Begun { operator: primitive, node });
    Ok(EnteredOperator::Computation { run, then })
}

impl<S: State> OperatorContinuation<S> {
    /// Continues with the result of a computation that has taken `steps` steps of its own.
    ///
    /// # Errors
    /// Returns an error if a cotangent does not conform, if the computation ended before the step at which it was to be
    /// interrupted, if its steps cannot be split as the checkpoint options ask, or if a limit is reached.
    pub fn leave(
        self,
        ending: ComputationResult<S>,
        steps: u64,
        operator_context: &mut OperatorContext<'_, '_>,
    ) -> Result<OperatorResult<S>, RuntimeError> {
        let (levels, mut context) = operator_context.differentiation();
        let value = match (self, ending) {
            (OperatorContinuation::Forward { level }, ComputationResult::Value(y)) => {
                let (primal, tangent) = forward::leave(levels, level, &y, &mut context)?;
                Value::pair(primal, tangent)
            }
            (OperatorContinuation::Bundle { level, marking }, ComputationResult::Value(y)) => {
                let (primal, tangent) = forward::leave(levels, level, &y, &mut context)?;
                transformed::bundled(primal, tangent, marking)
            }
            (OperatorContinuation::Reversed { level, parts }, ComputationResult::Value(y)) => {
                backpropagator::leave(level, *parts, y, operator_context)?
            }
            (OperatorContinuation::Backpropagated { level, execution, operands }, ComputationResult::Value(y)) => {
                let (parts, cotangent) = *operands;
                backpropagator::leave_executed(level, execution, &parts, &y, &cotangent, operator_context)?
            }
            (OperatorContinuation::Tag(tag), ComputationResult::Value(y)) => transformed::tagged(tag, y),
            (OperatorContinuation::Reverse { level, operands }, ComputationResult::Value(y)) => {
                let (x, cotangent) = *operands;
                reverse::leave(levels, level, &x, &y, &cotangent, &mut context)?
            }
            (OperatorContinuation::CountSteps, ComputationResult::Value(_)) => Value::Real(steps as f64),
            (OperatorContinuation::Interrupt { level, .. }, ComputationResult::Interrupted(state)) => {
                levels.end_reverse();
                let (points, values) = state.flatten();
                capsules::close(level, points, &values, &mut context)?
            }
            (OperatorContinuation::Interrupt { limit, .. }, ComputationResult::Value(_)) => {
                levels.end_reverse();
                return Err(interrupted_too_late(limit, steps));
            }
            (OperatorContinuation::Checkpoint(checkpoint), ending) => {
                return Ok(match checkpoint.go_on(ending, steps, operator_context)? {
                    Progress::Value(value) => OperatorResult::Value(value),
                    Progress::Again(run, then) => {
                        OperatorResult::Again { run, then: OperatorContinuation::Checkpoint(then) }
                    }
                });
            }
            (
                OperatorContinuation::Forward { .. }
                | OperatorContinuation::Reverse { .. }
                | OperatorContinuation::Bundle { .. }
                | OperatorContinuation::Reversed { .. }
                | OperatorContinuation::Backpropagated { .. }
                | OperatorContinuation::Tag(_)
                | OperatorContinuation::CountSteps,
                ComputationResult::Interrupted(_),
            ) => internal_bug!("a computation without a limit is not interrupted"),
        };
        operator_context.effects.observe(Event::Ended { steps });
        Ok(OperatorResult::Value(value))
    }
}

/// The fault of `interrupt` when the computation ends before its limit.
pub fn interrupted_too_late(limit: u64, steps: u64) -> RuntimeError {
    let message =
        format!("`interrupt` expects fewer steps than the computation takes, which are {steps}, found {limit}");
    RuntimeError::new(Kind::Type, message)
}
