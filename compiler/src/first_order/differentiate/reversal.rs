//! The records of reverse mode: what the sweep over a function reads besides its operands and results.

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
    /// this reads.
    Repetition,
    /// Each operation adds a node to a tape.
    Tape,
}
