//! The tape of a reverse level: the nodes of its operations in order of execution, and the sweep back over them.
//!
//! Rule 5a: the nodes of the positions of the independent operand come first; then one for each execution of an operation
//! with an operand of the level. Nodes are numbered from 0, and a real of the level carries the number of its node. What
//! is *recorded* keeps the nodes of its operands and, of the operands and the result, only what the coefficients of those
//! operands read.
//!
//! A level can also only *count* its nodes, and record from some number on later, when the same operations are executed
//! again: `checkpoint-*j` does so, interval by interval from the last to the first. Nodes from before the interval are
//! *outside* of it; their accumulators are carried from one sweep to the next ([`Carried`]), so that every sum has the
//! terms, and the order, that one sweep over everything gives it. While an operator inside executes anything again, the
//! levels around it *replay*: they hand out the numbers of the first execution and record nothing.

use super::arithmetic::{Levels, Operands, coefficient};
use crate::internal_bug;
use crate::run::{Trouble, Watch};
use crate::table::Operation;
use crate::value::Number;
use std::collections::{BTreeMap, HashMap};
use std::mem;

/// Marks an operand that is not of the level.
const NONE: u32 = u32::MAX;

/// Stands for what no coefficient reads.
const UNREAD: Number = Number::Real(0.0);

/// The record of one operation: 12 bytes. Its operands are places of accumulators.
#[derive(Clone, Copy, Debug)]
struct Node {
    operation: Operation,
    first: u32,
    second: u32,
}

/// Whether nodes are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Recording,
    Counting,
}

/// The record of a reverse level.
#[derive(Debug, Default)]
pub struct Tape {
    mode: Mode,
    /// Whether nodes are those of an execution before.
    replaying: bool,
    /// The number of the next node.
    next: u64,
    /// Nodes below that number are outside.
    inside_from: u64,
    /// The number of the first operation that is recorded.
    recorded_from: u64,
    /// The operations, in order.
    nodes: Vec<Node>,
    /// What coefficients read: for each node, of first operand, second operand, result those that are kept, in order.
    saved: Vec<Number>,
    /// The numbers of the nodes outside that operations refer to, and the place of each among them.
    outside: Vec<u64>,
    outside_places: HashMap<u64, u32>,
}

/// What a level hands out next, and whether it replays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    next: u64,
    replaying: bool,
}

impl Tape {
    /// A tape that counts.
    pub(super) fn counting() -> Tape {
        Tape { mode: Mode::Counting, ..Tape::default() }
    }

    /// Makes the node of the next position of the independent operand; before any operation is executed.
    pub(super) fn independent(&mut self) -> u64 {
        self.next += 1;
        self.recorded_from = self.next;
        self.next - 1
    }

    /// Whether there are as many nodes as can be told apart: some 2^32, or 50 GB.
    pub(super) fn is_full(&self) -> bool {
        self.mode == Mode::Recording && self.inside() + self.outside.len() as u64 >= u64::from(NONE)
    }

    /// How many nodes are inside.
    fn inside(&self) -> u64 {
        self.next - self.inside_from
    }

    /// The number of the next node.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Where the execution stands.
    pub(super) fn progress(&self) -> Progress {
        Progress { next: self.next, replaying: self.replaying }
    }

    /// Goes back to where the execution stood, or forward again.
    pub(super) fn set_progress(&mut self, progress: Progress) {
        self.next = progress.next;
        self.replaying = progress.replaying;
    }

    /// Goes back to a node: what comes was executed before.
    pub(super) fn replay_from(&mut self, node: u64) {
        self.set_progress(Progress { next: node, replaying: true });
    }

    /// Goes back to a node, and counts from there.
    pub(super) fn count_from(&mut self, node: u64) {
        *self = Tape { next: node, ..Tape::counting() };
    }

    /// Goes back to a node, and records from there.
    pub(super) fn record_from(&mut self, node: u64) {
        *self = Tape { next: node, inside_from: node, recorded_from: node, ..Tape::default() };
    }

