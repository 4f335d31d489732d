//! The records of functions that are called in reverse mode, for reports: the values that a sweep reads besides operands
//! and results.

use crate::Recording;

/// A function that is called in reverse mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversal {
    /// Its name in the program.
    pub function: String,
    /// Its record.
    pub record: Record,
}

/// The record of a function that is called in reverse mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Each turn of a loop, and each call of a recursion, pushes the values that coefficients read.
    Values,
    /// The sweep executes turns of loops, and the making of elements, again. Pushed are the values of a loop's state that
    /// this reads, and the results of operations that take long to compute again.
    Repetition,
    /// Each operation adds a node to a tape.
    Tape,
    /// States of loops, from which turns are executed again and recorded (`checkpoint-*j`).
    States,
}

impl Record {
    /// The record for a recording: `otherwise` if everything is recorded.
    pub(super) fn of(recording: Recording, otherwise: Record) -> Record {
        match recording {
            Recording::Everything => otherwise,
            Recording::Checkpoints(_) => Record::States,
        }
    }
}
