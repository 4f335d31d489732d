//! Restart with replayed effects: a run that is given up on one engine begins again on another, and nobody outside sees it.
//!
//! The surroundings of a run that may be restarted keep a *journal*: for the item that runs, and for each definition before
//! it, the numbers that were read, how many lines were written, and a running digest of both. After a restart what was
//! read is supplied again, what was written is not written again, and what goes beyond the journal reaches the world.
//! Expressions that were evaluated and printed are not evaluated again: nothing after them depends on them. Definitions are,
//! since their values belong to the engine that made them.
//!
//! Invariants: each effect reaches the world once, in order, however often the run is restarted and wherever; an engine
//! that does other things than the one before it is a bug and is found by the digest, at the latest where it goes beyond
//! the journal; after a restart steps are counted as if the run had never been restarted.

use crate::core::{Item, Program};
use crate::effects::Event;
use crate::internal_bug;
use crate::print::{self, Notation};
use crate::run::{Host, InputFault, Origin};
use crate::value::Value;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The part of a run that another engine has done: an engine begins behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The item that was being evaluated. Expressions before it are not evaluated again.
    pub item: usize,
    /// The steps that those expressions took.
    pub steps: u64,
}

impl Done {
    /// Whether an item need not be evaluated.
    #[must_use]
    pub fn covers(self, number: usize, item: Item) -> bool {
        number < self.item && matches!(item, Item::Expression(_))
    }
}

/// The word that a run is to be given up. It is as old as the process may be: runs look at it from many places.
#[derive(Clone, Copy, Debug)]
pub struct Abandonment(&'static AtomicBool);

impl Abandonment {
    /// A word that is not said yet. It takes a byte for as long as the process lives.
    #[must_use]
    pub fn unsaid() -> Abandonment {
        Abandonment(Box::leak(Box::new(AtomicBool::new(false))))
    }

    /// Says it: the engine gives the run up when it looks at the clock next.
    pub fn say(self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it is said.
    #[must_use]
    pub fn is_said(self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The surroundings of a run that may be restarted.
pub struct Restartable<'run> {
    host: &'run mut dyn Host,
    /// Whether the run may still be restarted: there is no journal after it may not.
    may_restart: &'run dyn Fn() -> bool,
    /// None if there is no journal.
    journal: Option<Journal>,
    done: Done,
}

/// The effects of a run that could be asked for again.
#[derive(Default)]
struct Journal {
    /// Those of definitions that had any, in order, and of the item that runs, which is the last.
    trails: Vec<Trail>,
    /// The steps of all expressions that have been evaluated.
    steps: u64,
    /// The place in the journal, as long as what runs has run before.
    again: Option<Place>,
}

/// The effects of one item.
#[derive(Default)]
struct Trail {
    number: usize,
    is_definition: bool,
    /// The steps of the run when the item began.
    begun: u64,
    reads: Vec<f64>,
    /// A reading that failed; it is the last.
    failure: Option<InputFault>,
    /// How many lines were written.
    written: u64,
    digest: Digest,
}

/// The place of an execution in the trail of the item that runs again.
#[derive(Default)]
struct Place {
    /// The trail; none for a definition without effects.
    trail: Option<usize>,
    reads: usize,
    written: u64,
    digest: Digest,
}

/// A running hash of what was read and written.
#[derive(Clone, Default)]
struct Digest(DefaultHasher);

impl Digest {
    fn read(&mut self, real: f64) {
        self.0.write_u8(0);
        self.0.write_u64(real.to_bits());
    }

    fn written(&mut self, program: &Program, value: &Value, origin: Origin) {
        self.0.write_u8(match origin {
            Origin::Result => 1,
            Origin::Written => 2,
        });
        match value.base() {
            // The bits of a real say as much as its digits, and take no time.
            Some(real) => self.0.write_u64(real.to_bits()),
            None => {
                // A hasher takes all that it is given.
                let _ = print::write_value(&mut Hashing(&mut self.0), program, value, Notation::WithBits);
            }
        }
    }

    fn value(&self) -> u64 {
        self.0.finish()
    }
}

/// A hasher as a place to print to.
struct Hashing<'digest>(&'digest mut DefaultHasher);

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'run> Restartable<'run> {
    /// The surroundings of a run that begins. `may_restart` says whether it may still be restarted, and once it denies it
    /// the journal is dropped.
    pub fn new(host: &'run mut dyn Host, may_restart: &'run dyn Fn() -> bool) -> Restartable<'run> {
        Restartable { host, may_restart, journal: Some(Journal::default()), done: Done::default() }
    }

    /// Has the run begin again: the engine that had it is left, and what is executed next begins at the first item.
    pub fn restart(&mut self) {
        let Some(journal) = &mut self.journal else {
            internal_bug!("a run is restarted as long as it may be");
        };
        self.done = match journal.trails.last() {
            Some(running) => Done { item: running.number, steps: journal.steps },
            None => Done::default(),
        };
        journal.again = Some(Place::default());
        if self.host.observes() {
            self.host.observe(Event::Restarted);
        }
    }

    /// The journal, as long as the run may be restarted or is being repeated.
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
                self.again = Some(Place { trail, ..Place::default() });
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
        self.trails.push(Trail { number, is_definition, begun: steps, ..Trail::default() });
    }

    /// Checks that the item at a place has done again all that it did.
    fn check_whole(&self, place: &Place) {
        let Some(trail) = place.trail.and_then(|trail| self.trails.get(trail)) else { return };
        if !place.is_at_end(trail) || place.digest.value() != trail.digest.value() {
            internal_bug!("an item that is repeated has the effects that it had");
        }
    }

    /// Ends the repetition if all of the item that was given up has been repeated.
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

    /// What was read at the place, if the item is being repeated.
    fn read_again(&mut self) -> Option<Result<f64, InputFault>> {
        let place = self.again.as_mut()?;
        let Some(trail) = place.trail.and_then(|trail| self.trails.get(trail)) else { unforeseen() };
        let answer = match (trail.reads.get(place.reads), &trail.failure) {
            (Some(real), _) => {
                place.reads += 1;
                place.digest.read(*real);
                Ok(*real)
            }
            (None, Some(failure)) => Err(failure.clone()),
            (None, None) => unforeseen(),
        };
        self.go_on_if_whole();
        Some(answer)
    }

    /// Takes note of what is written, if the item is being repeated; whether it is.
    fn write_again(&mut self, program: &Program, value: &Value, origin: Origin) -> bool {
        let Some(place) = self.again.as_mut() else { return false };
        match place.trail.and_then(|trail| self.trails.get(trail)) {
            Some(trail) if place.written < trail.written => {
                place.written += 1;
                place.digest.written(program, value, origin);
            }
            Some(_) | None => unforeseen(),
        }
        self.go_on_if_whole();
        true
    }
}

