//! `(checkpoint-*j f x y')` = `(cons y x')`, as `*j`, with a tape of one interval of the execution at a time (talk of
//! 2018, part II).
//!
//! f is executed once to count its steps. Then intervals are executed again in the order of the [`Schedule`], and
//! reversed from the last to the first. The level only numbers its nodes while nothing is recorded, so every real of a
//! kept state knows its node. The cotangents that a sweep accumulates for nodes of earlier intervals are carried to
//! their sweeps: the sums are those of `*j`, term by term (rule 5a).

use super::computation::{ComputationResult, NestedRun, OperatorContext, Start, State};
use crate::event::Event;
use crate::run::Host;
use crate::steps::Execution;
use vlad_ad::arithmetic::{NodeNumbers, SavedProgress, tape_is_full};
use vlad_ad::checkpointing::{Action, Extent, Schedule, Strategy};
use vlad_ad::forward::{note_inputs, primal_at};
use vlad_ad::rebuild::{Companion, Sharing, conform};
use vlad_ad::reverse::{gather, number_positions, seed};
use vlad_ad::sweep::CarriedAccumulators;
use vlad_table::{Primitive, internal_bug};
use vlad_values::fault::RuntimeError;
use vlad_values::{Level, Value};

/// The greatest number of states that bisection ever keeps; memory for the pointers to them is allocated at the
/// beginning.
const ROOM_FOR_SNAPSHOTS: usize = 64;

/// An application of `checkpoint-*j` in progress.
#[derive(Debug)]
pub struct Checkpoint<S> {
    operator: Primitive,
    level: Level,
    x: Value,
    cotangent: Value,
    strategy: Strategy,
    /// The value of f at x and the number of its steps, once they are known.
    measured: Option<(Value, u64)>,
    /// The remaining actions.
    schedule: Option<Schedule>,
    /// The kept states, the earliest first. They are boxed, so that keeping one more allocates one more and no larger
    /// array.
    #[allow(clippy::vec_box)]
    snapshots: Vec<Box<Snapshot<S>>>,
    /// The action that is executed again, and the progress to restore after it; none during the first execution.
    again: Option<(Action, SavedProgress)>,
    carried: CarriedAccumulators,
}

/// A kept state, with the position in the log of effects and the next nodes of the levels at it.
#[derive(Debug)]
struct Snapshot<S> {
    start: Start<S>,
    marks: NodeNumbers,
    journal: usize,
}

/// The next step of `checkpoint-*j`.
pub(super) enum Progress<S> {
    /// It has its value.
    Value(Value),
    /// It executes an interval.
    Again(NestedRun<S>, Box<Checkpoint<S>>),
}

impl<S: State> Checkpoint<S> {
    /// Begins the first execution, which is of f on x lifted, like those that follow. With x as it is, the nodes of
    /// enclosing levels could be others: an inner sweep skips an accumulator that is a plain zero, and does not skip a
    /// zero that depends on x.
    ///
    /// # Errors
    /// Returns an error if differentiations are nested too deep, or if a limit is reached.
    pub(super) fn begin(
        operator: Primitive,
        f: Value,
        x: Value,
        cotangent: Value,
        strategy: Strategy,
        operator_context: &mut OperatorContext<'_, '_>,
    ) -> Result<(NestedRun<S>, Checkpoint<S>), RuntimeError> {
        let (levels, mut context) = operator_context.differentiation();
        let level = levels.begin_counting()?;
        let lifted = number_positions(level, levels.newest_tape(), &x, Sharing::Undone, &mut context)?;
        note_inputs(levels, level, &lifted, &mut context)?;
        let marks = levels.marks();
        operator_context.effects.begin();
        let run = NestedRun::whole(f, lifted);
        let mut snapshots = Vec::with_capacity(ROOM_FOR_SNAPSHOTS);
        snapshots.push(Box::new(Snapshot {
            start: run.start.clone(),
            marks,
            journal: operator_context.effects.mark(),
        }));
        let carried = CarriedAccumulators::default();
        let checkpoint = Checkpoint {
            operator,
            level,
            x,
            cotangent,
            strategy,
            measured: None,
            schedule: None,
            snapshots,
            again: None,
            carried,
        };
        Ok((run, checkpoint))
    }

    /// Continues with the result of an execution of `steps` steps.
    ///
    /// # Errors
    /// Returns an error if the cotangent does not conform, if the steps cannot be split as the checkpoint options ask,
    /// or if a limit is reached.
    pub(super) fn go_on(
        mut self: Box<Self>,
        ending: ComputationResult<S>,
        steps: u64,
        operator_context: &mut OperatorContext<'_, '_>,
    ) -> Result<Progress<S>, RuntimeError> {
        match self.again.take() {
            None => self.measure(ending, steps, operator_context)?,
            Some((action, frontier)) => {
                operator_context.effects.observe(Event::Executed { steps });
                self.finish(action, frontier, ending, operator_context)?;
            }
        }
        let node = self.snapshots.last().map_or(0, |top| top.marks.newest());
        match self.schedule.as_mut().and_then(|schedule| schedule.next(node)) {
            Some(action) => Ok(Progress::Again(self.execute(action, operator_context)?, self)),
            None => self.end(operator_context),
        }
    }

