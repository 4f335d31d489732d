//! Identity of nodes: the static names of tape nodes, and the knowledge of which of them a value is.
//!
//! Moving a value makes no node (report, 9.2), and all copies of a value share one accumulator. Where control decides
//! among nodes, a boolean of the program, a *flag*, tells for each of them whether the value is that node; a
//! contribution then branches on the flags. A variable that several paths assign is either a node of the code before
//! the construct that joins the paths, or the same node as an earlier variable that is joined there, or a node made in
//! the construct, for which the variable's *own* node stands from then on.

use super::draft::{Draft, decision};
use crate::first_order::{Kind, Operand, Statement};
use std::collections::BTreeSet;

/// The static name of a node. At every point of an execution at most one name in scope stands for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Node(pub u32);

/// The node of a value: that of the choice whose flag is true, else the last one. At most one flag is true.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Identity {
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

/// The nodes that a variable may be whose value comes from several paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Origin {
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
pub(super) enum Alternative {
    /// The node of the code before the construct.
    Outer(Node),
    /// The own node of the variable of this index.
    Equal(usize),
}

impl Origin {
    /// Adds what an identity may be; nodes from `inner` on are made in the construct.
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
pub(super) fn join(origins: &mut [Origin], identities: &[Identity], inner: Node) {
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

/// Boolean code: conditions are folded where they are constant.
impl Draft {
    /// Returns `yes` if the test holds, else `no`.
    pub fn select(&mut self, test: Operand, yes: Operand, no: Operand, out: &mut Vec<Statement>) -> Operand {
        match test {
            _ if yes == no => yes,
            Operand::Boolean(true) => yes,
            Operand::Boolean(false) => no,
            Operand::Real(_) | Operand::Variable(_) => {
                let target = self.fresh(self.kind(yes));
                out.push(decision(test, target, yes, no));
                Operand::Variable(target)
            }
        }
    }

    pub fn and(&mut self, first: Operand, second: Operand, out: &mut Vec<Statement>) -> Operand {
        match second {
            _ if first == second => first,
            Operand::Boolean(true) => first,
            Operand::Boolean(false) => second,
            Operand::Real(_) | Operand::Variable(_) => self.select(first, second, Operand::Boolean(false), out),
        }
    }

    pub fn or(&mut self, first: Operand, second: Operand, out: &mut Vec<Statement>) -> Operand {
        match second {
            _ if first == second => first,
            Operand::Boolean(false) => first,
            Operand::Boolean(true) => second,
            Operand::Real(_) | Operand::Variable(_) => self.select(first, Operand::Boolean(true), second, out),
        }
    }

    pub fn not(&mut self, operand: Operand, out: &mut Vec<Statement>) -> Operand {
        self.select(operand, Operand::Boolean(false), Operand::Boolean(true), out)
    }

    /// True if one of the operands is.
    pub fn any(&mut self, operands: impl IntoIterator<Item = Operand>, out: &mut Vec<Statement>) -> Operand {
        operands.into_iter().fold(Operand::Boolean(false), |any, operand| self.or(any, operand, out))
    }

    /// True if the value of this identity is a certain node.
    pub fn is_node(&mut self, identity: &Identity, node: Node, out: &mut Vec<Statement>) -> Operand {
        let chosen = self.any(identity.choices.iter().filter(|choice| choice.1 == node).map(|choice| choice.0), out);
        if identity.otherwise != Some(node) {
            return chosen;
        }
        let others = self.any(identity.choices.iter().map(|choice| choice.0), out);
        let last = self.not(others, out);
        self.or(chosen, last, out)
    }

    /// True if two values are one and the same of the nodes from `inner` on.
    pub fn are_one(&mut self, first: &Identity, second: &Identity, inner: Node, out: &mut Vec<Statement>) -> Operand {
        let common: Vec<Node> =
            first.nodes().intersection(&second.nodes()).copied().filter(|node| *node >= inner).collect();
        if first == second && common.len() == first.nodes().len() && first.otherwise.is_some() {
            return Operand::Boolean(true);
        }
        let mut one = Operand::Boolean(false);
        for node in common {
            let first_is = self.is_node(first, node, out);
            let second_is = self.is_node(second, node, out);
            let both = self.and(first_is, second_is, out);
            one = self.or(one, both, out);
        }
        one
    }

    /// The flags of one path: for each alternative of each origin whether the value joined is that.
    pub fn flags(
        &mut self,
        origins: &[Origin],
        identities: &[Identity],
        inner: Node,
        out: &mut Vec<Statement>,
    ) -> Vec<Operand> {
        let mut flags = Vec::new();
        for (origin, identity) in origins.iter().zip(identities) {
            let mut equal = Operand::Boolean(false);
            for alternative in origin.alternatives().0 {
                flags.push(match alternative {
                    Alternative::Outer(node) => self.is_node(identity, node, out),
                    Alternative::Equal(earlier) => {
                        let one = match identities.get(earlier) {
                            Some(other) => self.are_one(other, identity, inner, out),
                            None => vlad_table::internal_bug!("an equal variable is joined at the same place"),
                        };
                        // Of several variables that are the node, the first one stands for it.
                        let later = self.not(equal, out);
                        equal = self.or(equal, one, out);
                        self.and(one, later, out)
                    }
                });
            }
        }
        flags
    }

    /// Makes the identities of joined variables: own nodes where they are needed, and the flags given one after the
    /// other. Returns them with the own nodes.
    pub fn identities(
        &mut self,
        origins: &[Origin],
        mut flag: impl FnMut(&mut Draft, usize, Alternative) -> Operand,
    ) -> (Vec<Identity>, Vec<Option<Node>>) {
        let own: Vec<Option<Node>> = origins.iter().map(|origin| origin.own.then(|| self.node())).collect();
        let mut identities = Vec::new();
        for (index, origin) in origins.iter().enumerate() {
            let (alternatives, last) = origin.alternatives();
            let mut choices = Vec::new();
            for alternative in alternatives {
                let flag = flag(self, index, alternative);
                let node = match alternative {
                    Alternative::Outer(node) => Some(node),
                    Alternative::Equal(earlier) => own.get(earlier).copied().flatten(),
                };
                match node {
                    Some(node) => choices.push((flag, node)),
                    None => vlad_table::internal_bug!("a variable that may be an inner node has an own one"),
                }
            }
            identities.push(Identity { choices, otherwise: last.or(own.get(index).copied().flatten()) });
        }
        (identities, own)
    }
}

/// The number of flags of joined variables.
pub(super) fn flag_count(origins: &[Origin]) -> usize {
    origins.iter().map(|origin| origin.alternatives().0.len()).sum()
}

/// The kind of flags.
pub(super) const FLAG: Kind = Kind::Boolean;
