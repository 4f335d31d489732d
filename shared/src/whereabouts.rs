//! Where nodes stand: in the body of which procedure, and within which other nodes.

use crate::core::{Expression, ExpressionId, Item, LambdaId, Program};

/// Where one node stands.
#[derive(Clone, Copy, Debug, Default)]
struct Whereabout {
    /// The procedure whose body it is part of.
    procedure: Option<LambdaId>,
    /// The node's number in the order in which the walk enters nodes.
    entered: u32,
    /// The greatest such number within the node.
    last_within: u32,
}

/// Where each node of a program stands.
#[derive(Debug)]
pub struct Whereabouts {
    nodes: Vec<Whereabout>,
}

/// A node that the walk has still to enter, or one that it leaves.
enum Visit {
    Enter(ExpressionId, Option<LambdaId>),
    Leave(ExpressionId),
}

impl Whereabouts {
    /// Walks the whole program.
    pub fn of(program: &Program) -> Whereabouts {
        let mut whereabouts = Whereabouts { nodes: vec![Whereabout::default(); program.expressions.len()] };
        let mut pending: Vec<Visit> = Vec::new();
        for (_, lambda) in &program.prelude {
            pending.push(Visit::Enter(program.lambda(*lambda).body, Some(*lambda)));
        }
        for item in &program.items {
            let (Item::Define(_, node) | Item::Expression(node)) = *item;
            pending.push(Visit::Enter(node, None));
        }
        let mut entered = 0;
        while let Some(visit) = pending.pop() {
            match visit {
                Visit::Enter(node, procedure) => {
                    entered += 1;
                    let whereabout = Whereabout { procedure, entered, last_within: entered };
                    whereabouts.set(node, whereabout);
                    if let Expression::Let { operator, .. } = program.expression(node) {
                        whereabouts.set(operator, whereabout);
                    }
                    pending.push(Visit::Leave(node));
                    push_parts(program, node, procedure, &mut pending);
                }
                Visit::Leave(node) => {
                    let whereabout = Whereabout { last_within: entered, ..whereabouts.get(node) };
                    whereabouts.set(node, whereabout);
                }
            }
        }
        whereabouts
    }

    /// The procedure whose body a node is part of; none at top level.
    pub fn procedure(&self, node: ExpressionId) -> Option<LambdaId> {
        self.get(node).procedure
    }

    /// Whether the second node is the first or stands within it, in the body of the same procedure.
    pub fn contains(&self, outer: ExpressionId, inner: ExpressionId) -> bool {
        let (outer, inner) = (self.get(outer), self.get(inner));
        outer.procedure == inner.procedure && outer.entered <= inner.entered && inner.entered <= outer.last_within
    }

    fn get(&self, node: ExpressionId) -> Whereabout {
        self.nodes.get(node.0 as usize).copied().unwrap_or_default()
    }

    fn set(&mut self, node: ExpressionId, whereabout: Whereabout) {
        if let Some(place) = self.nodes.get_mut(node.0 as usize) {
            *place = whereabout;
        }
    }
}

/// The parts of a node and the bodies of the procedures that it makes. The lambda of a `let` is no procedure of its own.
fn push_parts(program: &Program, node: ExpressionId, procedure: Option<LambdaId>, pending: &mut Vec<Visit>) {
    let mut part = |node, procedure| pending.push(Visit::Enter(node, procedure));
    match program.expression(node) {
        Expression::Constant(_) | Expression::Variable(_) => {}
        Expression::Lambda(lambda) => part(program.lambda(lambda).body, Some(lambda)),
        Expression::Application { operator, operand } => {
            part(operator, procedure);
            part(operand, procedure);
        }
        Expression::Let { lambda, operand, .. } => {
            part(program.lambda(lambda).body, procedure);
            part(operand, procedure);
        }
        Expression::Cons { first, second } => {
            part(first, procedure);
            part(second, procedure);
        }
        Expression::If { test, consequent, alternative } => {
            part(test, procedure);
            part(consequent, procedure);
            part(alternative, procedure);
        }
        Expression::Letrec { group, body } => {
            for member in &program.group(group).members {
                part(program.lambda(*member).body, Some(*member));
            }
            part(body, procedure);
        }
    }
}