    /// Ends the first execution: the number of steps determines the schedule.
    fn measure(
        &mut self,
        ending: ComputationResult<S>,
        steps: u64,
        operator_context: &mut OperatorContext<'_, '_>,
    ) -> Result<(), RuntimeError> {
        let ComputationResult::Value(y) = ending else { internal_bug!("the first execution is not interrupted") };
        let role = Companion::Cotangent(self.operator);
        let (_, mut context) = operator_context.differentiation();
        let y = primal_at(self.level, &y, &mut context)?;
        conform(&y, &self.cotangent, role, &mut context)?;
        operator_context.effects.observe(Event::Measured { steps });
        let begin = self.snapshots.last().map_or(0, |first| first.marks.newest());
        let nodes = begin..operator_context.levels.marks().newest();
        self.schedule = Some(Schedule::new(self.strategy, &Extent { steps, nodes })?);
        self.measured = Some((y, steps));
        Ok(())
    }

    /// Begins an action: continues from the topmost state, with levels and effects as they were at it.
    fn execute(
        &mut self,
        action: Action,
        operator_context: &mut OperatorContext<'_, '_>,
    ) -> Result<NestedRun<S>, RuntimeError> {
        operator_context.effects.observe(Event::Action { action, snapshots: self.snapshots.len() });
        let total = self.total();
        let (start, marks, journal, limit) = match action {
            Action::Advance { steps, .. } => {
                let Some(top) = self.snapshots.last() else { internal_bug!("an action has a state to run from") };
                (top.start.clone(), top.marks.clone(), top.journal, Some(steps))
            }
            Action::Reverse { from, steps } => {
                let Some(top) = self.snapshots.pop() else { internal_bug!("an action has a state to run from") };
                let Snapshot { start, marks, journal } = *top;
                (start, marks, journal, (from + steps < total).then_some(steps))
            }
        };
        let frontier = operator_context.levels.rewind(&marks);
        let tape = operator_context.levels.newest_tape();
        match action {
            Action::Advance { .. } => tape.count_from(marks.newest()),
            Action::Reverse { .. } => tape.record_from(marks.newest()),
        }
        operator_context.effects.rewind(journal);
        self.again = Some((action, frontier));
        Ok(NestedRun { start, limit, execution: Execution::Again })
    }

    /// Ends an action: keeps the new state, or sweeps over the reversed interval.
    fn finish(
        &mut self,
        action: Action,
        frontier: SavedProgress,
        ending: ComputationResult<S>,
        operator_context: &mut OperatorContext<'_, '_>,
    ) -> Result<(), RuntimeError> {
        let (marks, journal) = (operator_context.levels.marks(), operator_context.effects.mark());
        operator_context.levels.settle(frontier);
        operator_context.effects.settle();
        match (action, ending) {
            (Action::Advance { .. }, ComputationResult::Interrupted(state)) => {
                self.snapshots.push(Box::new(Snapshot { start: Start::State(state), marks, journal }));
                Ok(())
            }
            (Action::Advance { .. }, ComputationResult::Value(_)) => {
                internal_bug!("an execution takes as many steps again as the first time")
            }
            (Action::Reverse { .. }, ComputationResult::Value(y)) => self.sweep(Some(&y), operator_context),
            (Action::Reverse { .. }, ComputationResult::Interrupted(_)) => self.sweep(None, operator_context),
        }
    }

    /// Runs the reverse sweep over the recorded interval; the first reversal, which yields y, is seeded with the
    /// cotangent of y.
    fn sweep(&mut self, y: Option<&Value>, operator_context: &mut OperatorContext<'_, '_>) -> Result<(), RuntimeError> {
        let tape = operator_context.levels.newest_tape().take();
        if tape.is_full() {
            return Err(tape_is_full());
        }
        let (level, operator) = (self.level, self.operator);
        let (carried, cotangent) = (&mut self.carried, &self.cotangent);
        let (levels, mut context) = operator_context.differentiation();
        levels.without_newest(|levels| {
            if let Some(y) = y {
                seed(levels, level, carried, y, cotangent, Companion::Cotangent(operator), &mut context)?;
            }
            tape.sweep(levels, carried, context.watch)
        })
    }

    fn total(&self) -> u64 {
        match &self.measured {
            Some((_, steps)) => *steps,
            None => internal_bug!("there is no schedule before the steps are known"),
        }
    }

    /// Ends the operator when every interval is reversed.
    fn end(self, operator_context: &mut OperatorContext<'_, '_>) -> Result<Progress<S>, RuntimeError> {
        operator_context.effects.end();
        let (levels, mut context) = operator_context.differentiation();
        levels.end_reverse();
        let cotangent = gather(&self.carried, &self.x, &mut context)?;
        let Some((y, steps)) = self.measured else { internal_bug!("the steps are known at the end") };
        operator_context.effects.observe(Event::Ended { steps });
        Ok(Progress::Value(Value::pair(y, cotangent)))
    }
}
