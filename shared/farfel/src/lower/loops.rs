//! Loops.
//!
//! The number of turns of a `DO` is fixed when it begins: max(0, int((e2 - e1 + e3) / e3)). The index has the value
//! e1 + k e3 in turn k, and behind the loop that of the turn that would be next.

use crate::check::entities::{Meaning, VarId};
use crate::flow::effects::{self, Literal};
use crate::lower::Lowering;
use crate::lower::parts::End;
use crate::program::units::{BlockId, Item, Node as Statement};
use crate::syntax::tree::{Action, Expr, ExprId, Row, Type, Unary};
use vlad_core::source::Span;
use vlad_language::named::{Node, NodeId};
use vlad_language::names::NameId;
use vlad_table::Primitive;

/// A number that is known, or has a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Known(f64),
    Named(NameId),
}

/// The most copies of statements that compiled code may have in place of a loop and those in it.
const MOST_COPIES: f64 = 64.0;

/// The beginning and step of a loop, and the number of turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    from: Number,
    step: Number,
    /// The number of turns.
    pub(super) turns: Number,
}

/// Returns the number of turns of a loop.
fn turns(from: f64, to: f64, step: f64) -> f64 {
    ((to - from + step) / step).trunc().max(0.0)
}

impl Lowering<'_> {
    /// Binds the bounds of a loop where they are no literals.
    pub(super) fn range(&mut self, range: [Option<ExprId>; 3], kind: Type, span: Span) -> Range {
        let [from, to, step] = range;
        let from = from.map_or(Number::Known(1.0), |bound| self.number(bound, kind));
        let to = to.map_or(Number::Known(0.0), |bound| self.number(bound, kind));
        let step = step.map_or(Number::Known(1.0), |bound| self.number(bound, kind));
        let turns = match (from, to, step) {
            (Number::Known(from), Number::Known(to), Number::Known(step)) => Number::Known(turns(from, to, step)),
            _ => {
                let turns = self.turns(from, to, step, kind, span);
                Number::Named(self.bind_fresh(turns, span))
            }
        };
        Range { from, step, turns }
    }

    fn number(&mut self, bound: ExprId, kind: Type) -> Number {
        if let Some(known) = self.known(bound) {
            return Number::Known(known);
        }
        let span = self.tree.span(bound);
        let node = self.converted(bound, kind);
        Number::Named(self.bind_fresh(node, span))
    }

    /// Returns the value of a bound that is a literal, or the name of one.
    fn known(&self, bound: ExprId) -> Option<f64> {
        match self.tree.expr(bound) {
            Expr::Integer(value) => Some(value),
            Expr::Unary(Unary::Minus, inner) => match self.tree.expr(inner) {
                Expr::Integer(value) => Some(0.0 - value),
                _ => None,
            },
            Expr::Name(_) => match self.checked.entities.meaning(bound) {
                Meaning::Variable(var) => match effects::literal(self.tree, &self.checked.entities, var) {
                    Some(Literal::Number(value)) => Some(value),
                    Some(Literal::Logical(_)) | None => None,
                },
                _ => None,
            },
            Expr::Real(_) | Expr::Logical(_) | Expr::Apply(..) | Expr::Unary(..) | Expr::Binary(..) => None,
        }
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

    /// Returns the number of turns of a loop. If it is known and small, and copies of the body for all turns would be many, it
    /// is given so that compiled code has the loop once. Of a long loop compiled code has no copies, and knows that it has a
    /// first turn.
    pub(super) fn turns_of_loop(&mut self, turns: Number, copies: f64, span: Span) -> NodeId {
        let node = self.node_of(turns, span);
        match turns {
            Number::Known(known) if known <= MOST_COPIES && known * copies > MOST_COPIES => {
                self.apply(Primitive::Real, vec![node], span)
            }
            Number::Known(_) | Number::Named(_) => node,
        }
    }

    /// Returns the number of turns of a `DO`, which stays known if the values of a row of `PRINT` depend on it.
    fn turns_of_body(&mut self, turns: Number, body: BlockId, span: Span) -> NodeId {
        let copies = if self.decides_a_row(body) { 0.0 } else { self.copies(body).max(1.0) };
        self.turns_of_loop(turns, copies, span)
    }

    /// Returns the number of copies that the bodies of the loops in a block have if each turn has its own.
    fn copies(&self, block: BlockId) -> f64 {
        let items = self.program.block(block).iter();
        items
            .map(|item| {
                let inner: f64 = item.node.blocks().into_iter().map(|block| self.copies(block)).sum();
                match &item.node {
                    Statement::Do(_, range, _) => inner.max(1.0) * self.known_turns(*range).unwrap_or(1.0),
                    Statement::Action(_) | Statement::If(..) | Statement::While(..) | Statement::Ad(..) => inner,
                }
            })
            .sum()
    }

    fn known_turns(&self, [from, to, step]: [Option<ExprId>; 3]) -> Option<f64> {
        let step = step.map_or(Some(1.0), |step| self.known(step))?;
        Some(turns(self.known(from?)?, self.known(to?)?, step))
    }

    /// Returns true if a loop adds to a row of `PRINT` in each turn, or has a loop in it that does so and whose bounds are
    /// not known: in compiled code a row has a known number of values.
    fn decides_a_row(&self, body: BlockId) -> bool {
        let adds = |block: BlockId| {
            let is_row = |item: &Item| matches!(item.node, Statement::Action(Action::Row(_, Row::Add(_))));
            self.program.block(block).iter().any(is_row)
        };
        let mut found = adds(body);
        self.program.visit(body, &mut |item| {
            if let Statement::Do(_, range, inner) = &item.node {
                found |= adds(*inner) && self.known_turns(*range).is_none();
            }
        });
        found
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
                let turns = lowering.turns_of_body(range.turns, body, span);
                let turn = lowering.name(counter, span);
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
            let turns = self.turns_of_body(range.turns, body, span);
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
