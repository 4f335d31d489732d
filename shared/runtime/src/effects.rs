//! The log of effects for re-execution: each effect is performed once, in order, however often its step is executed
//! (report, part 15).
//!
//! An operator that executes parts of its procedure again keeps a *journal* of the numbers that its first execution has
//! read. During re-execution, reads are answered from the journal by their position, and nothing is written. Operators
//! nest: the first execution of an operator within the re-execution of another reads from the other's journal.
//!
//! Below all journals there may be an [`Attempt`], for an item that is evaluated again as a whole.

use crate::attempt::Attempt;
use crate::event::Event;
use crate::run::{CompletedPart, Host, InputFault, Origin};
use std::io;
use vlad_core::{Item, Program};
use vlad_table::internal_bug;
use vlad_values::Value;

/// The numbers that one operator has read.
#[derive(Debug, Default)]
struct Journal {
    reads: Vec<f64>,
    /// The number of them that the execution has consumed.
    at: usize,
    replaying: bool,
    /// The journal in which they were recorded.
    origin: ReadOrigin,
}

/// The origin of the numbers in a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ReadOrigin {
    /// This journal, during the first execution.
    #[default]
    Here,
    /// A journal of an application that has ended, perhaps in another run; then the numbers come from a file, which may
    /// be forged.
    Before,
}

/// A host behind a stack of journals.
pub struct Effects<'run> {
    host: &'run mut dyn Host,
    /// The journals of the operators in progress, outermost first.
    journals: Vec<Journal>,
    /// The effects of the running item, if it may be evaluated again or is.
    attempt: Option<Attempt>,
}

/// The way in which an attempt ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The item has a value.
    Value,
    /// The item has stopped at a fault.
    Fault,
}

impl<'run> Effects<'run> {
    /// Wraps a host, with no operator in progress.
    pub fn new(host: &'run mut dyn Host) -> Effects<'run> {
        Effects { host, journals: Vec::new(), attempt: None }
    }

    /// Begins an item that may have to be evaluated again.
    pub fn begin_attempt(&mut self) {
        self.attempt = Some(Attempt::default());
    }

    /// Begins the item again: effects that it has had do not reach the host a second time.
    pub fn restart_attempt(&mut self) {
        self.journals.clear();
        match &mut self.attempt {
            Some(attempt) => attempt.restart(),
            None => internal_bug!("an item that is evaluated again was begun"),
        }
    }

    /// Ends the item.
    pub fn end_attempt(&mut self, end: AttemptEnd) {
        if let Some(attempt) = self.attempt.take()
            && end == AttemptEnd::Value
        {
            attempt.check_whole();
        }
    }

    /// Begins a journal for an operator.
    pub fn begin(&mut self) {
        self.journals.push(Journal::default());
    }

    /// Ends the newest journal, and returns the numbers that it recorded.
    pub fn end(&mut self) -> Vec<f64> {
        self.journals.pop().unwrap_or_default().reads
    }

    /// Begins a journal that answers with numbers read before, and with [`InputFault::NotNoted`] after the last of
    /// them. [`Effects::end`] ends it.
    pub fn replay(&mut self, reads: &[f64]) {
        let reads = reads.to_vec();
        self.journals.push(Journal { reads, at: 0, replaying: true, origin: ReadOrigin::Before });
    }

    /// The position of the execution in the newest journal.
    pub fn mark(&self) -> usize {
        self.journals.last().map_or(0, |journal| journal.at)
    }

    /// Goes back to a position in the newest journal: the steps that follow are a re-execution.
    pub fn rewind(&mut self, mark: usize) {
        let journal = self.newest();
        journal.at = mark;
        journal.replaying = true;
    }

    /// Ends a re-execution of the newest operator.
    pub fn settle(&mut self) {
        let journal = self.newest();
        journal.at = journal.reads.len();
        journal.replaying = false;
    }

    fn newest(&mut self) -> &mut Journal {
        match self.journals.last_mut() {
            Some(journal) => journal,
            None => internal_bug!("an operator that executes again has a journal"),
        }
    }
}

impl Host for Effects<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        let innermost = self.journals.iter().rposition(|journal| journal.replaying);
        let replayed = innermost.and_then(|place| self.journals.get_mut(place)).map(|journal| {
            journal.at += 1;
            (journal.reads.get(journal.at - 1).copied(), journal.origin)
        });
        let real = match replayed {
            Some((Some(real), _)) => real,
            Some((None, ReadOrigin::Before)) => return Err(InputFault::NotNoted),
            Some((None, ReadOrigin::Here)) => internal_bug!("what is executed again reads what it read"),
            None => match &mut self.attempt {
                Some(attempt) => attempt.read(self.host)?,
                None => self.host.read_real()?,
            },
        };
        for journal in self.journals.iter_mut().skip(innermost.map_or(0, |place| place + 1)) {
            journal.reads.push(real);
            journal.at += 1;
        }
        Ok(real)
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        if self.journals.iter().any(|journal| journal.replaying) {
            return Ok(());
        }
        match &mut self.attempt {
            Some(attempt) => attempt.write(self.host, program, value, origin),
            None => self.host.write(program, value, origin),
        }
    }

    fn done(&self) -> CompletedPart {
        self.host.done()
    }

    fn begin_item(&mut self, number: usize, item: Item, steps: u64) {
        self.host.begin_item(number, item, steps);
    }

    fn observes(&self) -> bool {
        self.host.observes()
    }

    fn observe(&mut self, event: Event) {
        self.host.observe(event);
    }
}

