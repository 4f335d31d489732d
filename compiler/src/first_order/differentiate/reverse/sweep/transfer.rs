//! The accumulators with which the sweep over a construct begins, and those that it leaves.

use super::super::nodes::identity::Node;
use super::super::nodes::traced::Role;
use crate::first_order::{Operand, Variable};

/// The accumulators with which the sweep over a construct begins.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'sweep> {
    /// Those of the results.
    pub yielded: &'sweep [Option<Operand>],
    /// Those of the next iteration's state.
    pub repeated: &'sweep [Option<Operand>],
    /// The first node made in the construct.
    pub inner: Node,
    /// For a loop the condition that the iteration was the last one.
    pub last: Option<Operand>,
    /// True if the code is executed again.
    pub is_recomputed: bool,
    /// The values that the first execution has handed on, if the code is executed again.
    pub carried: LoopCarried<'sweep>,
}

/// The accumulators with which the sweep over iterations of a loop begins: those of the state's own nodes after the iteration,
/// and those of outer nodes.
#[derive(Clone, Debug)]
pub struct SweepStart {
    /// The number of the iteration, from 1 on.
    pub remaining: Operand,
    /// True if it is the last one.
    pub last: Operand,
    pub own: Vec<Operand>,
    pub outer: Vec<Operand>,
}

/// The accumulators that the sweep over iterations leaves.
#[derive(Clone, Debug)]
pub struct SweepResult {
    /// Those of the state's own nodes before the iteration that was the last to be swept over; none before the first one.
    pub own: Vec<Operand>,
    pub outer: Vec<Operand>,
}

impl<'sweep> Incoming<'sweep> {
    /// The accumulators of results of a construct that is no loop.
    pub fn of_results(yielded: &'sweep [Option<Operand>], inner: Node) -> Incoming<'sweep> {
        Incoming { yielded, repeated: &[], inner, last: None, is_recomputed: false, carried: LoopCarried::NOTHING }
    }
}

/// A value that the first execution has handed on.
#[derive(Clone, Copy, Debug)]
pub struct CarriedValue {
    pub role: Role,
    pub value: Operand,
}

/// The values that the first execution of an iteration has handed on, where they are known.
#[derive(Clone, Copy, Debug)]
pub struct LoopCarried<'sweep> {
    pub yielded: &'sweep [Option<CarriedValue>],
    pub repeated: &'sweep [Option<CarriedValue>],
    /// The first variable that the iteration makes.
    pub made_from: Variable,
}

impl LoopCarried<'_> {
    /// Nothing.
    pub const NOTHING: LoopCarried<'static> = LoopCarried { yielded: &[], repeated: &[], made_from: Variable(0) };
}
