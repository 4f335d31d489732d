//! Contributions: additions to the accumulator of the node that a value is, which flags may tell at run time.
//!
//! The accumulator of an element of an array is in memory, at the element's index of the shadow array. The accumulator of
//! a real that a cell may hold is where its reference refers to. All others are passed along.

use super::super::nodes::{Identity, Node};
use super::accumulators::{Accumulators, of_nodes};
use super::blocks::Sweep;
use crate::differentiate::emitter::{choice, is_constant_zero, operands};
use crate::{AccumulatorAction, Block, End, Kind, Operand, Statement, Variable};
use vlad_table::Operation;

impl Sweep<'_> {
    /// Adds a contribution to the accumulator of the node that a value is.
    pub fn contribute(
        &mut self,
        identity: &Identity,
        contribution: Operand,
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        if is_constant_zero(contribution) {
            return;
        }
        let identity = self.read_identity(identity);
        let nodes: Vec<Node> = identity.nodes().into_iter().filter(|node| !self.draft.is_in_memory(*node)).collect();
        let old = of_nodes(accumulators, &nodes);
        let new = self.add_to_one(&identity.choices, identity.otherwise, (&nodes, &old), contribution, out);
        accumulators.extend(nodes.into_iter().zip(new));
    }

    /// Adds a contribution to one of some accumulators, and returns all of them.
    fn add_to_one(
        &mut self,
        choices: &[(Operand, Node)],
        otherwise: Option<Node>,
        (nodes, old): (&[Node], &[Operand]),
        contribution: Operand,
        out: &mut Vec<Statement>,
    ) -> Vec<Operand> {
        let Some(((flag, node), rest)) = choices.split_first() else {
            return self.add_to(otherwise, (nodes, old), contribution, out);
        };
        match flag {
            Operand::Boolean(true) => return self.add_to(Some(*node), (nodes, old), contribution, out),
            Operand::Boolean(false) => return self.add_to_one(rest, otherwise, (nodes, old), contribution, out),
            Operand::Variable(_) | Operand::Real(_) => {}
        }
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let yes_yields = self.add_to(Some(*node), (nodes, old), contribution, &mut yes);
        let no_yields = self.add_to_one(rest, otherwise, (nodes, old), contribution, &mut no);
        let targets: Vec<Variable> = nodes.iter().map(|_| self.draft.fresh(Kind::Real)).collect();
        let yes = Block { statements: yes, end: End::Yield(yes_yields) };
        let no = Block { statements: no, end: End::Yield(no_yields) };
        out.push(choice(targets.clone(), *flag, yes, no));
        operands(&targets)
    }

    fn add_to(
        &mut self,
        node: Option<Node>,
        (nodes, old): (&[Node], &[Operand]),
        contribution: Operand,
        out: &mut Vec<Statement>,
    ) -> Vec<Operand> {
        let mut new = old.to_vec();
        let Some(node) = node else { return new };
        if let Some((array, index)) = self.draft.elements.get(&node).copied() {
            let place = (self.draft.read(array), self.draft.read(index));
            self.emit(out).add_at(place, contribution);
        }
        if let Some(reference) = self.draft.references.get(&node).copied() {
            let operands = vec![self.draft.read(reference), contribution];
            out.push(Statement::action(Vec::new(), AccumulatorAction::Add, operands));
        }
        for (place, _) in new.iter_mut().zip(nodes).filter(|(_, candidate)| node == **candidate) {
            *place = self.emit(out).binary(Operation::Add, *place, contribution);
        }
        new
    }
}
