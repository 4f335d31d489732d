//! Flags in code: booleans of the program that tell which node a value is, and the logic on them.
//!
//! Conditions are folded where they are constant, so that most values need no flag at run time.

use super::frames::Draft;
use super::identity::{Alternative, Identity, Node, Origin};
use crate::differentiate::emitter::{choice, yielding};
use crate::{Operand, Statement};

impl Draft {
    /// Returns `yes` if the test holds, else `no`.
    pub fn select(&mut self, test: Operand, yes: Operand, no: Operand, out: &mut Vec<Statement>) -> Operand {
        match test {
            _ if yes == no => yes,
            Operand::Boolean(true) => yes,
            Operand::Boolean(false) => no,
            Operand::Real(_) | Operand::Variable(_) => {
                let target = self.fresh(self.kind(yes));
                out.push(choice(vec![target], test, yielding(vec![yes]), yielding(vec![no])));
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
