//! Expressions.
//!
//! Calls are named first, from left to right, and plain variables are read after them. A call that binds nothing again
//! stays where it is, if nothing before it in the expression can fail.

use crate::check::entities::{Callee, Meaning, Origin, VarId, VarKind};
use crate::flow::effects::{self, Literal, arguments};
use crate::lower::Lowering;
use crate::syntax::tree::{Binary, Expr, ExprId, Parts, Type, Unary};
use rustc_hash::FxHashMap;
use vlad_core::source::Span;
use vlad_language::named::{Named, NamedPattern, Node, NodeId};
use vlad_table::Primitive;

impl Lowering<'_> {
    /// Returns the node of an expression; calls in it may be bound in the hole.
    pub(super) fn expression(&mut self, root: ExprId) -> NodeId {
        let stays = self.calls_stay(root);
        let mut nodes: FxHashMap<ExprId, NodeId> = FxHashMap::default();
        self.mark_places(root);
        for id in self.tree.range(root) {
            let node = self.node(id, &mut nodes, stays);
            nodes.insert(id, node);
        }
        nodes.remove(&root).unwrap_or_else(|| self.nil(self.tree.span(root)))
    }

    /// Returns true if the calls of an expression need no names.
    fn calls_stay(&self, root: ExprId) -> bool {
        self.tree.range(root).all(|id| match (self.tree.expr(id), self.checked.entities.meaning(id)) {
            (Expr::Binary(Binary::And | Binary::Or, ..), _) | (_, Meaning::Element(_)) => false,
            (_, Meaning::Call(callee)) => self.yields_only_a_value(id, callee),
            _ => true,
        })
    }

    /// Returns true if a call has no result beside the function's.
    fn yields_only_a_value(&self, call: ExprId, callee: Callee) -> bool {
        let convention = self.plan.conventions.of(callee);
        let is_alone = match callee {
            Callee::Unit(unit) => self.plan.effects(unit).writes.is_empty(),
            Callee::Parameter(_) => true,
        };
        is_alone
            && !convention.takes_state
            && arguments(self.tree, call).iter().zip(&convention.assigned).all(|(_, assigned)| !assigned)
    }

    fn node(&mut self, id: ExprId, nodes: &mut FxHashMap<ExprId, NodeId>, stays: bool) -> NodeId {
        let span = self.tree.span(id);
        match self.tree.expr(id) {
            Expr::Integer(value) | Expr::Real(value) => self.real(value, span),
            Expr::Logical(value) => self.boolean(value, span),
            Expr::Unary(operation, operand) => {
                let node = self.taken(operand, nodes);
                self.unary(operation, operand, node, span)
            }
            Expr::Binary(operation, first, second) => {
                let (left, right) = (self.taken(first, nodes), self.taken(second, nodes));
                let is_whole =
                    [first, second].iter().all(|part| self.checked.entities.type_of(*part) == Some(Type::Integer));
                let has_literal = [first, second]
                    .iter()
                    .any(|part| matches!(self.tree.expr(*part), Expr::Integer(value) if value > 0.0));
                self.binary(operation, left, right, if is_whole { Some(has_literal) } else { None }, span)
            }
            Expr::Name(_) => match self.checked.entities.meaning(id) {
                Meaning::Variable(var) => match effects::literal(self.tree, &self.checked.entities, var) {
                    Some(Literal::Number(value)) => self.real(value, span),
                    Some(Literal::Logical(value)) => self.boolean(value, span),
                    None if self.may_be_no_truth(var) => self.checked_truth(var, span),
                    None => self.var(var, span),
                },
                Meaning::Procedure(Callee::Parameter(var)) => self.var(var, span),
                // Its form depends on the parameter that it is given for; see `call`.
                Meaning::Procedure(Callee::Unit(unit)) => self.procedure(unit, span),
                Meaning::None | Meaning::Element(_) | Meaning::Call(_) | Meaning::Intrinsic(_) => self.nil(span),
            },
            Expr::Apply(_, parts) => match self.checked.entities.meaning(id) {
                Meaning::Element(var) => {
                    let subscripts = self.taken_all(parts, nodes);
                    let written = self.tree.parts(parts).to_vec();
                    let mut place = self.place(var, subscripts, &written, span);
                    if self.places.contains_key(&id) {
                        let name = self.bind_fresh(place, span);
                        self.places.insert(id, name);
                        place = self.name(name, span);
                    }
                    let array = self.var(var, span);
                    self.note_element(var, span);
                    self.apply(Primitive::Get, vec![array, place], span)
                }
                Meaning::Intrinsic(intrinsic) => {
                    let operands = self.taken_all(parts, nodes);
                    let kind = self.checked.entities.type_of(id);
                    self.intrinsic(intrinsic, operands, kind, span)
                }
                Meaning::Call(callee) => {
                    let nodes: Vec<NodeId> = self.taken_all(parts, nodes);
                    let operands = self.tree.parts(parts).iter().zip(nodes);
                    let operands = operands.map(|(part, node)| self.by_reference(*part).unwrap_or(node)).collect();
                    self.function_call(id, callee, operands, stays, span)
                }
                Meaning::None | Meaning::Variable(_) | Meaning::Procedure(_) => self.nil(span),
            },
        }
    }

    /// Returns true for a variable of a truth value that may have none: one that no path to here need have assigned.
    fn may_be_no_truth(&self, var: VarId) -> bool {
        let about = self.checked.entities.var(var);
        let is_sure = about.owner == self.unit && !matches!(about.origin, Origin::Parameter(_));
        about.kind == VarKind::Scalar(Type::Logical) && (!is_sure || self.unassigned.contains(&var))
    }

    /// Returns a truth value; fails at run time if the variable has none.
    fn checked_truth(&mut self, var: VarId, span: Span) -> NodeId {
        let value = self.var(var, span);
        let pattern = self.named.add_pattern(NamedPattern::Constant(Named::TRUE), span);
        let message = format!("{} has no value", self.names.text(self.checked.entities.var(var).name));
        let message = self.names.hidden(&message);
        let lambda = self.lambda(Some(message), pattern, value, span);
        let operator = self.lambda_node(lambda, span);
        let value = self.var(var, span);
        let test = self.apply(Primitive::IsBoolean, vec![value], span);
        self.named.add(Node::Application(operator, test), span)
    }

    /// Returns an argument that is a variable, whose value is not needed by who passes it.
    pub(super) fn by_reference(&mut self, argument: ExprId) -> Option<NodeId> {
        match (self.tree.expr(argument), self.checked.entities.meaning(argument)) {
            (Expr::Name(_), Meaning::Variable(var)) if self.may_be_no_truth(var) => {
                Some(self.var(var, self.tree.span(argument)))
            }
            _ => None,
        }
    }

    fn taken(&mut self, id: ExprId, nodes: &mut FxHashMap<ExprId, NodeId>) -> NodeId {
        nodes.remove(&id).unwrap_or_else(|| self.nil(self.tree.span(id)))
    }

    fn taken_all(&mut self, parts: Parts, nodes: &mut FxHashMap<ExprId, NodeId>) -> Vec<NodeId> {
        let tree = self.tree;
        tree.parts(parts).iter().map(|part| self.taken(*part, nodes)).collect()
    }

    fn unary(&mut self, operation: Unary, operand: ExprId, node: NodeId, span: Span) -> NodeId {
        match operation {
            Unary::Group | Unary::Plus => node,
            Unary::Not => self.apply(Primitive::Not, vec![node], span),
            Unary::Minus => match self.tree.expr(operand) {
                Expr::Integer(value) | Expr::Real(value) => {
                    let is_whole = matches!(self.tree.expr(operand), Expr::Integer(_));
                    let value = if is_whole { 0.0 - value } else { -value };
                    let constant = self.named.add_constant(vlad_core::Constant::Real(value));
                    self.named.set(node, Node::Constant(constant));
                    self.named.set_span(node, span);
                    node
                }
                _ if self.checked.entities.type_of(operand) == Some(Type::Integer) => {
                    let zero = self.real(0.0, span);
                    self.apply(Primitive::Subtract, vec![zero, node], span)
                }
                _ => self.apply(Primitive::Subtract, vec![node], span),
            },
        }
    }

    /// Returns an operation; for operands that are both integers it is said if one of them is a positive literal.
    fn binary(&mut self, operation: Binary, first: NodeId, second: NodeId, whole: Option<bool>, span: Span) -> NodeId {
        let primitive = match operation {
            Binary::Add => Primitive::Add,
            Binary::Subtract => Primitive::Subtract,
            Binary::Multiply => Primitive::Multiply,
            Binary::Divide => Primitive::Divide,
            Binary::Power => Primitive::Power,
            Binary::Equal | Binary::NotEqual => Primitive::Equal,
            Binary::Less => Primitive::Less,
            Binary::LessOrEqual => Primitive::NotGreater,
            Binary::Greater => Primitive::Greater,
            Binary::GreaterOrEqual => Primitive::NotLess,
            Binary::Equivalent | Binary::NotEquivalent => Primitive::SameValue,
            Binary::And => {
                let no = self.boolean(false, span);
                return self.choice(first, second, no, span);
            }
            Binary::Or => {
                let yes = self.boolean(true, span);
                return self.choice(first, yes, second, span);
            }
        };
        let result = self.apply(primitive, vec![first, second], span);
        match (operation, whole) {
            (Binary::NotEqual | Binary::NotEquivalent, _) => self.apply(Primitive::Not, vec![result], span),
            // A product with a positive literal has the sign of the other factor, which is no negative zero.
            (Binary::Multiply, Some(false)) => self.without_sign_of_zero(result, span),
            (Binary::Divide | Binary::Power, Some(_)) => {
                let whole = self.apply(Primitive::Truncate, vec![result], span);
                self.without_sign_of_zero(whole, span)
            }
            _ => result,
        }
    }
}
