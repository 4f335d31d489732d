//! The reverse sweep over a tape: from the accumulators of the nodes after the recorded ones to those of the nodes
//! before.
//!
//! For each node, from the last to the first, the guarded product of an active operand's coefficient and the cotangent
//! of the result is added to the operand's accumulator (rules 5a and 5b). `Tape::sweep_over` is that equation; the rest
//! of the module locates accumulators.

use crate::arithmetic::{Levels, coefficient};
use crate::log::OperationLog;
use crate::tape::{NONE, Node, Operands, Tape};
use crate::traps::Traps;
use std::collections::BTreeMap;
use std::mem;
use vlad_table::internal_bug;
use vlad_values::Number;
use vlad_values::fault::RuntimeError;
use vlad_values::watch::LimitCheck;

/// The placeholder for a value that no coefficient reads.
const UNREAD: Number = Number::Real(0.0);

impl Tape {
    /// Runs the reverse sweep over the recorded nodes: from the accumulators of the nodes after them to those of the
    /// nodes before. The records are freed on the way.
    pub fn sweep(
        mut self,
        levels: &mut Levels,
        carried: &mut CarriedAccumulators,
        watch: &mut LimitCheck,
    ) -> Result<(), RuntimeError> {
        let records = ConsumedRecords { nodes: mem::take(&mut self.nodes), saved: mem::take(&mut self.saved) };
        self.sweep_over(records, levels, carried, watch)
    }

    /// Runs the reverse sweep over a tape that is kept, and may be swept over again.
    pub fn sweep_kept(
        &self,
        levels: &mut Levels,
        carried: &mut CarriedAccumulators,
        watch: &mut LimitCheck,
    ) -> Result<(), RuntimeError> {
        self.sweep_over(KeptRecords { nodes: &self.nodes, saved: &self.saved }, levels, carried, watch)
    }

    /// The log, if sweeps over this tape are logged.
    fn log<'levels>(&self, levels: &'levels mut Levels) -> Option<&'levels mut OperationLog> {
        if self.is_logged { levels.log_of(0) } else { None }
    }

    /// Runs the sweep, which is itself a sequence of operations at the enclosing levels. A node whose accumulator is a
    /// plain zero is skipped: all its contributions are zero at every level.
    fn sweep_over(
        &self,
        mut records: impl Records,
        levels: &mut Levels,
        carried: &mut CarriedAccumulators,
        watch: &mut LimitCheck,
    ) -> Result<(), RuntimeError> {
        let mut accumulators = carried.take_over(self);
        if let Some(log) = self.log(levels) {
            log.begin_sweep();
        }
        while let Some((node, before)) = records.next() {
            watch.work()?;
            levels.check()?;
            let reads = node.operation.reads(node.first != NONE, node.second != NONE);
            let result = if reads.result { records.restore() } else { UNREAD };
            let second = if reads.second { records.restore() } else { UNREAD };
            let first = if reads.first { records.restore() } else { UNREAD };
            let number = self.recorded_from - self.inside_from + before as u64;
            let cotangent = accumulators.take(number as usize);
            let mut contributions = [None; 2];
            // A trap asks for the coefficients that a zero hides.
            if !matches!(cotangent, Number::Real(0.0)) || levels.traps() != Traps::Off {
                let operands = Operands { first: &first, second: &second, result: &result };
                for (operand, place) in [node.first, node.second].into_iter().enumerate() {
                    if place != NONE {
                        let contribution = levels.product(coefficient(node.operation, operand), &operands, &cotangent);
                        accumulators.add(levels, place, &contribution);
                        if let Some(contributed) = contributions.get_mut(operand) {
                            *contributed = Some(contribution.base());
                        }
                    }
                }
            }
            if let Some(log) = self.log(levels) {
                log.reverse(self.inside_from + number, &cotangent, contributions);
            }
        }
        levels.check()?;
        carried.give_back(self, accumulators);
        Ok(())
    }
}

/// The records of a tape, read from the last to the first.
trait Records {
    /// Returns the next record, and the number of records before it.
    fn next(&mut self) -> Option<(Node, usize)>;

    /// Returns the saved value that was stored last.
    fn restore(&mut self) -> Number;
}

/// Records that are freed as they are read.
struct ConsumedRecords {
    nodes: Vec<Node>,
    saved: Vec<Number>,
}

impl Records for ConsumedRecords {
    fn next(&mut self) -> Option<(Node, usize)> {
        self.nodes.pop().map(|node| (node, self.nodes.len()))
    }

    fn restore(&mut self) -> Number {
        saved(self.saved.pop())
    }
}

/// Records that are kept.
struct KeptRecords<'tape> {
    nodes: &'tape [Node],
    saved: &'tape [Number],
}

impl Records for KeptRecords<'_> {
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

/// The accumulators of nodes that no sweep has passed yet; absent ones are +0.
#[derive(Debug, Default)]
pub struct CarriedAccumulators {
    of: BTreeMap<u64, Number>,
}

impl CarriedAccumulators {
    /// Adds a contribution to a node's accumulator.
    pub fn add(&mut self, levels: &mut Levels, node: u64, contribution: &Number) {
        let accumulator = self.of.entry(node).or_insert(Number::Real(0.0));
        *accumulator = levels.sum(accumulator, contribution);
    }

    /// The accumulated cotangent of a node.
    pub fn of(&self, node: u64) -> Number {
        self.of.get(&node).cloned().unwrap_or(Number::Real(0.0))
    }

    /// Takes out the accumulators with which the sweep over a tape begins.
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

    /// Puts back the accumulators that the sweep leaves; plain zeros are dropped.
    fn give_back(&mut self, tape: &Tape, accumulators: Accumulators) {
        let inside = (tape.inside_from..).zip(accumulators.inside);
        let outside = tape.outside.iter().copied().zip(accumulators.outside);
        self.of.extend(inside.chain(outside).filter(|(_, number)| !matches!(number, Number::Real(0.0))));
    }
}

/// The accumulators of a sweep.
#[derive(Debug)]
struct Accumulators {
    /// Those of the inside nodes not yet swept over, and of the positions of the independent operand, if these are
    /// inside.
    inside: Vec<Number>,
    outside: Vec<Number>,
}

impl Accumulators {
    /// Adds a contribution to the accumulator at an index.
    fn add(&mut self, levels: &mut Levels, place: u32, contribution: &Number) {
        let accumulator = match self.inside.get_mut(place as usize) {
            Some(accumulator) => accumulator,
            None => match self.outside.get_mut((NONE - 1 - place) as usize) {
                Some(accumulator) => accumulator,
                None => internal_bug!("every node has an accumulator"),
            },
        };
        *accumulator = levels.sum(accumulator, contribution);
    }

    /// Takes the accumulator of the newest remaining node.
    fn take(&mut self, node: usize) -> Number {
        self.inside.truncate(node + 1);
        match self.inside.pop() {
            Some(number) => number,
            None => internal_bug!("every node has an accumulator"),
        }
    }
}
