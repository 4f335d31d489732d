//! The relations of arrays, the stacks of records, and the actions on the tape, which statements name.

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
    /// The values that recursive calls, as loops, keep for what follows them ([`super::passes::recursion`]).
    Calls,
    /// The records of [`Stack::Sweeps`] that are still to be read again, which stay where they are: a push, of no values,
    /// begins with all that are there, and a pop reads the uppermost one that has not been read.
    Again,
}

/// An action on the tape, or on an accumulator in memory. On the tape nodes have numbers from 1 on; 0 is the number of a
/// value that is no node. The reference of such a value is an absent cell.
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
    /// Adds the second operand to the accumulator that the first one refers to, if it refers to one.
    Add,
    /// Returns the accumulator that the operand refers to.
    Sum,
}
