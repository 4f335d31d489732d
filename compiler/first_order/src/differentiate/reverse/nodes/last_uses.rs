//! The last uses of nodes at calls of recursive functions.
//!
//! A node that nothing reads after a call has the accumulator +0 when the sweep comes to that call. If the call returns
//! the node, as one that ends with `(if (zero? n) x ...)` does, the cotangent of the result is all that the node has. So
//! the callee can own the node: no accumulator is passed to its reverse function, and no flag returned
//! ([`super::instances::Parameter::LastUse`]).
//!
//! The tracer asks for each argument whether its node is live after the call. In loops, every node made outside of an
//! iteration counts as live. In code with cells the tracer does not ask: cells may refer to accumulators of nodes.

use super::frames::Draft;
use super::identity::Node;
use crate::{Block, Operand, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The variables that may be looked up to find live nodes, while a function is traced. From then on all nodes count as
/// live.
const MOST_LOOKED_UP: usize = 1_000_000;

/// The nodes that are live at a place of the code that is traced.
#[derive(Debug)]
pub struct LiveNodes {
    /// The first node that is made in the function, or that is moved into it. All nodes before it are live.
    pub inner: Node,
    /// For each statement around the place the nodes that the code after it reads.
    around: Vec<BTreeSet<Node>>,
    looked_up: usize,
}

impl LiveNodes {
    /// None, in code with nodes from 0 on.
    pub fn new() -> LiveNodes {
        LiveNodes { inner: Node(0), around: Vec::new(), looked_up: 0 }
    }

    /// Begins a statement of a block that leads to recursion: nodes that the code after it reads are live in it.
    pub fn begin(
        &mut self,
        (last, place): (&LastReads, usize),
        environment: &HashMap<Variable, Operand>,
        draft: &Draft,
    ) {
        let mut nodes = BTreeSet::new();
        self.looked_up += last.0.len();
        if self.looked_up <= MOST_LOOKED_UP {
            let read = last.0.iter().filter(|(_, last)| **last > place).filter_map(|read| environment.get(read.0));
            read.for_each(|operand| nodes.extend(draft.identity(*operand).nodes()));
        }
        self.around.push(nodes);
    }

    /// Ends it.
    pub fn end(&mut self) {
        self.around.pop();
    }

    /// True if a node may be read after the place.
    pub fn contains(&self, node: Node) -> bool {
        node < self.inner || self.looked_up > MOST_LOOKED_UP || self.around.iter().any(|nodes| nodes.contains(&node))
    }
}

/// For each variable that a block reads the place of the last statement that does; the end has the place behind all of
/// them.
#[derive(Debug)]
pub struct LastReads(BTreeMap<Variable, usize>);

impl LastReads {
    /// The last reads of a block.
    pub fn of(block: &Block) -> LastReads {
        let mut last = BTreeMap::new();
        for (place, statement) in block.statements.iter().enumerate() {
            last.extend(statement.variables_read().map(|variable| (variable, place)));
        }
        last.extend(block.end.variables_read().map(|variable| (variable, block.statements.len())));
        LastReads(last)
    }
}
