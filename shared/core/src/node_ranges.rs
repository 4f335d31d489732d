//! Node ranges: for each expression node, the procedure that contains it, its preorder interval, and the outermost node
//! of the same body that awaits its value.
//!
//! Containment is a comparison of preorder numbers.

use crate::{Expression, ExpressionId, LambdaId, Program};

/// The range of one node.
#[derive(Clone, Copy, Debug, Default)]
struct NodeRange {
    /// The procedure whose body contains it.
    procedure: Option<LambdaId>,
    /// The node's preorder number.
    entered: u32,
    /// The greatest preorder number within the node.
    last_within: u32,
    /// The outermost node of its body whose value awaits that of the node; none in tail position.
    outermost: Option<ExpressionId>,
}

/// The ranges of all nodes of a program.
#[derive(Debug)]
pub struct NodeRanges {
    nodes: Vec<NodeRange>,
}

/// A pending step of the traversal: entering or leaving a node.
enum Visit {
    Enter { node: ExpressionId, procedure: Option<LambdaId>, outermost: Option<ExpressionId> },
    Leave(ExpressionId),
}

impl NodeRanges {
    /// Computes the ranges by a traversal of the whole program.
    pub fn of(program: &Program) -> NodeRanges {
        let mut ranges = NodeRanges { nodes: vec![NodeRange::default(); program.expressions.len()] };
        let mut pending: Vec<Visit> = program.roots().map(|(procedure, body)| Visit::body(body, procedure)).collect();
        let mut entered = 0;
        while let Some(visit) = pending.pop() {
            match visit {
                Visit::Enter { node, procedure, outermost } => {
                    entered += 1;
                    let range = NodeRange { procedure, entered, last_within: entered, outermost };
                    ranges.set(node, range);
                    if let Expression::Let { operator, .. } = program.expression(node) {
                        ranges.set(operator, range);
                    }
                    pending.push(Visit::Leave(node));
                    push_parts(program, node, procedure, outermost, &mut pending);
                }
                Visit::Leave(node) => {
                    let range = NodeRange { last_within: entered, ..ranges.get(node) };
                    ranges.set(node, range);
                }
            }
        }
        ranges
    }

    /// Returns the procedure whose body contains a node; none at top level.
    pub fn procedure(&self, node: ExpressionId) -> Option<LambdaId> {
        self.get(node).procedure
    }

    /// Returns the name of the top-level definition that contains a node, if it defines a procedure.
    pub fn definition<'program>(&self, program: &'program Program, node: ExpressionId) -> Option<&'program str> {
        program.lambda(self.outermost_procedure(program, node)?).name.as_deref()
    }

    /// Returns the outermost procedure that contains a node; none at top level.
    pub fn outermost_procedure(&self, program: &Program, node: ExpressionId) -> Option<LambdaId> {
        let mut outermost = self.procedure(node)?;
        while let Some(around) = self.procedure(program.lambda(outermost).node) {
            outermost = around;
        }
        Some(outermost)
    }

    /// Returns the outermost node of the same body whose value awaits that of the node, directly or not: the end of the
    /// chain of frames that an evaluation of the node has in its activation. Returns the node itself if nothing awaits
    /// it.
    pub fn outermost(&self, node: ExpressionId) -> ExpressionId {
        self.get(node).outermost.unwrap_or(node)
    }

    /// Returns true if the second node is the first or is contained in it, in the body of the same procedure.
    pub fn contains(&self, outer: ExpressionId, inner: ExpressionId) -> bool {
        let (outer, inner) = (self.get(outer), self.get(inner));
        outer.procedure == inner.procedure && outer.entered <= inner.entered && inner.entered <= outer.last_within
    }

    /// Returns the preorder number of the second node relative to the first: its position within the first.
    pub fn distance(&self, outer: ExpressionId, inner: ExpressionId) -> u32 {
        self.get(inner).entered.wrapping_sub(self.get(outer).entered)
    }

    fn get(&self, node: ExpressionId) -> NodeRange {
        self.nodes.get(node.0 as usize).copied().unwrap_or_default()
    }

    fn set(&mut self, node: ExpressionId, range: NodeRange) {
        if let Some(place) = self.nodes.get_mut(node.0 as usize) {
            *place = range;
        }
    }
}

impl Visit {
    /// Returns the first visit to the body of a procedure, or to an expression at top level.
    fn body(node: ExpressionId, procedure: Option<LambdaId>) -> Visit {
        Visit::Enter { node, procedure, outermost: None }
    }
}

/// Schedules the parts of a node and the bodies of the procedures that it makes. The lambda of a `let` is not a
/// procedure of its own.
fn push_parts(
    program: &Program,
    node: ExpressionId,
    procedure: Option<LambdaId>,
    outermost: Option<ExpressionId>,
    pending: &mut Vec<Visit>,
) {
    // A part in tail position is awaited by the nodes that await its node; any other part also by the node itself.
    let tail = |node| Visit::Enter { node, procedure, outermost };
    let awaited = |part| Visit::Enter { node: part, procedure, outermost: outermost.or(Some(node)) };
    match program.expression(node) {
        Expression::Constant(_) | Expression::Variable(_) => {}
        Expression::Lambda(lambda) => pending.push(Visit::body(program.lambda(lambda).body, Some(lambda))),
        Expression::Application { operator, operand } => pending.extend([awaited(operator), awaited(operand)]),
        Expression::Let { lambda, operand, .. } => {
            pending.extend([tail(program.lambda(lambda).body), awaited(operand)]);
        }
        Expression::Cons { first, second } => pending.extend([awaited(first), awaited(second)]),
        Expression::If { test, consequent, alternative } => {
            pending.extend([awaited(test), tail(consequent), tail(alternative)]);
        }
        Expression::Letrec { group, body } => {
            let members = &program.group(group).members;
            pending.extend(members.iter().map(|member| Visit::body(program.lambda(*member).body, Some(*member))));
            pending.push(tail(body));
        }
    }
}
