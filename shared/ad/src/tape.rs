//! The tape of a reverse level: the tape nodes of its operations in order of execution.
//!
//! Rule 5a: the nodes of the positions of the independent operand come first, followed by one node for each execution
//! of an operation with an operand of the level. Nodes are numbered from 0, and a real of the level carries the number
//! of its node. The *record* of an operation holds the nodes of its operands and, of the operands and the result, only
//! those values that the coefficients of its active operands read.
//!
//! A level can also only *count* its nodes, and record from some number on later, when the same operations are executed
//! again: `checkpoint-*j` does so, interval by interval from the last to the first. Nodes from before the interval are
//! *outside* of it. Their accumulators are carried from one sweep to the next (`sweep::CarriedAccumulators`), so every
//! sum has the terms, and the order, of a single sweep over everything. While an operator inside executes a part again,
//! the enclosing levels *replay*: they assign the numbers of the first execution and record nothing.

use std::collections::HashMap;
use std::mem;
use vlad_table::Operation;
use vlad_values::Number;

/// The absent operand: one that is not of the level.
pub(crate) const NONE: u32 = u32::MAX;

/// The record of one operation: 12 bytes. Its operands are indices of accumulators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) operation: Operation,
    pub(crate) first: u32,
    pub(crate) second: u32,
}

/// The mode of a tape: it records its nodes or only counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Recording,
    Counting,
}

/// The tape of a reverse level.
#[derive(Debug, Default)]
pub struct Tape {
    mode: Mode,
    /// True while operations of an earlier execution are executed again; they are numbered and not recorded.
    replaying: bool,
    /// True if reverse sweeps over the tape are logged ([`crate::log`]).
    pub(crate) is_logged: bool,
    /// The number of the next tape node.
    next: u64,
    /// The number of the first inside node; nodes with lower numbers are outside.
    pub(crate) inside_from: u64,
    /// The node of the first recorded operation.
    pub(crate) recorded_from: u64,
    /// The recorded operations, in order.
    pub(crate) nodes: Vec<Node>,
    /// The values that coefficients read: for each node those of first operand, second operand and result that are
    /// kept, in this order.
    pub(crate) saved: Vec<Number>,
    /// The numbers of the outside nodes to which operations refer, and the index of each among them.
    pub(crate) outside: Vec<u64>,
    outside_places: HashMap<u64, u32>,
}

/// The next node of a level, and its replaying state.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    next: u64,
    replaying: bool,
}

impl Tape {
    /// An empty tape that only counts.
    pub fn counting() -> Tape {
        Tape { mode: Mode::Counting, ..Tape::default() }
    }

    /// Numbers the node of the next position of the independent operand; called before any operation is executed.
    pub fn independent(&mut self) -> u64 {
        self.next += 1;
        self.recorded_from = self.next;
        self.next - 1
    }

    /// True if the tape has as many nodes as 32-bit indices distinguish: some 2^32, or 50 GB.
    pub fn is_full(&self) -> bool {
        self.mode == Mode::Recording && self.inside() + self.outside.len() as u64 >= u64::from(NONE)
    }

    /// The number of nodes inside.
    pub(crate) fn inside(&self) -> u64 {
        self.next - self.inside_from
    }

    /// The number of the next node.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The progress of the execution at this level.
    pub fn progress(&self) -> Progress {
        Progress { next: self.next, replaying: self.replaying }
    }

    /// Sets the progress of the execution, back to an earlier one or forward again.
    pub fn set_progress(&mut self, progress: Progress) {
        self.next = progress.next;
        self.replaying = progress.replaying;
    }

    /// Goes back to a node and replays from it: the operations that follow were executed before.
    pub fn replay_from(&mut self, node: u64) {
        self.set_progress(Progress { next: node, replaying: true });
    }

    /// Goes back to a node and counts from it.
    pub fn count_from(&mut self, node: u64) {
        *self = Tape { next: node, is_logged: self.is_logged, ..Tape::counting() };
    }

    /// Takes what is recorded.
    #[must_use]
    pub fn take(&mut self) -> Tape {
        let empty = Tape { is_logged: self.is_logged, ..Tape::default() };
        mem::replace(self, empty)
    }

    /// Goes back to a node and records from it.
    pub fn record_from(&mut self, node: u64) {
        let is_logged = self.is_logged;
        *self = Tape { next: node, inside_from: node, recorded_from: node, is_logged, ..Tape::default() };
    }

    /// Numbers an operation at the level, records it if the tape records, and returns its node. The tape must not be
    /// full.
    pub fn record(&mut self, operation: Operation, [first, second]: [Option<u64>; 2], operands: &Operands<'_>) -> u64 {
        let number = self.next;
        self.next += 1;
        if self.replaying || self.mode == Mode::Counting {
            return number;
        }
        let reads = operation.reads(first.is_some(), second.is_some());
        let (first, second) = (self.place(first), self.place(second));
        self.nodes.push(Node { operation, first, second });
        for (kept, number) in
            [(reads.first, operands.first), (reads.second, operands.second), (reads.result, operands.result)]
        {
            if kept {
                self.saved.push(number.clone());
            }
        }
        number
    }

    /// The index of a node's accumulator: inside nodes count up from 0, outside nodes down from the greatest index.
    fn place(&mut self, node: Option<u64>) -> u32 {
        let Some(node) = node else { return NONE };
        if node >= self.inside_from {
            return (node - self.inside_from) as u32;
        }
        let outside = &mut self.outside;
        let place = *self.outside_places.entry(node).or_insert_with(|| {
            outside.push(node);
            outside.len() as u32 - 1
        });
        NONE - 1 - place
    }
}

/// The values from which a coefficient is computed.
#[derive(Debug)]
pub struct Operands<'operands> {
    /// The first operand.
    pub first: &'operands Number,
    /// The second operand; equals `first` for an operation on one real.
    pub second: &'operands Number,
    /// The result.
    pub result: &'operands Number,
}
