//! Warnings about squares of norms.
//!
//! A norm is a square root, which has no derivative at 0. Its square has, but the second derivatives of a product of the norm with
//! itself come out as 0 there: the coefficients of the root are infinite, the factors are 0, and such products count as 0 (report,
//! 9.3). The sum of the squares is the same number, with the right derivatives.

use super::{Callee, Checker};
use crate::resolve::scope::Variable;
use vlad_core::Constant;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::named::{Node, NodeId};
use vlad_table::Primitive;

/// The procedures of the prelude and of libraries that are norms, with procedures that compute their squares.
const NORMS: [(&str, &str); 5] = [
    ("magnitude", "(reduce + 0 (map sqr v))"),
    ("distance", "(reduce + 0 (map sqr (v- u v)))"),
    ("vector-norm", "(vector-norm-squared v)"),
    ("matrix-norm", "the sum of (vector-norm-squared row) over the rows"),
    ("tree-norm", "(tree-dot x x)"),
];

impl Checker<'_> {
    /// Returns the warning about an application that squares a norm.
    pub(super) fn square_of_norm(&self, node: NodeId, callee: Callee, operand: NodeId) -> Option<Diagnostic> {
        let squared = self.squared(callee, operand)?;
        let (norm, other) = self.norm(squared)?;
        let message = format!("second derivatives of the square of `{norm}` are 0 where the norm is 0");
        let diagnostic = Diagnostic::new(Kind::Derivative, self.unresolved.named.span(node), message);
        Some(diagnostic.with_hint(format!("the same number with right derivatives: {other}")))
    }

    /// The node whose value an application squares.
    fn squared(&self, callee: Callee, operand: NodeId) -> Option<NodeId> {
        let named = self.unresolved.named;
        match (callee, named.node(operand)) {
            (Callee::Lambda(_), _) if self.name(callee)? == "sqr" => Some(operand),
            (Callee::Primitive(Primitive::Multiply), Node::Cons(first, second)) => {
                let variable = self.scopes.variable(first)?;
                (self.scopes.variable(second) == Some(variable)).then_some(first)
            }
            (Callee::Primitive(Primitive::Power), Node::Cons(base, exponent)) => {
                let Node::Constant(constant) = named.node(exponent) else { return None };
                matches!(named.constant(constant), Constant::Real(real) if *real == 2.0).then_some(base)
            }
            (Callee::Lambda(_) | Callee::Primitive(_), _) => None,
        }
    }

    /// The norm that a node, or what a `let` binds to it, applies.
    fn norm(&self, node: NodeId) -> Option<(&'static str, &'static str)> {
        let value = match self.scopes.variable(node) {
            Some(Variable::Pattern(pattern)) => self.bound.get(&pattern).copied()?,
            _ => node,
        };
        let Node::Application(operator, _) = self.unresolved.named.node(value) else { return None };
        let name = self.name(self.callee(operator)?)?;
        NORMS.into_iter().find(|(norm, _)| *norm == name)
    }

    /// The name of the procedure that is called.
    fn name(&self, callee: Callee) -> Option<&str> {
        let Callee::Lambda(lambda) = callee else { return None };
        self.unresolved.named.lambda(lambda).name.map(|name| self.unresolved.names.text(name))
    }
}
