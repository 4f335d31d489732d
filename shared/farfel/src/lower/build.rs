//! The construction of named core: nodes, tuples, bindings.
//!
//! Code is made from the front: [`Lowering::hole`] is the node that is still to be filled in, and binding something fills
//! it with a `let` whose body is the next hole. So the length of a program needs no host stack.

use crate::check::entities::VarId;
use crate::lower::Lowering;
use vlad_core::source::Span;
use vlad_core::{Constant, ConstantId};
use vlad_language::named::{Named, NamedLambda, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_table::Primitive;

impl Lowering<'_> {
    pub(super) fn constant(&mut self, constant: ConstantId, span: Span) -> NodeId {
        self.named.add(Node::Constant(constant), span)
    }

    pub(super) fn real(&mut self, value: f64, span: Span) -> NodeId {
        let constant = self.named.add_constant(Constant::Real(value));
        self.constant(constant, span)
    }

    pub(super) fn nil(&mut self, span: Span) -> NodeId {
        self.constant(Named::NIL, span)
    }

    pub(super) fn boolean(&mut self, value: bool, span: Span) -> NodeId {
        self.constant(if value { Named::TRUE } else { Named::FALSE }, span)
    }

    /// Returns a constant vector of the codes of a text.
    pub(super) fn text(&mut self, text: &str, span: Span) -> NodeId {
        let codes =
            text.chars().map(|character| self.named.add_constant(Constant::Real(f64::from(u32::from(character)))));
        let codes: Vec<ConstantId> = codes.collect();
        let constant = self.named.add_constant(Constant::Vector(codes.into()));
        self.constant(constant, span)
    }

    pub(super) fn name(&mut self, name: NameId, span: Span) -> NodeId {
        self.named.add(Node::Variable(name), span)
    }

    pub(super) fn var(&mut self, var: VarId, span: Span) -> NodeId {
        let name = self.name_of(var);
        self.name(name, span)
    }

    /// Returns the name of a variable in core.
    pub(super) fn name_of(&self, var: VarId) -> NameId {
        self.var_names.get(var.0 as usize).copied().unwrap_or(Names::IGNORED)
    }

    /// Returns a name that no other code of the subprogram has.
    pub(super) fn fresh(&mut self) -> NameId {
        let number = self.next_fresh;
        self.next_fresh += 1;
        match self.fresh_names.get(number) {
            Some(name) => *name,
            None => {
                let name = self.names.hidden(&format!("t{}", number + 1));
                self.fresh_names.push(name);
                name
            }
        }
    }

    /// Returns a node for the tuple of some operands.
    pub(super) fn tuple(&mut self, operands: Vec<NodeId>, span: Span) -> NodeId {
        let pair = |named: &mut Named, rest: NodeId, first: NodeId| named.add(Node::Cons(first, rest), span);
        let named = &mut *self.named;
        let tuple = operands.into_iter().rev().reduce(|rest, first| pair(named, rest, first));
        tuple.unwrap_or_else(|| self.nil(span))
    }

    /// Returns a node for the list of some elements.
    pub(super) fn cons(&mut self, first: NodeId, rest: NodeId, span: Span) -> NodeId {
        self.named.add(Node::Cons(first, rest), span)
    }

    pub(super) fn call(&mut self, operator: NodeId, operands: Vec<NodeId>, span: Span) -> NodeId {
        let operand = self.tuple(operands, span);
        self.named.add(Node::Application(operator, operand), span)
    }

    /// Returns the application of a primitive.
    pub(super) fn apply(&mut self, primitive: Primitive, operands: Vec<NodeId>, span: Span) -> NodeId {
        let operator = self.name(Names::primitive(primitive), span);
        self.call(operator, operands, span)
    }

    /// Returns the application of a procedure of the prelude.
    pub(super) fn apply_named(&mut self, procedure: &str, operands: Vec<NodeId>, span: Span) -> NodeId {
        let name = self.names.intern(procedure);
        let operator = self.name(name, span);
        self.call(operator, operands, span)
    }

    pub(super) fn choice(&mut self, test: NodeId, consequent: NodeId, alternative: NodeId, span: Span) -> NodeId {
        self.named.add(Node::If(test, consequent, alternative), span)
    }

    pub(super) fn name_pattern(&mut self, name: NameId, span: Span) -> NamedPatternId {
        self.named.add_pattern(NamedPattern::Variable(name), span)
    }

    pub(super) fn pattern(&mut self, names: &[NameId], span: Span) -> NamedPatternId {
        let patterns: Vec<NamedPatternId> = names.iter().map(|name| self.name_pattern(*name, span)).collect();
        self.tuple_pattern(patterns, span)
    }

    pub(super) fn tuple_pattern(&mut self, patterns: Vec<NamedPatternId>, span: Span) -> NamedPatternId {
        let named = &mut *self.named;
        let tuple =
            patterns.into_iter().rev().reduce(|rest, first| named.add_pattern(NamedPattern::Pair(first, rest), span));
        tuple.unwrap_or_else(|| self.named.add_pattern(NamedPattern::Constant(Named::NIL), span))
    }

    /// Returns the pattern of names with their places; each pair begins where its first half does, as in a list of parameters.
    pub(super) fn parameters_pattern(&mut self, names: &[(NameId, Span)], span: Span) -> NamedPatternId {
        let mut rest: Option<(NamedPatternId, u32)> = None;
        for (name, own) in names.iter().rev() {
            let pattern = self.name_pattern(*name, *own);
            rest = Some(match rest {
                None => (pattern, own.end),
                Some((rest, end)) => {
                    let end = end.max(own.end);
                    (self.pair_pattern(pattern, rest, Span::new(own.file, own.start, end)), end)
                }
            });
        }
        match rest {
            Some((pattern, _)) => pattern,
            None => self.tuple_pattern(vec![], span),
        }
    }

    pub(super) fn pair_pattern(&mut self, first: NamedPatternId, second: NamedPatternId, span: Span) -> NamedPatternId {
        self.named.add_pattern(NamedPattern::Pair(first, second), span)
    }

    /// Returns a procedure with the body, which may be a hole.
    pub(super) fn lambda(
        &mut self,
        name: Option<NameId>,
        pattern: NamedPatternId,
        body: NodeId,
        span: Span,
    ) -> NamedLambdaId {
        self.named.add_lambda(NamedLambda { name, pattern, body, span })
    }

    pub(super) fn lambda_node(&mut self, lambda: NamedLambdaId, span: Span) -> NodeId {
        self.named.add(Node::Lambda(lambda), span)
    }

    /// Returns `((lambda (name ...) body) operand ...)` where the body is made of the names.
    pub(super) fn let_in(
        &mut self,
        operands: Vec<NodeId>,
        span: Span,
        body: impl FnOnce(&mut Self, &[NameId]) -> NodeId,
    ) -> NodeId {
        let names: Vec<NameId> = operands.iter().map(|_| self.fresh()).collect();
        let pattern = self.pattern(&names, span);
        let body = body(self, &names);
        let lambda = self.lambda(None, pattern, body, span);
        let operator = self.lambda_node(lambda, span);
        self.call(operator, operands, span)
    }

    /// Fills the hole with `(let ((pattern value)) hole)`.
    pub(super) fn bind_pattern(&mut self, pattern: NamedPatternId, value: NodeId, span: Span) {
        let body = self.named.reserve(span);
        let lambda = self.lambda(None, pattern, body, span);
        let operator = self.lambda_node(lambda, span);
        self.named.set(self.hole, Node::Application(operator, value));
        self.named.set_span(self.hole, span);
        self.hole = body;
    }

    pub(super) fn bind(&mut self, name: NameId, value: NodeId, span: Span) {
        let pattern = self.name_pattern(name, span);
        self.bind_pattern(pattern, value, span);
    }

    pub(super) fn bind_var(&mut self, var: VarId, value: NodeId, span: Span) {
        let name = self.name_of(var);
        self.bind(name, value, span);
    }

    /// Binds a value to a name that nothing else has, and returns it.
    pub(super) fn bind_fresh(&mut self, value: NodeId, span: Span) -> NameId {
        let name = self.fresh();
        self.bind(name, value, span);
        name
    }

    /// Evaluates something for its effect.
    pub(super) fn effect(&mut self, value: NodeId, span: Span) {
        self.bind(Names::IGNORED, value, span);
    }

    /// Fills the hole with a value that has been made already.
    pub(super) fn fill(&mut self, node: Node, span: Span) {
        self.named.set(self.hole, node);
        self.named.set_span(self.hole, span);
    }

    /// Fills the hole with the tuple of some names.
    pub(super) fn fill_tuple(&mut self, names: &[NameId], span: Span) {
        let node = match names {
            [] => Node::Constant(Named::NIL),
            [only] => Node::Variable(*only),
            [first, rest @ ..] => {
                let first = self.name(*first, span);
                let rest = rest.iter().map(|name| self.name(*name, span)).collect::<Vec<_>>();
                let rest = self.tuple(rest, span);
                Node::Cons(first, rest)
            }
        };
        self.fill(node, span);
    }

    /// Fills the hole with a call of a name on names.
    pub(super) fn fill_call(&mut self, operator: NameId, operands: Vec<NodeId>, span: Span) {
        let operator = self.name(operator, span);
        let operand = self.tuple(operands, span);
        self.fill(Node::Application(operator, operand), span);
    }
}
