//! The tape of a reverse level: the nodes of its operations in order of execution, and the sweep back over them.
//!
//! Rule 5a: the nodes of the independent operand come first, one a position; then one for each execution of an operation
//! with an operand of the level. A node keeps the nodes of its operands and, of the operands and the result, only what
//! the coefficients of those operands read.

use super::arithmetic::{Levels, Operands, coefficient};
use crate::internal_bug;
use crate::run::{Trouble, Watch};
use crate::table::Operation;
use crate::value::Number;

/// Marks an operand that is not of the level.
const NONE: u32 = u32::MAX;

/// Stands for what no coefficient reads.
const UNREAD: Number = Number::Real(0.0);

/// The record of one operation: 12 bytes.
#[derive(Clone, Copy, Debug)]
struct Node {
    operation: Operation,
    first: u32,
    second: u32,
}

/// The record of a reverse level.
#[derive(Debug, Default)]
pub struct Tape {
    /// How many nodes stand for positions of the independent operand.
    independents: u32,
    /// The operations, in order.
    nodes: Vec<Node>,
    /// What coefficients read: for each node, of first operand, second operand, result those that are kept, in order.
    saved: Vec<Number>,
}

impl Tape {
    /// Makes the node of the next position of the independent operand; before any operation is recorded.
    pub(super) fn independent(&mut self) -> u32 {
        let node = self.independents;
        self.independents = self.independents.saturating_add(1);
        node
    }

    /// Whether there are as many nodes as can be told apart: some 2^32, or 50 GB.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() as u64 + u64::from(self.independents) >= u64::from(NONE)
    }

    /// How many positions the independent operand has.
    pub(super) fn independents(&self) -> u32 {
        self.independents
    }

    /// Records an operation and gives its node. The tape must not be full.
    pub(super) fn record(
        &mut self,
        operation: Operation,
        [first, second]: [Option<u32>; 2],
        operands: &Operands<'_>,
    ) -> u32 {
        let reads = operation.reads(first.is_some(), second.is_some());
        let number = self.nodes.len() as u32 + self.independents;
        self.nodes.push(Node { operation, first: first.unwrap_or(NONE), second: second.unwrap_or(NONE) });
        for (kept, number) in
            [(reads.first, operands.first), (reads.second, operands.second), (reads.result, operands.result)]
        {
            if kept {
                self.saved.push(number.clone());
            }
        }
        number
    }

    /// Sweeps back over the nodes: from the accumulators of the outputs to those of the independent operand.
    ///
    /// The sweep is itself a sequence of operations at the levels that enclose this one. An accumulator that is a plain
    /// zero is passed over: all that it would contribute is zero at every level.
    pub(super) fn sweep(
        mut self,
        levels: &mut Levels,
        mut accumulators: Accumulators,
        watch: &mut Watch,
    ) -> Result<Accumulators, Trouble> {
        while let Some(node) = self.nodes.pop() {
            watch.work()?;
            levels.check()?;
            let reads = node.operation.reads(node.first != NONE, node.second != NONE);
            let result = if reads.result { self.restore() } else { UNREAD };
            let second = if reads.second { self.restore() } else { UNREAD };
            let first = if reads.first { self.restore() } else { UNREAD };
            let number = self.nodes.len() + self.independents as usize;
            let cotangent = accumulators.take(number);
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
        Ok(accumulators)
    }

    /// Accumulators for all nodes, at +0.
    pub(super) fn accumulators(&self) -> Accumulators {
        Accumulators { values: vec![Number::Real(0.0); self.nodes.len() + self.independents as usize] }
    }

    /// Takes back what was saved last.
    fn restore(&mut self) -> Number {
        match self.saved.pop() {
            Some(number) => number,
            None => internal_bug!("a tape saves what its nodes read"),
        }
    }
}

/// One accumulator a node.
#[derive(Debug)]
pub(super) struct Accumulators {
    values: Vec<Number>,
}

impl Accumulators {
    /// Adds a contribution to a node's accumulator.
    pub(super) fn add(&mut self, levels: &mut Levels, node: u32, contribution: &Number) {
        match self.values.get_mut(node as usize) {
            Some(accumulator) => *accumulator = levels.binary(Operation::Add, accumulator, contribution),
            None => internal_bug!("every node has an accumulator"),
        }
    }

    /// Takes the accumulator of the newest node left.
    fn take(&mut self, node: usize) -> Number {
        self.values.truncate(node + 1);
        match self.values.pop() {
            Some(number) => number,
            None => internal_bug!("every node has an accumulator"),
        }
    }

    /// What has been accumulated for a node of the independent operand.
    pub(super) fn of_independent(&self, node: u32) -> &Number {
        match self.values.get(node as usize) {
            Some(number) => number,
            None => internal_bug!("every position of the independent operand has an accumulator"),
        }
    }
}