    /// Executes an operation at the level, and gives its node. The tape must not be full.
    pub(super) fn record(
        &mut self,
        operation: Operation,
        [first, second]: [Option<u64>; 2],
        operands: &Operands<'_>,
    ) -> u64 {
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

    /// The place of a node's accumulator: of nodes inside from 0 up, of those outside from the greatest down.
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

    /// Sweeps back over the nodes that are recorded: from the accumulators of what comes after them to those of what came
    /// before. What was recorded is given back on the way.
    pub(super) fn sweep(
        mut self,
        levels: &mut Levels,
        carried: &mut Carried,
        watch: &mut Watch,
    ) -> Result<(), Trouble> {
        let records = Consumed { nodes: mem::take(&mut self.nodes), saved: mem::take(&mut self.saved) };
        self.sweep_over(records, levels, carried, watch)
    }

    /// The same for a tape that is kept, and swept over again.
    pub(super) fn sweep_kept(
        &self,
        levels: &mut Levels,
        carried: &mut Carried,
        watch: &mut Watch,
    ) -> Result<(), Trouble> {
        self.sweep_over(Kept { nodes: &self.nodes, saved: &self.saved }, levels, carried, watch)
    }

    /// The sweep is itself a sequence of operations at the levels that enclose this one. An accumulator that is a plain
    /// zero is passed over: all that it would contribute is zero at every level.
    fn sweep_over(
        &self,
        mut records: impl Records,
        levels: &mut Levels,
        carried: &mut Carried,
        watch: &mut Watch,
    ) -> Result<(), Trouble> {
        let mut accumulators = carried.take_over(self);
        while let Some((node, before)) = records.next() {
            watch.work()?;
            levels.check()?;
            let reads = node.operation.reads(node.first != NONE, node.second != NONE);
            let result = if reads.result { records.restore() } else { UNREAD };
            let second = if reads.second { records.restore() } else { UNREAD };
            let first = if reads.first { records.restore() } else { UNREAD };
            let number = self.recorded_from - self.inside_from + before as u64;
            let cotangent = accumulators.take(number as usize);
            if matches!(cotangent, Number::Real(0.0)) {
                continue;
            }
            let operands = Operands { first: &first, second: &second, result: &result };
            if node.first != NONE {
                let contribution = levels.product(coefficient(node.operation, 0), &operands, &cotangent);
                accumulators.add(levels, node.first, &contribution);
            }
            if node.second != NONE {
                let contribution = levels.product(coefficient(node.operation, 1), &operands, &cotangent);
                accumulators.add(levels, node.second, &contribution);
            }
        }
        levels.check()?;
        carried.give_back(self, accumulators);
        Ok(())
    }
}

/// What was recorded, from the last to the first.
trait Records {
    /// The next operation, and how many were recorded before it.
    fn next(&mut self) -> Option<(Node, usize)>;

    /// What was saved last.
    fn restore(&mut self) -> Number;
}

/// Records that are given back as they are read.
struct Consumed {
    nodes: Vec<Node>,
    saved: Vec<Number>,
}

impl Records for Consumed {
    fn next(&mut self) -> Option<(Node, usize)> {
        self.nodes.pop().map(|node| (node, self.nodes.len()))
    }

    fn restore(&mut self) -> Number {
        saved(self.saved.pop())
    }
}

/// Records that stay.
struct Kept<'tape> {
    nodes: &'tape [Node],
    saved: &'tape [Number],
}

impl Records for Kept<'_> {
    fn next(&mut self) -> Option<(Node, usize)> {
        let (node, before) = self.nodes.split_last()?;
        self.nodes = before;
        Some((*node, before.len()))
    }

    fn restore(&mut self) -> Number {
        let last = self.saved.split_last();
        if let Some((_, before)) = last {
            self.saved = before;
        }
        saved(last.map(|(number, _)| number.clone()))
    }
}

fn saved(number: Option<Number>) -> Number {
    match number {
        Some(number) => number,
        None => internal_bug!("a tape saves what its nodes read"),
    }
}

/// The accumulators of nodes over which no sweep has come yet; those that are absent are at +0.
#[derive(Debug, Default)]
pub(super) struct Carried {
    of: BTreeMap<u64, Number>,
}

impl Carried {
    /// Adds a contribution to a node's accumulator.
    pub(super) fn add(&mut self, levels: &mut Levels, node: u64, contribution: &Number) {
        let accumulator = self.of.entry(node).or_insert(Number::Real(0.0));
        *accumulator = levels.binary(Operation::Add, accumulator, contribution);
    }

    /// What has been accumulated for a node.
    pub(super) fn of(&self, node: u64) -> Number {
        self.of.get(&node).cloned().unwrap_or(Number::Real(0.0))
    }

    /// The accumulators that a sweep over a tape begins with.
    fn take_over(&mut self, tape: &Tape) -> Accumulators {
        let mut inside = vec![Number::Real(0.0); tape.inside() as usize];
        for (node, number) in self.of.split_off(&tape.inside_from) {
            if let Some(place) = inside.get_mut((node - tape.inside_from) as usize) {
                *place = number;
            }
        }
        let outside = tape.outside.iter().map(|node| self.of.remove(node).unwrap_or(Number::Real(0.0))).collect();
        Accumulators { inside, outside }
    }

    /// Those that it leaves.
    fn give_back(&mut self, tape: &Tape, accumulators: Accumulators) {
        let inside = (tape.inside_from..).zip(accumulators.inside);
        let outside = tape.outside.iter().copied().zip(accumulators.outside);
        self.of.extend(inside.chain(outside).filter(|(_, number)| !matches!(number, Number::Real(0.0))));
    }
}

/// The accumulators of a sweep.
#[derive(Debug)]
struct Accumulators {
    /// Of the nodes inside that are still to be swept over, and of the independent operand's, if they are inside.
    inside: Vec<Number>,
    outside: Vec<Number>,
}

impl Accumulators {
    /// Adds a contribution to the accumulator at a place.
    fn add(&mut self, levels: &mut Levels, place: u32, contribution: &Number) {
        let accumulator = match self.inside.get_mut(place as usize) {
            Some(accumulator) => accumulator,
            None => match self.outside.get_mut((NONE - 1 - place) as usize) {
                Some(accumulator) => accumulator,
                None => internal_bug!("every node has an accumulator"),
            },
        };
        *accumulator = levels.binary(Operation::Add, accumulator, contribution);
    }

    /// Takes the accumulator of the newest node left.
    fn take(&mut self, node: usize) -> Number {
        self.inside.truncate(node + 1);
        match self.inside.pop() {
            Some(number) => number,
            None => internal_bug!("every node has an accumulator"),
        }
    }
}
