//! The applications inside the primitives that call procedures: what is applied to what, and what remains to be done with
//! what comes of it. That is the same in every engine; how a procedure is applied, or a state gone on from, is the
//! engine's own.
//!
//! `if-procedure` and `resume` go on in place. What the others run is a *computation* of its own: it has its own count and
//! limit ([`crate::steps`]), and its own continuation, so that the whole of that continuation can be kept when it is
//! interrupted.

use super::checkpoint::Checkpoint;
use super::rebuild::Sharing;
use super::reverse::number_positions;
use super::{Levels, Surroundings, backpropagator, forward, reverse, transformed};
use crate::capsule::{Capsule, Points};
use crate::checkpointing::Strategy;
use crate::core::{ExpressionId, Program};
use crate::diagnostic::Kind;
use crate::effects::{Effects, Event};
use crate::operands::{Request, request};
use crate::run::{Host, Trouble, Watch};
use crate::steps::Execution;
use crate::table::{Control, Primitive};
use crate::tagged::{Marking, Tag};
use crate::value::{Level, Value};
use std::rc::Rc;

/// What operators need of a run.
#[derive(Debug)]
pub struct Means<'means, 'run> {
    /// The program that runs.
    pub program: &'run Program,
    /// The differentiations under way.
    pub levels: &'means mut Levels,
    /// The clock and the memory.
    pub watch: &'means mut Watch,
    /// Input and output, and their journals.
    pub effects: &'means mut Effects<'run>,
    /// How `checkpoint-*j` divides what it executes, unless its operands say so.
    pub strategy: Strategy,
}

impl Means<'_, '_> {
    /// The differentiations under way, and what walking data needs.
    pub(super) fn differentiation(&mut self) -> (&mut Levels, Surroundings<'_>) {
        (self.levels, Surroundings { program: self.program, watch: self.watch })
    }
}

/// A state of a computation that an engine can go on from, any number of times.
pub trait State: Clone {
    /// The points of code where it stands, and all values that the rest of it needs, in an order that the points tell.
    fn flatten(self) -> (Box<dyn Points>, Vec<Value>);
}

/// What an engine does for a primitive that calls a procedure, or for a tagged procedure.
#[derive(Debug)]
pub enum Entered<S> {
    /// Nothing more: this is the value.
    Value(Value),
    /// Applies in tail position: nothing remains to be done.
    Call {
        /// The procedure.
        operator: Value,
        /// Its operand.
        operand: Value,
    },
    /// Puts the frames of a capsule on top of those that there are, and goes on where it stands.
    Resume {
        /// The capsule, for its points.
        capsule: Rc<Capsule>,
        /// Its values.
        values: Vec<Value>,
    },
    /// Runs a computation.
    Computation {
        /// What to run.
        run: Run<S>,
        /// What remains to be done with what comes of it.
        then: Leaving<S>,
    },
}

/// A computation, or a part of one, to be run on a continuation of its own.
#[derive(Debug)]
pub struct Run<S> {
    /// Where it begins.
    pub start: Start<S>,
    /// The steps after which it is interrupted.
    pub limit: Option<u64>,
    /// Whether its steps count for the run.
    pub execution: Execution,
}

/// Where a computation begins.
#[derive(Clone, Debug)]
pub enum Start<S> {
    /// With an application.
    Apply {
        /// The procedure.
        operator: Value,
        /// Its operand.
        operand: Value,
    },
    /// At a state.
    State(S),
}

/// What comes of a computation.
#[derive(Debug)]
pub enum Ending<S> {
    /// Its value.
    Value(Value),
    /// The state in which it was interrupted, at the entry of a node.
    Interrupted(S),
}

/// What comes of an operator when its computation has ended.
#[derive(Debug)]
pub enum Left<S> {
    /// Its value.
    Value(Value),
    /// There is more to run.
    Again {
        /// What to run.
        run: Run<S>,
        /// What remains to be done then.
        then: Leaving<S>,
    },
}

/// What remains to be done with what comes of a computation.
#[derive(Debug)]
pub enum Leaving<S> {
    /// Of `(j* f x x')`: the split into primal and tangent.
    Forward {
        /// The level to end.
        level: Level,
    },
    /// Of `(*j f x y')`: the sweep.
    Reverse {
        /// The level to end.
        level: Level,
        /// x and y', as given.
        operands: Box<(Value, Value)>,
    },
    /// Of a call of a bundled procedure: the bundle of what it gives.
    Bundle {
        /// The level to end.
        level: Level,
        /// How `tangent` gives the tangent.
        marking: Marking,
    },
    /// Of a call of a reversed procedure: the reversed value and the backpropagator.
    Reversed {
        /// The level to end.
        level: Level,
        /// f and x, as given.
        parts: Box<(Value, Value)>,
    },
    /// Of a call of a backpropagator that executes its procedure: the sweep.
    Backpropagated {
        /// The level to end.
        level: Level,
        /// How it does.
        execution: Execution,
        /// The pair of f and x, and y', as given.
        operands: Box<(Value, Value)>,
    },
    /// Of a call that gives the value a tag, and that is all.
    Tag(Tag),
    /// Of `(primops f x)`: the count.
    CountSteps,
    /// Of `(interrupt f x l)`: the capsule.
    Interrupt {
        /// The level to end.
        level: Level,
        /// l.
        limit: u64,
    },
    /// Of `checkpoint-*j`: what its schedule says.
    Checkpoint(Box<Checkpoint<S>>),
}

/// Begins what a primitive that calls a procedure does with an argument, at a node.
///
/// # Errors
/// The argument is not what it expects; a tangent does not conform; there are too many levels; a limit is reached.
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
            let values = capsule.open(&mut surroundings)?;
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

impl<S> Run<S> {
    /// An application from beginning to end, for the first time.
    pub(super) fn whole(operator: Value, operand: Value) -> Run<S> {
        Run { start: Start::Apply { operator, operand }, limit: None, execution: Execution::First }
    }
}

impl<S: State> Leaving<S> {
    /// Goes on with what has come of a computation that has taken so many steps of its own.
    ///
    /// # Errors
    /// A cotangent does not conform; the computation was to be interrupted later than it ended; its steps cannot be
    /// divided as asked; a limit is reached.
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
                Capsule::close(level, points, &values, &mut surroundings)?
            }
            (Leaving::Interrupt { limit, .. }, Ending::Value(_)) => {
                levels.end_reverse();
                return Err(interrupted_too_late(limit, steps));
            }
            (Leaving::Checkpoint(checkpoint), ending) => return checkpoint.go_on(ending, steps, means),
            (
                Leaving::Forward { .. }
                | Leaving::Reverse { .. }
                | Leaving::Bundle { .. }
                | Leaving::Reversed { .. }
                | Leaving::Backpropagated { .. }
                | Leaving::Tag(_)
                | Leaving::CountSteps,
                Ending::Interrupted(_),
            ) => crate::internal_bug!("a computation without a limit is not interrupted"),
        };
        means.effects.observe(Event::Ended { steps });
        Ok(Left::Value(value))
    }
}

/// The trouble with a limit that a computation does not come to.
pub fn interrupted_too_late(limit: u64, steps: u64) -> Trouble {
    let message =
        format!("`interrupt` expects fewer steps than the computation takes, which are {steps}, found {limit}");
    Trouble::new(Kind::Type, message)
}
