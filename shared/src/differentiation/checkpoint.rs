//! `(checkpoint-*j f x y')` = `(cons y x')`, as `*j`, with a tape of one interval of the execution at a time (talk of 2018,
//! part II).
//!
//! f is executed once to count its steps; then intervals are executed again as the [`Schedule`] says, and reversed from
//! the last to the first. As the level only numbers its nodes while nothing is recorded, every real that a state holds
//! knows its node, and what each sweep leaves for nodes of earlier intervals is carried on to theirs: the sums are those
//! of `*j`, term by term (rule 5a).

use super::application::{Ending, Leaving, Left, Means, Run, Start, State};
use super::arithmetic::{Frontier, Marks, tape_is_full};
use super::forward::primal_at;
use super::rebuild::{Companion, Sharing, conform};
use super::reverse::{gather, number_positions, seed};
use super::tape::Carried;
use crate::checkpointing::{Action, Schedule, Strategy};
use crate::effects::Event;
use crate::internal_bug;
use crate::run::{Host, Trouble};
use crate::steps::Execution;
use crate::table::Primitive;
use crate::value::{Level, Value};

/// As many states as bisection ever keeps: there is room for the pointers to them from the beginning.
const ROOM_FOR_SNAPSHOTS: usize = 64;

/// An application of `checkpoint-*j` under way.
#[derive(Debug)]
pub struct Checkpoint<S> {
    operator: Primitive,
    level: Level,
    x: Value,
    cotangent: Value,
    strategy: Strategy,
    /// The value of f at x, and the steps that it takes, once they are known.
    measured: Option<(Value, u64)>,
    /// What is still to be done.
    schedule: Option<Schedule>,
    /// The states that are kept, the earliest first. In boxes, so that one more takes the room of one more.
    #[allow(clippy::vec_box)]
    snapshots: Vec<Box<Snapshot<S>>>,
    /// What is being executed again; nothing during the first execution.
    again: Option<(Action, Frontier)>,
    carried: Carried,
}

/// A state, and where effects and levels stood.
#[derive(Debug)]
struct Snapshot<S> {
    start: Start<S>,
    marks: Marks,
    journal: usize,
}

