//! Restart with replayed effects: a run that is abandoned on one engine begins again on another, invisibly from
//! outside.
//!
//! The host of a run that may be restarted keeps a *journal*, a log of effects: for the running item, and for each
//! definition before it, the numbers that were read, the number of lines that were written, and a running hash of both.
//! After a restart the numbers are supplied again, the lines are not written again, and effects beyond the journal
//! reach the world. Expressions that were evaluated and printed are not evaluated again: nothing after them depends on
//! them. Definitions are, since their values belong to the engine that made them.
//!
//! Invariants: each effect reaches the world once, in order, however often and wherever the run is restarted. An engine
//! that behaves differently from the previous one is a bug, which the hash detects at the latest when the engine goes
//! beyond the journal. After a restart steps are counted as if the run had never been restarted.

use crate::digest::Digest;
use crate::effects::as_number;
use crate::event::Event;
use crate::run::{CompletedPart, Host, InputFault, Origin};
use std::io;
use vlad_core::{Item, Program};
use vlad_table::internal_bug;
use vlad_values::Value;

/// The host of a run that may be restarted.
pub struct Restartable<'run> {
    host: &'run mut dyn Host,
    /// Returns true while the run may still be restarted; once it returns false, the journal is dropped.
    may_restart: &'run dyn Fn() -> bool,
    /// The journal; none after it was dropped.
    journal: Option<Journal>,
    done: CompletedPart,
}

/// The effects of a run that a repetition could need again.
#[derive(Default)]
struct Journal {
    /// The effects of definitions that had any, in order, and of the running item, which is the last.
    trails: Vec<ItemEffects>,
    /// The number of steps of all expressions that have been evaluated.
    steps: u64,
    /// The position in the journal, while the run repeats items that have run before.
    again: Option<TrailPosition>,
}

/// The effects of one item.
#[derive(Default)]
struct ItemEffects {
    number: usize,
    is_definition: bool,
    /// The steps of the run when the item began.
    begun: u64,
    /// The numbers read, and the answers to tests of the end of the input, as 1 and 0.
    reads: Vec<f64>,
    /// The effect that failed; it is the last one.
    failure: Option<Failure>,
    /// The number of lines written.
    written: u64,
    digest: Digest,
}

/// An effect that failed.
enum Failure {
    Read(InputFault),
    Write(io::Error),
}

/// The position of an execution in the trail of the item that is repeated.
#[derive(Default)]
struct TrailPosition {
    /// The trail; none for a definition without effects.
    trail: Option<usize>,
    reads: usize,
    written: u64,
    digest: Digest,
}

impl<'run> Restartable<'run> {
    /// The host of a run that begins. `may_restart` reports if it may still be restarted; once it returns false the
    /// journal is dropped.
    pub fn new(host: &'run mut dyn Host, may_restart: &'run dyn Fn() -> bool) -> Restartable<'run> {
        Restartable { host, may_restart, journal: Some(Journal::default()), done: CompletedPart::default() }
    }

    /// Begins the run again: the previous engine is abandoned, and the next one begins at the first item. Returns the
    /// item that was running.
    pub fn restart(&mut self) -> usize {
        let Some(journal) = &mut self.journal else {
            internal_bug!("a run is restarted as long as it may be");
        };
        self.done = match journal.trails.last() {
            Some(running) => CompletedPart { item: running.number, steps: journal.steps },
            None => CompletedPart::default(),
        };
        journal.again = Some(TrailPosition::default());
        if self.host.observes() {
            self.host.observe(Event::Restarted);
        }
        self.done.item
    }

    /// The journal, while the run may be restarted or is being repeated.
    fn journal(&mut self) -> Option<&mut Journal> {
        let is_over = self.journal.as_ref().is_some_and(|journal| journal.again.is_none()) && !(self.may_restart)();
        if is_over {
            self.journal = None;
        }
        self.journal.as_mut()
    }
}

impl Journal {
    /// Begins an item, after so many steps of the run.
    fn begin(&mut self, number: usize, item: Item, steps: u64) {
        if let Some(place) = &self.again {
            self.check_whole(place);
            let is_last = self.trails.last().is_some_and(|last| last.number == number);
            let trail = self.trails.iter().position(|trail| trail.number == number);
            if trail.is_some() || self.trails.last().is_some_and(|last| number < last.number) {
                self.again = Some(TrailPosition { trail, ..TrailPosition::default() });
                if is_last {
                    self.go_on_if_whole();
                }
                return;
            }
            internal_bug!("a run that is repeated comes to the item where it was given up");
        }
        if let Some(last) = self.trails.pop() {
            if !last.is_definition {
                self.steps += steps.saturating_sub(last.begun);
            } else if !last.is_empty() {
                self.trails.push(last);
            }
        }
        let is_definition = matches!(item, Item::Define(..));
        self.trails.push(ItemEffects { number, is_definition, begun: steps, ..ItemEffects::default() });
    }

