//! The effects of an evaluation, and the journal of reads. No operator with a journal is within another one.

use crate::{JournalAction, Leaf};
use vlad_table::internal_bug;

/// The effects of a unit.
pub trait Effects {
    /// Reads the next number; none if there is none.
    fn read(&mut self) -> Option<f64>;

    /// Writes the primals of a value, given the number of its shape and its leaves.
    fn write(&mut self, template: u32, leaves: &[Leaf]);
}

/// Effects on given numbers and a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The numbers that are still to be read, the next one last.
    pub input: Vec<f64>,
    /// The values that have been written.
    pub output: Vec<(u32, Vec<Leaf>)>,
}

impl Effects for Script {
    fn read(&mut self) -> Option<f64> {
        self.input.pop()
    }

    fn write(&mut self, template: u32, leaves: &[Leaf]) {
        self.output.push((template, leaves.to_vec()));
    }
}

/// Effects behind a journal.
pub struct Journal<'run> {
    effects: &'run mut dyn Effects,
    /// The numbers that have been read since the journal was begun.
    reads: Vec<f64>,
    /// The number of reads of the execution so far.
    at: usize,
    replays: bool,
}

impl<'run> Journal<'run> {
    pub fn new(effects: &'run mut dyn Effects) -> Journal<'run> {
        Journal { effects, reads: Vec::new(), at: 0, replays: false }
    }

    pub fn read(&mut self) -> Option<f64> {
        if !self.replays {
            self.reads.push(self.effects.read()?);
        }
        self.at += 1;
        match self.reads.get(self.at - 1) {
            Some(read) => Some(*read),
            None => internal_bug!("what is executed again reads what it read"),
        }
    }

    pub fn write(&mut self, template: u32, leaves: &[Leaf]) {
        if !self.replays {
            self.effects.write(template, leaves);
        }
    }

    /// Executes an action on the journal, and returns its result.
    pub fn act(&mut self, action: JournalAction, operand: f64) -> Option<f64> {
        match action {
            JournalAction::Reads => return Some(self.at as f64),
            JournalAction::ReadAgain => (self.at, self.replays) = (operand as usize, true),
            JournalAction::Begin | JournalAction::End => {
                self.reads.clear();
                (self.at, self.replays) = (0, false);
            }
        }
        None
    }
}
