//! The accumulators that the sweep passes along: those that it has at a point, those with which it enters a construct,
//! and those that it leaves.
//!
//! An accumulator is the operand that holds the present sum of a node. Accumulators in memory are not among them.

use super::super::nodes::{Node, Role};
use crate::differentiate::emitter::ZERO;
use crate::{Operand, Variable};
use std::collections::BTreeMap;

/// The accumulators at a point of the sweep; absent ones are +0.
pub type Accumulators = BTreeMap<Node, Operand>;

/// The accumulator of a node.
pub fn at(accumulators: &Accumulators, node: Node) -> Operand {
    accumulators.get(&node).copied().unwrap_or(ZERO)
}

/// The accumulators of some nodes, in order.
pub fn of_nodes<'node>(accumulators: &Accumulators, nodes: impl IntoIterator<Item = &'node Node>) -> Vec<Operand> {
    nodes.into_iter().map(|node| at(accumulators, *node)).collect()
}

/// The accumulators of values that may be nodes of their own, where they are.
pub fn of_own(accumulators: &Accumulators, own: &[Option<Node>]) -> Vec<Option<Operand>> {
    own.iter().map(|own| own.map(|node| at(accumulators, node))).collect()
}

/// Removes the accumulators of the own nodes of a construct's results: no operation follows these. None is one that is
/// absent.
pub fn take(accumulators: &mut Accumulators, own: &[Option<Node>]) -> Vec<Option<Operand>> {
    own.iter().map(|own| own.and_then(|node| accumulators.remove(&node))).collect()
}

/// The accumulators with which the sweep over a block begins, besides those of nodes before it.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'sweep> {
    /// The accumulators of the results.
    pub yielded: &'sweep [Option<Operand>],
    /// The accumulators of the next iteration's state.
    pub repeated: &'sweep [Option<Operand>],
    /// The first node made in the construct.
    pub inner: Node,
    /// For a loop the condition that the iteration was the last one.
    pub last: Option<Operand>,
    /// True if the code is executed again before it is swept over.
    pub is_recomputed: bool,
    /// The values that it does not have to compute then.
    pub carried: LoopCarried<'sweep>,
}

impl<'sweep> Incoming<'sweep> {
    /// The accumulators of the results of a construct that is no loop.
    pub fn of_results(yielded: &'sweep [Option<Operand>], inner: Node) -> Incoming<'sweep> {
        let carried = LoopCarried { yielded: &[], repeated: &[], made_from: Variable(0) };
        Incoming { yielded, repeated: &[], inner, last: None, is_recomputed: false, carried }
    }
}

/// The accumulators with which the sweep over iterations of a loop begins: those of the state's own nodes after the last
/// of these, and those of outer nodes.
#[derive(Clone, Debug)]
pub struct SweepStart {
    /// The number of that iteration, from 1 on.
    pub remaining: Operand,
    /// True if it is the last one of the loop.
    pub last: Operand,
    pub own: Vec<Operand>,
    pub outer: Vec<Operand>,
}

/// The accumulators that the sweep over iterations leaves.
#[derive(Clone, Debug)]
pub struct SweepResult {
    /// The accumulators of the state's own nodes before the first of these iterations; none before the loop.
    pub own: Vec<Operand>,
    pub outer: Vec<Operand>,
}

/// A value that the first execution of an iteration has passed on.
#[derive(Clone, Copy, Debug)]
pub struct CarriedValue {
    pub role: Role,
    pub value: Operand,
}

/// The values that the first execution of an iteration has passed on: to the results, or to the next iteration. None
/// where they are not known.
#[derive(Clone, Copy, Debug)]
pub struct LoopCarried<'sweep> {
    pub yielded: &'sweep [Option<CarriedValue>],
    pub repeated: &'sweep [Option<CarriedValue>],
    /// The first variable that the iteration makes.
    pub made_from: Variable,
}
