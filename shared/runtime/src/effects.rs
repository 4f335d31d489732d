//! The log of effects for re-execution: each effect is performed once, in order, however often its step is executed
//! (report, part 15).
//!
//! An operator that executes parts of its procedure again keeps a *journal* of the numbers that its first execution has
//! read. During re-execution, reads are answered from the journal by their position, and nothing is written. Operators
//! nest: the first execution of an operator within the re-execution of another reads from the other's journal.

use crate::event::Event;
use crate::run::{CompletedPart, Host, InputFault, Origin};
use std::io;
use vlad_core::{Item, Program};
use vlad_table::internal_bug;
use vlad_values::Value;

/// The numbers that one operator has read, and the answers to tests of the end of the input, as 1 and 0.
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
}

impl<'run> Effects<'run> {
    /// Wraps a host, with no operator in progress.
    pub fn new(host: &'run mut dyn Host) -> Effects<'run> {
        Effects { host, journals: Vec::new() }
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

impl Effects<'_> {
    /// Answers a question about the input: from the journals during a re-execution, else from the host.
    fn answer(&mut self, ask: impl FnOnce(&mut dyn Host) -> Result<f64, InputFault>) -> Result<f64, InputFault> {
        let innermost = self.journals.iter().rposition(|journal| journal.replaying);
        let replayed = innermost.and_then(|place| self.journals.get_mut(place)).map(|journal| {
            journal.at += 1;
            (journal.reads.get(journal.at - 1).copied(), journal.origin)
        });
        let real = match replayed {
            Some((Some(real), _)) => real,
            Some((None, ReadOrigin::Before)) => return Err(InputFault::NotNoted),
            Some((None, ReadOrigin::Here)) => internal_bug!("what is executed again reads what it read"),
            None => ask(self.host)?,
        };
        for journal in self.journals.iter_mut().skip(innermost.map_or(0, |place| place + 1)) {
            journal.reads.push(real);
            journal.at += 1;
        }
        Ok(real)
    }
}

/// A test as a number in a journal.
pub(crate) fn as_number(test: bool) -> f64 {
    if test { 1.0 } else { 0.0 }
}

impl Host for Effects<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.answer(|host| host.read_real())
    }

    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        self.answer(|host| host.is_input_over().map(as_number)).map(|number| number != 0.0)
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        if self.journals.iter().any(|journal| journal.replaying) {
            return Ok(());
        }
        self.host.write(program, value, origin)
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
    use vlad_values::print::Layout;

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
        effects.write(&Program::default(), &Value::Nil, Origin::Written(Layout::Datum)).unwrap();
        effects.settle();
        effects.end();
        assert_eq!(read(&mut effects), 5.0);
    }
}
