//! The accumulators with which the sweep over a construct begins, and those that it leaves.

use super::super::nodes::identity::Node;
use super::super::nodes::traced::Role;
use crate::first_order::{Operand, Variable};

/// The accumulators with which the sweep over a construct begins.
#[derive(Clone, Copy, Debug)]
pub struct Handover<'sweep> {
    /// Those of the results.
    pub yielded: &'sweep [Option<Operand>],
    /// Those of the next iteration's state.
    pub repeated: &'sweep [Option<Operand>],
    /// The first node made in the construct.
    pub inner: Node,
    /// For a loop the condition that the iteration was the last one.
    pub last: Option<Operand>,
    /// True if the code is executed again.
    pub again: bool,
    /// The values that the first execution has handed on, if the code is executed again.
    pub handed_on: HandedOn<'sweep>,
}

/// The accumulators with which the sweep over iterations of a loop begins: those of the state's own nodes after the iteration,
/// and those of outer nodes.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The number of the iteration, from 1 on.
    pub remaining: Operand,
    /// True if it is the last one.
    pub last: Operand,
    pub own: Vec<Operand>,
    pub outer: Vec<Operand>,
}

/// The accumulators that the sweep over iterations leaves.
#[derive(Clone, Debug)]
pub struct Left {
    /// Those of the state's own nodes before the iteration that was the last to be swept over; none before the first one.
    pub own: Vec<Operand>,
    pub outer: Vec<Operand>,
}

impl<'sweep> Handover<'sweep> {
    /// The accumulators of results of a construct that is no loop.
    pub fn of_yielded(yielded: &'sweep [Option<Operand>], inner: Node) -> Handover<'sweep> {
        Handover { yielded, repeated: &[], inner, last: None, again: false, handed_on: HandedOn::NOTHING }
    }
}

/// A value that the first execution has handed on.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub role: Role,
    pub value: Operand,
}

/// The values that the first execution of an iteration has handed on, where they are known.
#[derive(Clone, Copy, Debug)]
pub struct HandedOn<'sweep> {
    pub yielded: &'sweep [Option<Known>],
    pub repeated: &'sweep [Option<Known>],
    /// The first variable that the iteration makes.
    pub made_from: Variable,
}

impl HandedOn<'_> {
    /// Nothing.
    pub const NOTHING: HandedOn<'static> = HandedOn { yielded: &[], repeated: &[], made_from: Variable(0) };
}