/// The end of a process in which engines disagree about the effects of an item.
fn unforeseen() -> ! {
    internal_bug!("an item that is repeated has no effect that it did not have")
}

impl Trail {
    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.failure.is_none() && self.written == 0
    }
}

impl Place {
    /// Whether nothing is left of the trail but a reading that failed, which is the end of any run.
    fn is_at_end(&self, trail: &Trail) -> bool {
        self.reads == trail.reads.len() && self.written == trail.written && trail.failure.is_none()
    }
}

impl Host for Restartable<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        if let Some(again) = self.journal().and_then(Journal::read_again) {
            return again;
        }
        let read = self.host.read_real();
        if let Some(trail) = self.journal().and_then(|journal| journal.trails.last_mut()) {
            match &read {
                Ok(real) => {
                    trail.reads.push(*real);
                    trail.digest.read(*real);
                }
                Err(failure) => trail.failure = Some(failure.clone()),
            }
        }
        read
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        if self.journal().is_some_and(|journal| journal.write_again(program, value, origin)) {
            return Ok(());
        }
        self.host.write(program, value, origin)?;
        if let Some(trail) = self.journal().and_then(|journal| journal.trails.last_mut()) {
            trail.written += 1;
            trail.digest.written(program, value, origin);
        }
        Ok(())
    }

    fn done(&self) -> Done {
        self.done
    }

    fn begin_item(&mut self, number: usize, item: Item, steps: u64) {
        if let Some(journal) = self.journal() {
            journal.begin(number, item, steps);
        }
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
