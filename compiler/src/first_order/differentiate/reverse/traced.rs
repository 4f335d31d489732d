//! Traces: code with the nodes that it makes and the identities of the values that it moves.

use super::draft::FrameId;
use super::identity::Node;
use crate::first_order::{Operand, Statement, Variable};
use vlad_core::ExpressionId;
use vlad_table::Operation;

/// A traced block.
#[derive(Debug)]
pub(super) struct Traced {
    pub steps: Vec<Step>,
    pub end: TracedEnd,
}

/// A traced statement.
#[derive(Debug)]
pub(super) enum Step {
    /// A statement that makes no node.
    Plain(Statement),
    /// An operation with an active operand.
    Node { node: Node, target: Variable, operation: Operation, first: Operand, second: Option<Operand> },
    /// A block that bails out if the test has a certain value.
    Test { test: Operand, bails_out: bool, out: Traced },
    /// A `bind` with several paths.
    Bind { frame: FrameId, targets: Vec<Variable>, own: Vec<Option<Node>>, inner: Node, block: Traced },
    /// A loop.
    Loop(Box<TracedLoop>),
    /// A call of a recursive function.
    Call(TracedCall),
}

/// A traced call of a recursive function.
#[derive(Debug)]
pub(super) struct TracedCall {
    /// The instance of the callee.
    pub instance: usize,
    /// The results, then their flags.
    pub targets: Vec<Variable>,
    /// The arguments, then the flags of those that may be one node.
    pub arguments: Vec<Operand>,
    /// The own node of each result.
    pub own: Vec<Option<Node>>,
}

/// The end of a traced block.
#[derive(Debug)]
pub(super) enum TracedEnd {
    Yield(Vec<Operand>),
    Repeat(Vec<Operand>),
    /// Neither block bails out on all its paths.
    Branch {
        test: Operand,
        consequent: Box<Traced>,
        alternative: Box<Traced>,
    },
    BailOut(ExpressionId),
}

/// A traced loop. Results and state are followed by their flags, for which no own nodes are noted.
#[derive(Debug)]
pub(super) struct TracedLoop {
    pub frame: FrameId,
    pub targets: Vec<Variable>,
    pub own: Vec<Option<Node>>,
    pub state: Vec<Variable>,
    pub initial: Vec<Operand>,
    pub state_own: Vec<Option<Node>>,
    /// The first node made in the loop.
    pub inner: Node,
    pub body: Traced,
    /// The boolean of the state that is true in the first iteration alone.
    pub first: Variable,
    /// The number of the iteration; a variable of the state if the loop is swept over.
    pub count: Variable,
    /// The number of iterations; then a target.
    pub total: Variable,
}
