//! The parts of a node, the procedures that it makes, and its references: queries of the tree for passes that treat
//! several constructs alike.

use crate::{Expression, ExpressionId, GlobalId, Item, LambdaId, Program, Reference};
use std::{iter, slice};
use vlad_table::{Primitive, internal_bug};

/// The references of code, its own and those of the definitions that it refers to.
#[derive(Clone, Debug)]
pub struct Reached {
    /// For each top-level definition, by its number, whether it is referred to.
    pub definitions: Vec<bool>,
    /// The primitives that are referred to, each as often.
    pub primitives: Vec<Primitive>,
}

impl Program {
    /// The parts of a node that are evaluated in its activation, in order. The part of a `let` that is its procedure is
    /// the body: the node of its lambda has no evaluation of its own.
    pub fn parts(&self, node: ExpressionId) -> impl Iterator<Item = ExpressionId> {
        let parts = match self.expression(node) {
            Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) => [None; 3],
            Expression::Application { operator: first, operand: second } | Expression::Cons { first, second } => {
                [Some(first), Some(second), None]
            }
            Expression::Let { lambda, operand, .. } => [Some(operand), Some(self.lambda(lambda).body), None],
            Expression::If { test, consequent, alternative } => [Some(test), Some(consequent), Some(alternative)],
            Expression::Letrec { body, .. } => [Some(body), None, None],
        };
        parts.into_iter().flatten()
    }

    /// The procedures that a node makes, without those of its parts. Their bodies run in other activations.
    pub fn procedures(&self, node: ExpressionId) -> &[LambdaId] {
        match self.expressions.get(node.0 as usize) {
            Some(Expression::Lambda(lambda)) => slice::from_ref(lambda),
            Some(Expression::Letrec { group, .. }) => &self.group(*group).members,
            Some(
                Expression::Constant(_)
                | Expression::Variable(_)
                | Expression::Application { .. }
                | Expression::Let { .. }
                | Expression::Cons { .. }
                | Expression::If { .. },
            ) => &[],
            None => internal_bug!("expression {} is in the arena", node.0),
        }
    }

    /// The parts of a node in its own activation and the bodies of the procedures that it makes.
    pub fn parts_and_bodies(&self, node: ExpressionId) -> impl Iterator<Item = ExpressionId> {
        self.parts(node).chain(self.procedures(node).iter().map(|lambda| self.lambda(*lambda).body))
    }

    /// The expression of each top-level definition, by its number; of the prelude's procedures the bodies.
    pub fn definitions(&self) -> Vec<Option<ExpressionId>> {
        let of_prelude = self.prelude.iter().map(|(global, lambda)| (*global, self.lambda(*lambda).body));
        let of_items = self.items.iter().filter_map(|item| match *item {
            Item::Define(global, node) => Some((global, node)),
            Item::Expression(_) => None,
        });
        self.by_definition(of_prelude.chain(of_items))
    }

    /// The references of some nodes, and those of the definitions that they reach, whose nodes are given.
    pub fn reached(&self, mut pending: Vec<ExpressionId>, definitions: &[Option<ExpressionId>]) -> Reached {
        let mut reached = Reached { definitions: vec![false; self.globals.len()], primitives: Vec::new() };
        while let Some(node) = pending.pop() {
            pending.extend(self.parts_and_bodies(node));
            let Expression::Variable(reference) = self.expression(node) else { continue };
            match reference {
                Reference::Primitive(primitive) => reached.primitives.push(primitive),
                Reference::Global(GlobalId(global)) => {
                    let Some(is_reached) = reached.definitions.get_mut(global as usize) else {
                        internal_bug!("global {global} is in the arena")
                    };
                    if !std::mem::replace(is_reached, true) {
                        pending.extend(definitions.get(global as usize).copied().flatten());
                    }
                }
                Reference::Local(_) | Reference::Slot(_) | Reference::Sibling(_) => {}
            }
        }
        reached
    }

    /// The outermost nodes of the program's code: the bodies of the prelude's procedures, with the procedure, and the
    /// top-level items.
    pub fn roots(&self) -> impl Iterator<Item = (Option<LambdaId>, ExpressionId)> {
        let of_prelude = self.prelude.iter().map(|(_, lambda)| (Some(*lambda), self.lambda(*lambda).body));
        of_prelude.chain(self.items.iter().map(|item| (None, item.node())))
    }

    /// Some nodes, and the nodes within them that are evaluated in the same activation: not the bodies of the
    /// procedures that they make.
    pub fn within(&self, mut pending: Vec<ExpressionId>) -> impl Iterator<Item = ExpressionId> {
        iter::from_fn(move || {
            let next = pending.pop()?;
            pending.extend(self.parts(next));
            Some(next)
        })
    }

    /// The parts of a node that may be evaluated after its first one: those that the continuation of the first one
    /// evaluates. The node has several parts.
    pub fn parts_after_first(&self, node: ExpressionId) -> Vec<ExpressionId> {
        let rest: Vec<ExpressionId> = self.parts(node).skip(1).collect();
        if rest.is_empty() {
            internal_bug!("expression {} awaits a part", node.0)
        }
        rest
    }

    /// The references of a node itself: a variable's, or the captures of the procedures that it makes.
    pub fn references(&self, node: ExpressionId) -> impl Iterator<Item = Reference> {
        let (variable, captures) = match self.expression(node) {
            Expression::Variable(reference) => (Some(reference), None),
            Expression::Lambda(lambda) => (None, Some(&self.lambda(lambda).captures)),
            Expression::Letrec { group, .. } => (None, Some(&self.group(group).captures)),
            Expression::Constant(_)
            | Expression::Application { .. }
            | Expression::Let { .. }
            | Expression::Cons { .. }
            | Expression::If { .. } => (None, None),
        };
        variable.into_iter().chain(captures.into_iter().flatten().copied())
    }
}
