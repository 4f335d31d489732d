//! The effects of an evaluation with the journal of reads. No operator with a journal is within another one.

use super::Effects;
use crate::first_order::{Leaf, Tape};
use vlad_table::internal_bug;

/// Effects behind a journal.
pub struct Journal<'run> {
    effects: &'run mut dyn Effects,
    /// What has been read since the journal was begun.
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
    pub fn act(&mut self, action: Tape, operand: f64) -> Option<f64> {
        match action {
            Tape::Reads => return Some(self.at as f64),
            Tape::ReadAgain => (self.at, self.replays) = (operand as usize, true),
            _ => {
                self.reads.clear();
                (self.at, self.replays) = (0, false);
            }
        }
        None
    }
}
