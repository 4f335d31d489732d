//! Desugaring of applications and of the syntax of pairs: `(f a b c)` is f applied to `(cons a (cons b c))`; `cons*`,
//! `list` and `vector`.

use crate::vlad::expand::{Expander, Form, PendingExpansion};
use crate::vlad::prelude;
use crate::vlad::syntax::tree::{Datum, DatumId, Parts};
use vlad_core::source::Span;
use vlad_language::named::{Named, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_table::Primitive;

/// One of the expressions that a tuple is made of.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    /// The expression; none if it is missing, which has been reported.
    pub(super) datum: Option<DatumId>,
    /// The name that it is bound to, which becomes the name of a procedure.
    pub(super) name: Option<NameId>,
}

/// The spans of the pairs of a tuple.
#[derive(Clone, Copy)]
pub(super) enum PairSpans {
    /// The span of each pair goes from its own operand to the last.
    ToTheLast,
    /// All pairs have the span of the form.
    Form(Span),
}

/// The content of the last pair of a tuple.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TupleEnd {
    /// The last two operands.
    Operand,
    /// The last operand and the empty list.
    EmptyList,
}

/// Returns true if the number of written operands may decide the meaning of an application of a name.
fn minds_operands(name: &str) -> bool {
    prelude::variadic_rewrite(name).is_some() || Primitive::named(name).is_some_and(Primitive::minds_operands)
}

impl Expander<'_> {
    /// `(f a b c)`: f applied to `(cons a (cons b c))`. The number of written operands is recorded if it may matter.
    pub(super) fn expand_application(&mut self, into: NodeId, operator: DatumId, operands: Parts) {
        let written = operator;
        let operator = self.expression(written, None);
        if let Datum::Name(name) = self.tree.datum(written)
            && minds_operands(self.names.text(name))
        {
            self.named.note_operands(operator, operands.count());
        }
        let whole = self.named.span(into);
        let operand = self.named.reserve(self.tree.span_of(operands).unwrap_or(whole));
        self.named.set(into, Node::Application(operator, operand));
        self.tuple_of(operand, operands, PairSpans::ToTheLast, TupleEnd::Operand);
    }

    /// `(cons a b)`.
    pub(super) fn expand_cons(&mut self, into: NodeId, form: Form) {
        let [first, second] = *self.tree.parts(form.operands) else {
            return self.malformed(form, "(cons first second)");
        };
        let first = self.expression(first, None);
        let second = self.expression(second, None);
        self.named.set(into, Node::Cons(first, second));
    }

    /// `(cons* a b c)`: `(cons a (cons b c))`.
    pub(super) fn expand_cons_star(&mut self, into: NodeId, form: Form) {
        self.tuple_of(into, form.operands, PairSpans::Form(form.span), TupleEnd::Operand);
    }

    /// `(list a b c)`: `(cons a (cons b (cons c ())))`.
    pub(super) fn expand_list(&mut self, into: NodeId, form: Form) {
        self.tuple_of(into, form.operands, PairSpans::Form(form.span), TupleEnd::EmptyList);
    }

    /// `(vector a b)`: the primitive `list->vector` applied to `(list a b)`.
    pub(super) fn expand_vector(&mut self, into: NodeId, form: Form) {
        let operator = self.named.add(Node::Variable(Names::primitive(Primitive::ListToVector)), form.span);
        let operand = self.named.reserve(form.span);
        self.named.set(into, Node::Application(operator, operand));
        self.expand_list(operand, form);
    }

    fn tuple_of(&mut self, into: NodeId, operands: Parts, spans: PairSpans, end: TupleEnd) {
        let operands = self.tree.parts(operands).iter();
        self.tuple(into, operands.map(|datum| Operand { datum: Some(*datum), name: None }), spans, end);
    }

    /// Makes a node the tuple of some operands; the tuple of no operands is the empty list.
    pub(super) fn tuple(
        &mut self,
        into: NodeId,
        operands: impl Iterator<Item = Operand>,
        spans: PairSpans,
        end: TupleEnd,
    ) {
        let mut pair = into;
        let mut operands = operands.peekable();
        while let Some(operand) = operands.next() {
            let next = operands.peek().and_then(|next| next.datum);
            if operands.peek().is_none() && end == TupleEnd::Operand {
                if let Some(datum) = operand.datum {
                    self.become_expression(pair, datum, operand.name);
                }
                return;
            }
            let pair_span = self.named.span(pair);
            let rest_span = match (spans, next) {
                (PairSpans::ToTheLast, Some(next)) => Span { start: self.tree.span(next).start, ..pair_span },
                (PairSpans::ToTheLast, None) => pair_span,
                (PairSpans::Form(span), _) => span,
            };
            let first = self.named.reserve(operand.datum.map_or(pair_span, |datum| self.tree.span(datum)));
            let rest = self.named.reserve(rest_span);
            self.named.set(pair, Node::Cons(first, rest));
            if let Some(datum) = operand.datum {
                self.work.push((first, PendingExpansion::Expression(datum, operand.name)));
            }
            pair = rest;
        }
        self.named.set(pair, Node::Constant(Named::NIL));
    }
}