impl<S: State> Checkpoint<S> {
    /// Begins. The first execution is of f on x lifted, like those that come after it: a zero that depends on x is not
    /// passed over by a sweep inside, and a zero that does not is, so that x as it is could make other nodes around.
    ///
    /// # Errors
    /// There are too many levels; a limit is reached.
    pub(super) fn begin(
        operator: Primitive,
        f: Value,
        x: Value,
        cotangent: Value,
        strategy: Strategy,
        means: &mut Means<'_, '_>,
    ) -> Result<(Run<S>, Checkpoint<S>), Trouble> {
        let (levels, mut surroundings) = means.differentiation();
        let level = levels.begin_counting()?;
        let lifted = number_positions(level, levels.newest_tape(), &x, Sharing::Undone, &mut surroundings)?;
        let marks = levels.marks();
        means.effects.begin();
        let run = Run::whole(f, lifted);
        let mut snapshots = Vec::with_capacity(ROOM_FOR_SNAPSHOTS);
        snapshots.push(Box::new(Snapshot { start: run.start.clone(), marks, journal: means.effects.mark() }));
        let carried = Carried::default();
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

    /// Goes on with what has come of an execution of so many steps.
    ///
    /// # Errors
    /// The cotangent does not conform; the steps cannot be divided as asked; a limit is reached.
    pub(super) fn go_on(
        mut self: Box<Self>,
        ending: Ending<S>,
        steps: u64,
        means: &mut Means<'_, '_>,
    ) -> Result<Left<S>, Trouble> {
        match self.again.take() {
            None => self.measure(ending, steps, means)?,
            Some((action, frontier)) => {
                means.effects.observe(Event::Executed { steps });
                self.finish(action, frontier, ending, means)?;
            }
        }
        match self.schedule.as_mut().and_then(Iterator::next) {
            Some(action) => Ok(Left::Again { run: self.execute(action, means)?, then: Leaving::Checkpoint(self) }),
            None => self.end(means),
        }
    }

    /// The first execution has ended.
    fn measure(&mut self, ending: Ending<S>, steps: u64, means: &mut Means<'_, '_>) -> Result<(), Trouble> {
        let Ending::Value(y) = ending else { internal_bug!("the first execution is not interrupted") };
        let role = Companion::Cotangent(self.operator);
        let (_, mut surroundings) = means.differentiation();
        let y = primal_at(self.level, &y, &mut surroundings)?;
        conform(&y, &self.cotangent, role, &mut surroundings)?;
        means.effects.observe(Event::Measured { steps });
        self.schedule = Some(Schedule::new(self.strategy, steps)?);
        self.measured = Some((y, steps));
        Ok(())
    }

    /// Begins an action: the state on top is gone on from, with levels and effects as they were.
    fn execute(&mut self, action: Action, means: &mut Means<'_, '_>) -> Result<Run<S>, Trouble> {
        means.effects.observe(Event::Action { action, snapshots: self.snapshots.len() });
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
        let frontier = means.levels.rewind(&marks);
        let tape = means.levels.newest_tape();
        match action {
            Action::Advance { .. } => tape.count_from(marks.newest()),
            Action::Reverse { .. } => tape.record_from(marks.newest()),
        }
        means.effects.rewind(journal);
        self.again = Some((action, frontier));
        Ok(Run { start, limit, execution: Execution::Again })
    }

    /// Ends an action.
    fn finish(
        &mut self,
        action: Action,
        frontier: Frontier,
        ending: Ending<S>,
        means: &mut Means<'_, '_>,
    ) -> Result<(), Trouble> {
        let (marks, journal) = (means.levels.marks(), means.effects.mark());
        means.levels.settle(frontier);
        means.effects.settle();
        match (action, ending) {
            (Action::Advance { .. }, Ending::Interrupted(state)) => {
                self.snapshots.push(Box::new(Snapshot { start: Start::State(state), marks, journal }));
                Ok(())
            }
            (Action::Advance { .. }, Ending::Value(_)) => {
                internal_bug!("an execution takes as many steps again as the first time")
            }
            (Action::Reverse { .. }, Ending::Value(y)) => self.sweep(Some(&y), means),
            (Action::Reverse { .. }, Ending::Interrupted(_)) => self.sweep(None, means),
        }
    }

    /// Sweeps back over what has been recorded; after the first reversal, which gives y, from its cotangent.
    fn sweep(&mut self, y: Option<&Value>, means: &mut Means<'_, '_>) -> Result<(), Trouble> {
        let tape = std::mem::take(means.levels.newest_tape());
        if tape.is_full() {
            return Err(tape_is_full());
        }
        let (level, operator) = (self.level, self.operator);
        let (carried, cotangent) = (&mut self.carried, &self.cotangent);
        let (levels, mut surroundings) = means.differentiation();
        levels.without_newest(|levels| {
            if let Some(y) = y {
                seed(levels, level, carried, y, cotangent, Companion::Cotangent(operator), &mut surroundings)?;
            }
            tape.sweep(levels, carried, surroundings.watch)
        })
    }

    fn total(&self) -> u64 {
        match &self.measured {
            Some((_, steps)) => *steps,
            None => internal_bug!("there is no schedule before the steps are known"),
        }
    }

    /// All is reversed.
    fn end(self, means: &mut Means<'_, '_>) -> Result<Left<S>, Trouble> {
        means.effects.end();
        let (levels, mut surroundings) = means.differentiation();
        levels.end_reverse();
        let cotangent = gather(&self.carried, &self.x, &mut surroundings)?;
        let Some((y, steps)) = self.measured else { internal_bug!("the steps are known at the end") };
        means.effects.observe(Event::Ended { steps });
        Ok(Left::Value(Value::pair(y, cotangent)))
    }
}
