//! Calls of procedures in other languages, for which interfaces stand.
//!
//! Such a procedure has the name of its interface in lower case, with `-` for `_`. Its operands are numbers, truth values,
//! vectors and procedures; each result is checked to be what the interface says.

use crate::check::entities::{Callee, Meaning, VarId, VarKind};
use crate::lower::Lowering;
use crate::syntax::tree::{ExprId, Type};
use vlad_core::source::Span;
use vlad_language::named::{NamedPatternId, NodeId};
use vlad_language::names::NameId;
use vlad_table::Primitive;

impl Lowering<'_> {
    /// Lowers the statement of an interface: the call, and the binding of its results.
    pub(super) fn foreign_call(&mut self, operands: &[ExprId], results: &[ExprId], span: Span) {
        let own = self.program.unit(self.unit).name.name;
        let procedure = self.names.text(own).to_ascii_lowercase().replace('_', "-");
        let name = self.names.intern(&procedure);
        let operands: Vec<NodeId> = operands.iter().map(|operand| self.given(*operand, span)).collect();
        let operator = self.name(name, span);
        let call = self.call(operator, operands, span);
        let vars: Vec<VarId> = results.iter().filter_map(|result| self.variable_of(*result)).collect();
        let returned: Vec<NameId> = vars.iter().map(|_| self.fresh()).collect();
        match returned.as_slice() {
            [] => self.effect(call, span),
            [only] => self.bind(*only, call, span),
            several => {
                self.require_tuple(call, several, &procedure, span);
            }
        }
        for (var, value) in vars.into_iter().zip(returned) {
            self.take_result(var, value, &procedure, span);
        }
    }

    fn variable_of(&self, id: ExprId) -> Option<VarId> {
        match self.checked.entities.meaning(id) {
            Meaning::Variable(var) | Meaning::Procedure(Callee::Parameter(var)) => Some(var),
            Meaning::None
            | Meaning::Element(_)
            | Meaning::Call(_)
            | Meaning::Procedure(Callee::Unit(_))
            | Meaning::Intrinsic(_) => None,
        }
    }

    /// Returns a parameter as an operand: of an array the elements that its bounds name.
    fn given(&mut self, operand: ExprId, span: Span) -> NodeId {
        let Some(var) = self.variable_of(operand) else { return self.nil(span) };
        if !self.checked.entities.is_array(var) || self.has_assumed_size(var) {
            return self.var(var, span);
        }
        let (vector, size) = (self.var(var, span), self.size(var, span));
        let length = self.apply(Primitive::VectorLength, vec![vector], span);
        let is_whole = self.apply(Primitive::Equal, vec![length, size], span);
        let (index, vector) = (self.fresh(), self.var(var, span));
        let place = self.name(index, span);
        let element = self.apply(Primitive::Get, vec![vector, place], span);
        let pattern = self.name_pattern(index, span);
        let lambda = self.lambda(None, pattern, element, span);
        let lambda = self.lambda_node(lambda, span);
        let size = self.size(var, span);
        let part = self.apply_named("build", vec![size, lambda], span);
        let whole = self.var(var, span);
        self.choice(is_whole, whole, part, span)
    }

    /// Binds the parts of a tuple to names; fails at run time if a value is no tuple of so many.
    fn require_tuple(&mut self, call: NodeId, names: &[NameId], procedure: &str, span: Span) {
        let message = self.names.hidden(&format!("`{procedure}` does not return {} values", names.len()));
        let patterns: Vec<NamedPatternId> = names.iter().map(|name| self.name_pattern(*name, span)).collect();
        let pattern = self.tuple_pattern(patterns, span);
        let body = self.named.reserve(span);
        let lambda = self.lambda(Some(message), pattern, body, span);
        let operator = self.lambda_node(lambda, span);
        self.fill(vlad_language::named::Node::Application(operator, call), span);
        self.hole = body;
    }

    /// Assigns a result to a variable, after checking that it is what the interface says.
    fn take_result(&mut self, var: VarId, value: NameId, procedure: &str, span: Span) {
        let about = self.checked.entities.var(var);
        let name = self.names.text(about.name).to_owned();
        match &about.kind {
            VarKind::Scalar(kind) => {
                let kind = *kind;
                let test = self.is_of_type(value, kind, span);
                self.require(test, &format!("`{procedure}` returns no {} for {name}", kind.text()), span);
                let mut node = self.name(value, span);
                if kind == Type::Integer {
                    node = self.without_sign_of_zero(node, span);
                }
                self.bind_var(var, node, span);
            }
            VarKind::Array(kind, _) => {
                let kind = *kind;
                self.require_elements(var, value, (procedure, &name), kind, span);
                let array = self.name_of(var);
                let whole = self.copied_elements(array, value, [var, var], span);
                self.bind_var(var, whole, span);
            }
            VarKind::Procedure(_) | VarKind::State | VarKind::Depth => {}
        }
    }

    /// Fails at run time unless a value is a vector with as many elements as an array, of its type.
    fn require_elements(&mut self, var: VarId, value: NameId, (procedure, name): (&str, &str), kind: Type, span: Span) {
        let vector = self.name(value, span);
        let test = self.apply(Primitive::IsVector, vec![vector], span);
        self.require(test, &format!("`{procedure}` returns no vector for {name}"), span);
        let (vector, count) = (self.name(value, span), self.element_count(var, span));
        let length = self.apply(Primitive::VectorLength, vec![vector], span);
        let test = self.apply(Primitive::Equal, vec![length, count], span);
        self.require(test, &format!("`{procedure}` returns a vector of another size for {name}"), span);
        let (so_far, index, element) = (self.fresh(), self.fresh(), self.fresh());
        let (vector, place) = (self.name(value, span), self.name(index, span));
        let read = self.apply(Primitive::Get, vec![vector, place], span);
        let test = self.is_of_type(element, kind, span);
        let pattern = self.name_pattern(element, span);
        let lambda = self.lambda(None, pattern, test, span);
        let operator = self.lambda_node(lambda, span);
        let test = self.call(operator, vec![read], span);
        let (before, no) = (self.name(so_far, span), self.boolean(false, span));
        let body = self.choice(before, test, no, span);
        let pattern = self.pattern(&[so_far, index], span);
        let lambda = self.lambda(None, pattern, body, span);
        let lambda = self.lambda_node(lambda, span);
        let (yes, count) = (self.boolean(true, span), self.element_count(var, span));
        let test = self.apply_named("ifold", vec![lambda, yes, count], span);
        self.require(
            test,
            &format!("`{procedure}` returns a vector with an element that is no {} for {name}", kind.text()),
            span,
        );
    }

    /// Returns a test of a value for being of a type.
    fn is_of_type(&mut self, value: NameId, kind: Type, span: Span) -> NodeId {
        let node = self.name(value, span);
        match kind {
            Type::Logical => self.apply(Primitive::IsBoolean, vec![node], span),
            Type::Real => self.apply(Primitive::IsReal, vec![node], span),
            Type::Integer => {
                let is_real = self.apply(Primitive::IsReal, vec![node], span);
                let (whole, given, no) = (self.name(value, span), self.name(value, span), self.boolean(false, span));
                let whole = self.apply(Primitive::Truncate, vec![whole], span);
                let is_whole = self.apply(Primitive::Equal, vec![given, whole], span);
                self.choice(is_real, is_whole, no, span)
            }
        }
    }
}
