//! Identity of nodes: the static names of tape nodes, and the knowledge of which of them a value is.
//!
//! Moving a value makes no node (report, 9.2), and all copies of a value share one accumulator. If control decides
//! among nodes, a boolean of the program, a *flag*, tells for each of them whether the value is that node; a contribution
//! then branches on the flags.
//!
//! A variable that several paths assign may be a node of the code before the construct that joins the paths. It may be
//! the same node as an earlier variable that is joined there. Or it is a node made in the construct: from then on, the
//! variable's *own* node stands for that one.

use crate::{Kind, Operand};
use std::collections::BTreeSet;

/// The static name of a node. At every point of an execution at most one name in scope stands for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// The node of a value: that of the choice whose flag is true, else the last one. At most one flag is true.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    pub choices: Vec<(Operand, Node)>,
    /// None if the value is then inactive.
    pub otherwise: Option<Node>,
}

impl Identity {
    pub fn of(node: Node) -> Identity {
        Identity { choices: Vec::new(), otherwise: Some(node) }
    }

    pub fn is_active(&self) -> bool {
        !self.choices.is_empty() || self.otherwise.is_some()
    }

    /// The nodes that the value may be.
    pub fn nodes(&self) -> BTreeSet<Node> {
        self.choices.iter().map(|(_, node)| *node).chain(self.otherwise).collect()
    }
}

/// The nodes that a variable may be if its value comes from several paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Nodes that exist before the construct.
    pub outer: BTreeSet<Node>,
    /// The variables joined at the same place, before this one, that may be the same inner node.
    pub equal: BTreeSet<usize>,
    /// True if it may be a node made in the construct.
    pub own: bool,
    /// True if it may be inactive.
    pub inactive: bool,
}

/// An alternative of an origin, which a flag announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alternative {
    /// The node of the code before the construct.
    Outer(Node),
    /// The own node of the variable of this index.
    Equal(usize),
}

impl Origin {
    /// Adds the nodes of an identity; those from `inner` on are made in the construct.
    pub fn add(&mut self, identity: &Identity, inner: Node) {
        for node in identity.nodes() {
            if node < inner {
                self.outer.insert(node);
            } else {
                self.own = true;
            }
        }
        self.inactive |= identity.otherwise.is_none();
    }

    /// The alternatives that need a flag, and the node if no flag is true: an outer node, or the own one.
    pub fn alternatives(&self) -> (Vec<Alternative>, Option<Node>) {
        let mut alternatives: Vec<Alternative> = self.outer.iter().map(|node| Alternative::Outer(*node)).collect();
        if !self.own && !self.inactive {
            alternatives.pop();
            return (alternatives, self.outer.last().copied());
        }
        alternatives.extend(self.equal.iter().map(|index| Alternative::Equal(*index)));
        (alternatives, None)
    }
}

/// Adds the identities of values that are joined along one path to their origins.
pub fn join(origins: &mut [Origin], identities: &[Identity], inner: Node) {
    for (index, (origin, identity)) in origins.iter_mut().zip(identities).enumerate() {
        origin.add(identity, inner);
        let inside: BTreeSet<Node> = identity.nodes().into_iter().filter(|node| *node >= inner).collect();
        for (earlier, other) in identities.iter().take(index).enumerate() {
            if other.nodes().intersection(&inside).next().is_some() {
                origin.equal.insert(earlier);
            }
        }
    }
}

/// The number of flags of joined variables.
pub fn flag_count(origins: &[Origin]) -> usize {
    origins.iter().map(|origin| origin.alternatives().0.len()).sum()
}

/// The kind of flags.
pub const FLAG: Kind = Kind::Boolean;
