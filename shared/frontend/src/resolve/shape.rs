//! A bounded static analysis of the shape of a value: pair, empty list or other.

use crate::resolve::scope::{Scopes, Variable};
use vlad_core::Constant;
use vlad_language::named::{Named, Node, NodeId};
use vlad_table::{Form, ResultKind};

/// The greatest number of expressions that are inspected to find the shape of one.
const MOST_LOOKED_AT: usize = 32;

/// The shape of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A pair.
    Pair,
    /// The empty list.
    Empty,
    /// Neither of these.
    Other,
    /// Unknown, or not always the same.
    Unknown,
}

/// Returns the shape of the value of an expression, if all its possible values have the same one.
pub(super) fn shape(named: &Named, scopes: &Scopes, node: NodeId) -> Shape {
    let mut found = None;
    let mut pending = vec![node];
    for _ in 0..MOST_LOOKED_AT {
        let Some(node) = pending.pop() else { break };
        let shape = match named.node(node) {
            Node::Constant(constant) => of_constant(named.constant(constant)),
            Node::Lambda(_) => Shape::Other,
            Node::Cons(..) => Shape::Pair,
            Node::Variable(_) => match scopes.variable(node) {
                Some(Variable::Primitive(_) | Variable::Prelude(_) | Variable::Member(..)) => Shape::Other,
                Some(Variable::Pattern(_) | Variable::Program(_)) | None => Shape::Unknown,
            },
            Node::Application(operator, _) => match named.node(operator) {
                Node::Lambda(lambda) => {
                    pending.push(named.lambda(lambda).body);
                    continue;
                }
                _ => match scopes.variable(operator) {
                    Some(Variable::Primitive(primitive)) => of_result(primitive.row().form),
                    _ => Shape::Unknown,
                },
            },
            Node::If(_, consequent, alternative) => {
                pending.extend([consequent, alternative]);
                continue;
            }
            Node::Letrec(_, body) => {
                pending.push(body);
                continue;
            }
        };
        match found {
            None => found = Some(shape),
            Some(same) if same == shape => {}
            Some(_) => return Shape::Unknown,
        }
    }
    if pending.is_empty() { found.unwrap_or(Shape::Unknown) } else { Shape::Unknown }
}

fn of_constant(constant: &Constant) -> Shape {
    match constant {
        Constant::Nil => Shape::Empty,
        Constant::Pair(..) => Shape::Pair,
        Constant::Boolean(_) | Constant::Real(_) | Constant::Vector(_) => Shape::Other,
    }
}

/// Returns the shape of the result of a primitive.
fn of_result(form: Form) -> Shape {
    match form.signature().result {
        ResultKind::Real | ResultKind::Boolean | ResultKind::Vector | ResultKind::Capsule => Shape::Other,
        ResultKind::Pair => Shape::Pair,
        ResultKind::Any => Shape::Unknown,
    }
}