impl std::fmt::Debug for Effects<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Effects").field("journals", &self.journals).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host that reads 1, 2, 3, ...
    struct Counting(f64);

    impl Host for Counting {
        fn read_real(&mut self) -> Result<f64, InputFault> {
            self.0 += 1.0;
            Ok(self.0)
        }

        fn write(&mut self, _: &Program, _: &Value, _: Origin) -> io::Result<()> {
            self.0 += 100.0;
            Ok(())
        }
    }

    #[test]
    fn an_inner_first_execution_asks_the_outer_journal() {
        let mut host = Counting(0.0);
        let mut effects = Effects::new(&mut host);
        let read = |effects: &mut Effects<'_>| effects.read_real().unwrap();
        effects.begin();
        assert_eq!(read(&mut effects), 1.0);
        let outer = effects.mark();
        effects.begin();
        assert_eq!((read(&mut effects), read(&mut effects)), (2.0, 3.0));
        effects.rewind(1);
        assert_eq!(read(&mut effects), 3.0);
        effects.settle();
        effects.end();
        assert_eq!(read(&mut effects), 4.0);
        // The outer operator executes everything except the first read again.
        effects.rewind(outer);
        effects.begin();
        assert_eq!((read(&mut effects), read(&mut effects)), (2.0, 3.0));
        effects.rewind(0);
        assert_eq!((read(&mut effects), read(&mut effects)), (2.0, 3.0));
        effects.settle();
        effects.end();
        assert_eq!(read(&mut effects), 4.0);
        effects.write(&Program::default(), &Value::Nil, Origin::Written).unwrap();
        effects.settle();
        effects.end();
        assert_eq!(read(&mut effects), 5.0);
    }
    /// A host with the numbers 1 to 3, on whose output the first two writes succeed.
    #[derive(Default)]
    struct Limited {
        read: f64,
        written: Vec<f64>,
    }

    impl Host for Limited {
        fn read_real(&mut self) -> Result<f64, InputFault> {
            self.read += 1.0;
            if self.read > 3.0 { Err(InputFault::End) } else { Ok(self.read) }
        }

        fn write(&mut self, _: &Program, value: &Value, _: Origin) -> io::Result<()> {
            if self.written.len() == 2 {
                return Err(io::Error::other("full"));
            }
            if let Value::Real(real) = value {
                self.written.push(*real);
            }
            Ok(())
        }
    }

    /// Reads and writes as the letters say; returns the faults.
    fn act(effects: &mut Effects<'_>, letters: &str) -> Vec<String> {
        let act = |letter| match letter {
            'r' => effects.read_real().map_err(|fault| format!("{fault:?}")).err(),
            _ => {
                let written = effects.write(&Program::default(), &Value::Real(7.0), Origin::Written);
                written.map_err(|error| error.to_string()).err()
            }
        };
        letters.chars().filter_map(act).collect()
    }

    #[test]
    fn an_item_that_is_evaluated_again_has_each_effect_once() {
        for (before, all, faults) in [
            ("", "rwr", [""; 0].as_slice()),
            ("rw", "rwrwr", &[]),
            ("rrrr", "rrrr", &["End"]),
            ("www", "www", &["full"]),
        ] {
            let mut host = Limited::default();
            let mut effects = Effects::new(&mut host);
            effects.begin_attempt();
            act(&mut effects, before);
            effects.restart_attempt();
            assert_eq!(act(&mut effects, all), faults, "{all}");
            let end = if faults.is_empty() { AttemptEnd::Value } else { AttemptEnd::Fault };
            effects.end_attempt(end);
            let reads = all.matches('r').count();
            assert_eq!((host.read as usize, host.written.len()), (reads, all.matches('w').count().min(2)), "{all}");
        }
    }

    #[test]
    fn other_effects_are_found() {
        for (before, all) in [("r", ""), ("w", ""), ("rw", "wr"), ("ww", "w"), ("rr", "rw"), ("w", "r")] {
            let mut host = Limited::default();
            let mut effects = Effects::new(&mut host);
            effects.begin_attempt();
            act(&mut effects, before);
            effects.restart_attempt();
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                act(&mut effects, all);
                effects.end_attempt(AttemptEnd::Value);
            }));
            assert!(found.is_err(), "{before} {all}");
        }
    }
}
