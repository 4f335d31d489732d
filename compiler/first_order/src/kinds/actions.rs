//! The words of some statements: relations of arrays, stacks of records, and the actions of a reverse level on its tape, on
//! accumulators in memory, on the memory itself, and on the journal of reads.

use crate::{Operand, Statement, Variable};

/// A relation of two arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They have the same length, and so do the arrays in them at the same indices.
    SameLengths,
    /// They have the same lengths, and equal scalars, reals being compared by their primals (`equal?`).
    SameElements,
}

/// A stack of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// The values that reverse sweeps read.
    Sweeps,
    /// The values that recursive calls, as loops, keep for what follows them
    /// ([`crate::passes::shape::recursion`]).
    Calls,
}

/// An action on what a reverse level keeps outside of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// On the tape of a level whose nodes are told apart at run time (`first_order::differentiate::tape`).
    Tape(TapeAction),
    /// On accumulators in memory, to which cells refer (`first_order::differentiate::reverse`).
    Accumulator(AccumulatorAction),
    /// On the memory of arrays and cells.
    Memory(MemoryAction),
    /// On the journal of reads, from which code that is executed again reads.
    Journal(JournalAction),
}

/// An action on the tape. Nodes have numbers from 1 on; 0 is the number of a value that is no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapeAction {
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
}

/// An action on accumulators in memory. A reference to one is a cell; the reference of a value that is no node is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccumulatorAction {
    /// Makes an accumulator, which is +0; the target refers to it.
    Allocate,
    /// Returns a reference to an element of an array of accumulators: the first operand, at the valid index that the
    /// second one is.
    Refer,
    /// Adds the second operand to the accumulator that the first one refers to, if it refers to one.
    Add,
    /// Returns the accumulator that the operand refers to.
    Sum,
    /// Copies the sums of accumulators: from those reachable from the first operand, a cell, to those reachable from the second
    /// one. Both have the same shape: code that was executed again has made the second, with accumulators of its own.
    HandOver,
}

/// An action on the memory of arrays and cells, which is a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryAction {
    /// Returns the place behind all that has been allocated.
    Mark,
    /// Frees what has been allocated since a mark.
    Release,
    /// Frees what has been allocated since a mark, the first operand, but for what can be reached from the other ones, which are
    /// cells. They may move: the targets are the cells afterwards.
    Keep,
    /// Returns the bytes of records and of what has been allocated. They are not observed: they decide about memory
    /// alone.
    Size,
}

/// An action on the journal of reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalAction {
    /// Begins a journal: from now on the numbers that are read are kept.
    Begin,
    /// Returns how many numbers have been read since, those that were read again included.
    Reads,
    /// Goes back to where so many had been read: the same numbers are read from there, and nothing is written.
    ReadAgain,
    /// Ends the journal, and all reading again.
    End,
}

names!(Relation: SameLengths "same-lengths", SameElements "same-elements");
names!(Stack: Sweeps "sweeps", Calls "calls");
names! {
    TapeAction:
    Begin "tape-begin",
    Independent "tape-independent",
    Node "tape-node",
    Seed "tape-seed",
    Sweep "tape-sweep",
    Accumulator "tape-accumulator",
}
names! {
    AccumulatorAction:
    Allocate "accumulator-allocate",
    Refer "accumulator-refer",
    Add "accumulator-add",
    Sum "accumulator-sum",
    HandOver "accumulator-hand-over",
}
names!(MemoryAction: Mark "memory-mark", Release "memory-release", Keep "memory-keep", Size "memory-size");
names! {
    JournalAction:
    Begin "journal-begin",
    Reads "journal-reads",
    ReadAgain "journal-read-again",
    End "journal-end",
}

impl Action {
    /// The name, for readers.
    pub fn name(self) -> &'static str {
        match self {
            Action::Tape(action) => action.name(),
            Action::Accumulator(action) => action.name(),
            Action::Memory(action) => action.name(),
            Action::Journal(action) => action.name(),
        }
    }

    /// The action of a name.
    pub fn named(name: &str) -> Option<Action> {
        let tape = TapeAction::ALL.iter().map(|action| Action::from(*action));
        let accumulators = AccumulatorAction::ALL.iter().map(|action| Action::from(*action));
        let memory = MemoryAction::ALL.iter().map(|action| Action::from(*action));
        let journal = JournalAction::ALL.iter().map(|action| Action::from(*action));
        tape.chain(accumulators).chain(memory).chain(journal).find(|action| action.name() == name)
    }
}

impl From<TapeAction> for Action {
    fn from(action: TapeAction) -> Action {
        Action::Tape(action)
    }
}

impl From<AccumulatorAction> for Action {
    fn from(action: AccumulatorAction) -> Action {
        Action::Accumulator(action)
    }
}

impl From<MemoryAction> for Action {
    fn from(action: MemoryAction) -> Action {
        Action::Memory(action)
    }
}

impl From<JournalAction> for Action {
    fn from(action: JournalAction) -> Action {
        Action::Journal(action)
    }
}

impl Statement {
    /// The statement that executes an action.
    pub fn action(targets: Vec<Variable>, action: impl Into<Action>, operands: Vec<Operand>) -> Statement {
        Statement::Act { targets, action: action.into(), operands }
    }
}
