//! Loops.
//!
//! The number of turns of a `DO` is fixed when it begins: max(0, int((e2 - e1 + e3) / e3)). The index has the value
//! e1 + k e3 in turn k, and behind the loop that of the turn that would be next.

use crate::farfel::check::entities::{Meaning, VarId};
use crate::farfel::lower::Lowering;
use crate::farfel::lower::parts::End;
use crate::farfel::program::units::{BlockId, Item};
use crate::farfel::syntax::tree::{Expr, ExprId, Type};
use crate::named::{Node, NodeId};
use crate::names::NameId;
use vlad_core::source::Span;
use vlad_table::Primitive;

/// A number that is known, or has a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Known(f64),
    Named(NameId),
}

/// The beginning and step of a loop, and the number of turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    from: Number,
    step: Number,
    /// The number of turns.
    pub(super) turns: Number,
}

impl Lowering<'_> {
    /// Binds the bounds of a loop where they are no literals.
    pub(super) fn range(&mut self, range: [Option<ExprId>; 3], kind: Type, span: Span) -> Range {
        let [from, to, step] = range;
        let from = from.map_or(Number::Known(1.0), |bound| self.number(bound, kind));
        let to = to.map_or(Number::Known(0.0), |bound| self.number(bound, kind));
        let step = step.map_or(Number::Known(1.0), |bound| self.number(bound, kind));
        let turns = match (from, to, step) {
            (Number::Known(from), Number::Known(to), Number::Known(step)) => {
                Number::Known(((to - from + step) / step).trunc().max(0.0))
            }
            _ => {
                let turns = self.turns(from, to, step, kind, span);
                Number::Named(self.bind_fresh(turns, span))
            }
        };
        Range { from, step, turns }
    }

    fn number(&mut self, bound: ExprId, kind: Type) -> Number {
        let sign = |number: f64| 0.0 - number;
        match self.tree.expr(bound) {
            Expr::Integer(value) => return Number::Known(value),
            Expr::Unary(crate::farfel::syntax::tree::Unary::Minus, inner) => {
                if let Expr::Integer(value) = self.tree.expr(inner) {
                    return Number::Known(sign(value));
                }
            }
            Expr::Name(_) => {
                if let Meaning::Variable(var) = self.checked.entities.meaning(bound)
                    && let Some(crate::farfel::flow::effects::Literal::Number(value)) =
                        crate::farfel::flow::effects::literal(self.tree, &self.checked.entities, var)
                {
                    return Number::Known(value);
                }
            }
            Expr::Real(_) | Expr::Logical(_) | Expr::Apply(..) | Expr::Unary(..) | Expr::Binary(..) => {}
        }
        let span = self.tree.span(bound);
        let node = self.converted(bound, kind);
        Number::Named(self.bind_fresh(node, span))
    }

    pub(super) fn node_of(&mut self, number: Number, span: Span) -> NodeId {
        match number {
            Number::Known(value) => self.real(value, span),
            Number::Named(name) => self.name(name, span),
        }
    }

    fn turns(&mut self, from: Number, to: Number, step: Number, kind: Type, span: Span) -> NodeId {
        let last = self.node_of(to, span);
        let counted = match (from, step, kind) {
            // The bounds of such a loop are whole.
            (Number::Known(1.0), Number::Known(1.0), Type::Integer) => last,
            (_, Number::Known(1.0), Type::Integer) => {
                let (first, one) = (self.node_of(from, span), self.real(1.0, span));
                let distance = self.apply(Primitive::Subtract, vec![last, first], span);
                self.apply(Primitive::Add, vec![distance, one], span)
            }
            _ => {
                let (first, stride) = (self.node_of(from, span), self.node_of(step, span));
                let distance = self.apply(Primitive::Subtract, vec![last, first], span);
                let distance = self.apply(Primitive::Add, vec![distance, stride], span);
                let stride = self.node_of(step, span);
                let turns = self.apply(Primitive::Divide, vec![distance, stride], span);
                self.apply(Primitive::Truncate, vec![turns], span)
            }
        };
        let zero = self.real(0.0, span);
        self.apply(Primitive::Maximum, vec![zero, counted], span)
    }

    /// Returns the index in a turn.
    pub(super) fn index(&mut self, range: Range, turn: NodeId, span: Span) -> NodeId {
        let distance = match range.step {
            Number::Known(1.0) => turn,
            step => {
                let step = self.node_of(step, span);
                self.apply(Primitive::Multiply, vec![turn, step], span)
            }
        };
        match range.from {
            Number::Known(0.0) if matches!(range.step, Number::Known(1.0)) => distance,
            from => {
                let from = self.node_of(from, span);
                self.apply(Primitive::Add, vec![from, distance], span)
            }
        }
    }

    pub(super) fn counted_loop(&mut self, item: &Item, index: ExprId, bounds: [Option<ExprId>; 3], body: BlockId) {
        let span = item.span;
        let Meaning::Variable(var) = self.checked.entities.meaning(index) else { return };
        let kind = self.checked.entities.element_type(var);
        let range = self.range(bounds, kind, span);
        let carried: Vec<VarId> = self.carried(item.id).into_iter().filter(|other| *other != var).collect();
        let names = self.names_of(&carried);
        let index_span = self.tree.span(index);
        let counter = self.fresh();
        if self.escapes.contains(&item.id) {
            let rest = self.begin_loop(&names, Some(counter), span, |lowering, next| {
                let (turn, turns) = (lowering.name(counter, span), lowering.node_of(range.turns, span));
                let test = lowering.apply(Primitive::Less, vec![turn, turns], span);
                let (inside, behind) = (lowering.named.reserve(span), lowering.named.reserve(span));
                lowering.fill(Node::If(test, inside, behind), span);
                lowering.hole = inside;
                let turn = lowering.name(counter, span);
                let value = lowering.index(range, turn, index_span);
                lowering.bind_var(var, value, index_span);
                lowering.block(body, &End::Next(next, Some(counter), carried.clone()), span);
                behind
            });
            self.hole = rest;
        } else {
            let inner = self.named.reserve(span);
            let state = self.pattern(&names, span);
            let turn = self.name_pattern(counter, span);
            let pattern = self.pair_pattern(state, turn, span);
            let lambda = self.lambda(None, pattern, inner, span);
            let lambda = self.lambda_node(lambda, span);
            let initial = names.iter().map(|name| self.name(*name, span)).collect();
            let initial = self.tuple(initial, span);
            let turns = self.node_of(range.turns, span);
            let node = self.apply_named("ifold", vec![lambda, initial, turns], span);
            let outer = self.bind_results(&names, node, span);
            self.hole = inner;
            let turn = self.name(counter, span);
            let value = self.index(range, turn, index_span);
            self.bind_var(var, value, index_span);
            self.block(body, &End::Values(carried), span);
            self.hole = outer;
        }
        self.is_reached = true;
        if self.outputs(item.id).contains(&var) {
            let turns = self.node_of(range.turns, span);
            let value = self.index(range, turns, index_span);
            self.bind_var(var, value, index_span);
        }
    }

    /// Fills the hole with a `letrec` of one procedure, and its first call; a function fills the procedure's body and
    /// returns what the loop is to return.
    fn begin_loop<T>(
        &mut self,
        names: &[NameId],
        counter: Option<NameId>,
        span: Span,
        body: impl FnOnce(&mut Self, NameId) -> T,
    ) -> T {
        let next = self.names.hidden("loop");
        let parameters: Vec<NameId> = counter.into_iter().chain(names.iter().copied()).collect();
        let pattern = self.pattern(&parameters, span);
        let inner = self.named.reserve(span);
        let lambda = self.lambda(Some(next), pattern, inner, span);
        let group = self.named.add_group(vec![(next, lambda)]);
        let begin = self.named.reserve(span);
        self.fill(Node::Letrec(group, begin), span);
        self.hole = begin;
        let mut operands: Vec<NodeId> = counter.map(|_| self.real(0.0, span)).into_iter().collect();
        operands.extend(names.iter().map(|name| self.name(*name, span)).collect::<Vec<_>>());
        self.fill_call(next, operands, span);
        self.hole = inner;
        body(self, next)
    }

    pub(super) fn conditional_loop(&mut self, item: &Item, test: ExprId, body: BlockId) {
        let span = item.span;
        let carried = self.carried(item.id);
        let names = self.names_of(&carried);
        let is_tail = self.escapes.contains(&item.id);
        let outer = if is_tail {
            None
        } else {
            let node = self.named.reserve(span);
            let outer = self.bind_results(&names, node, span);
            self.hole = node;
            Some(outer)
        };
        let behind = self.begin_loop(&names, None, span, |lowering, next| {
            let test = lowering.expression(test);
            let (inside, behind) = (lowering.named.reserve(span), lowering.named.reserve(span));
            lowering.fill(Node::If(test, inside, behind), span);
            lowering.hole = inside;
            lowering.block(body, &End::Next(next, None, carried.clone()), span);
            behind
        });
        self.hole = behind;
        if let Some(outer) = outer {
            self.finish(&End::Values(carried), span);
            self.hole = outer;
        }
        self.is_reached = true;
    }
}
