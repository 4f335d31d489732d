//! The relations of arrays, the stacks of records, and the actions on what a reverse level keeps in memory, which statements name:
//! on its tape, on accumulators, on the memory of cells, and on the journal of reads.

/// A relation of two arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They have one length, and so do the arrays in them at the same indices.
    SameLengths,
    /// They have the same lengths, and equal scalars, reals being compared by their primals (`equal?`).
    SameElements,
}

/// A stack of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// The values that reverse sweeps read.
    Sweeps,
    /// The values that recursive calls, as loops, keep for what follows them ([`crate::first_order::passes::shape::recursion`]).
    Calls,
    /// The records of [`Stack::Sweeps`] that are still to be read again, which stay where they are: a push, of no values,
    /// begins with all that are there, and a pop reads the uppermost one that has not been read.
    Again,
}

/// An action on the tape, on accumulators in memory, on the memory of cells, or on the journal of reads. On the tape nodes
/// have numbers from 1 on; 0 is the number of a value that is no node. The reference of such a value is an absent cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tape {
    /// Empties the tape.
    Begin,
    /// Adds a node of the independent variables; the target is its number.
    Independent,
    /// Adds a node, unless no operand is one: its operands are the number and the coefficient of each of one or two
    /// operands. The target is its number.
    Node,
    /// Adds the second operand to the accumulator of the node whose number is the first.
    Seed,
    /// Sweeps over all nodes, from the last to the first.
    Sweep,
    /// Returns the accumulator of a node.
    Accumulator,
    /// Makes an accumulator in memory, which is +0; the target refers to it.
    Allocate,
    /// Returns a reference to the accumulator at a valid index of an array of accumulators: the second operand, and the first.
    Refer,
    /// Adds the second operand to the accumulator that the first one refers to, if it refers to one.
    Add,
    /// Returns the accumulator that the operand refers to.
    Sum,
    /// Gives the accumulators that the second operand leads to the values of those that the first one leads to. The two have the
    /// same parts, which differ in the accumulators alone: the second is what the first was, executed again.
    HandOver,
    /// Returns the place in memory behind all that has been allocated.
    Mark,
    /// Frees what has been allocated since a mark.
    Release,
    /// Frees what has been allocated since a mark, the first operand, but for what the other ones lead to, which are cells. The
    /// targets take their place.
    Keep,
    /// Begins a journal: from now on what is read is kept.
    BeginReads,
    /// Returns how many numbers have been read since, those that were read again included.
    Reads,
    /// Goes back in the journal to where so many had been read: what is read is what was read then, and nothing is written.
    ReadAgain,
    /// Ends the journal, and all reading again.
    EndReads,
    /// Returns the bytes of records and of what has been allocated. They are not observed: they decide about memory alone.
    Size,
}