    /// Checks that the item at a position has repeated all its effects.
    fn check_whole(&self, place: &TrailPosition) {
        let Some(trail) = place.trail.and_then(|trail| self.trails.get(trail)) else { return };
        if !place.is_at_end(trail) || place.digest.value() != trail.digest.value() {
            internal_bug!("an item that is repeated has the effects that it had");
        }
    }

    /// Ends the repetition if the item that was abandoned has been repeated completely.
    fn go_on_if_whole(&mut self) {
        let last = self.trails.len().checked_sub(1);
        let is_whole = match (&self.again, self.trails.last()) {
            (Some(place), Some(trail)) => place.trail == last && place.is_at_end(trail),
            (Some(_) | None, _) => false,
        };
        if is_whole && let Some(place) = self.again.take() {
            self.check_whole(&place);
        }
    }

    /// The answer to a read that is repeated; none if the item is not being repeated.
    fn read_again(&mut self) -> Option<Result<f64, InputFault>> {
        let place = self.again.as_mut()?;
        let Some(trail) = place.trail.and_then(|trail| self.trails.get(trail)) else { unforeseen() };
        let answer = match (trail.reads.get(place.reads), &trail.failure) {
            (Some(real), _) => {
                place.reads += 1;
                place.digest.read(*real);
                Ok(*real)
            }
            (None, Some(Failure::Read(fault))) => Err(fault.clone()),
            (None, Some(Failure::Write(_)) | None) => unforeseen(),
        };
        self.go_on_if_whole();
        Some(answer)
    }

    /// Compares a line with the journal if the item is being repeated; returns the result of writing it then.
    fn write_again(&mut self, program: &Program, value: &Value, origin: Origin) -> Option<io::Result<()>> {
        let place = self.again.as_mut()?;
        match place.trail.and_then(|trail| self.trails.get_mut(trail)) {
            Some(trail) if place.written < trail.written => {
                place.written += 1;
                place.digest.written(program, value, origin);
            }
            Some(ItemEffects { failure: failure @ Some(Failure::Write(_)), .. }) => match failure.take() {
                Some(Failure::Write(error)) => return Some(Err(error)),
                Some(Failure::Read(_)) | None => unforeseen(),
            },
            Some(_) | None => unforeseen(),
        }
        self.go_on_if_whole();
        Some(Ok(()))
    }
}

/// An error with the same kind and message.
fn same_error(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(number) => io::Error::from_raw_os_error(number),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// Ends the process, since two engines disagree about the effects of an item.
fn unforeseen() -> ! {
    internal_bug!("an item that is repeated has no effect that it did not have")
}

impl ItemEffects {
    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.failure.is_none() && self.written == 0
    }
}

impl TrailPosition {
    /// Returns true if no effects are left in the trail. A trail with a failed effect never ends, since that ends
    /// every run.
    fn is_at_end(&self, trail: &ItemEffects) -> bool {
        self.reads == trail.reads.len() && self.written == trail.written && trail.failure.is_none()
    }
}

impl Restartable<'_> {
    /// Answers a question about the input: from the journal while an item is repeated, else from the host.
    fn answer(&mut self, ask: impl FnOnce(&mut dyn Host) -> Result<f64, InputFault>) -> Result<f64, InputFault> {
        if let Some(again) = self.journal().and_then(Journal::read_again) {
            return again;
        }
        let read = ask(self.host);
        if let Some(trail) = self.journal().and_then(|journal| journal.trails.last_mut()) {
            match &read {
                Ok(real) => {
                    trail.reads.push(*real);
                    trail.digest.read(*real);
                }
                Err(failure) => trail.failure = Some(Failure::Read(failure.clone())),
            }
        }
        read
    }
}

impl Host for Restartable<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.answer(|host| host.read_real())
    }

    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        self.answer(|host| host.is_input_over().map(as_number)).map(|number| number != 0.0)
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        if let Some(again) = self.journal().and_then(|journal| journal.write_again(program, value, origin)) {
            return again;
        }
        let written = self.host.write(program, value, origin);
        let Some(trail) = self.journal().and_then(|journal| journal.trails.last_mut()) else { return written };
        match written {
            Ok(()) => {
                trail.written += 1;
                trail.digest.written(program, value, origin);
                Ok(())
            }
            Err(error) => {
                trail.failure = Some(Failure::Write(same_error(&error)));
                Err(error)
            }
        }
    }

    fn done(&self) -> CompletedPart {
        let around = self.host.done();
        CompletedPart { item: self.done.item.max(around.item), steps: self.done.steps.saturating_add(around.steps) }
    }

    fn begin_item(&mut self, number: usize, item: Item, steps: u64) {
        if let Some(journal) = self.journal() {
            journal.begin(number, item, steps);
        }
        self.host.begin_item(number, item, steps);
    }

    fn observes(&self) -> bool {
        self.host.observes()
    }

    fn observe(&mut self, event: Event) {
        self.host.observe(event);
    }
}

impl std::fmt::Debug for Restartable<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Restartable").field("done", &self.done).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
