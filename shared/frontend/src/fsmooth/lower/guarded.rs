//! The guarded product in core.
//!
//! ```text
//! a (x) b  ~>  (let ((p (* a b)))
//!                (if (= p 0) (+ p 0) (if (= p p) p (if (= a 0) (zero-product a b) (if (= b 0) (zero-product a b) p)))))
//! (define (zero-product a b) (cdr (j* (lambda (x) (* a x)) 0 b)))
//! ```
//!
//! A product that is zero becomes +0. One that is NaN is a zero times an infinity, or has an operand that is NaN; the
//! first is 0. It is not the constant 0, because an operator around the program may differentiate it: `j*` forms the
//! product of a coefficient and a tangent with the guard, and in a way that can be differentiated.

use super::Lowering;
use crate::fsmooth::typed::{Expression, ExpressionId};
use crate::named::{NamedItem, Node, NodeId};
use crate::names::NameId;
use vlad_core::source::Span;
use vlad_table::Primitive;
use vlad_table::operations::Operation;

impl Lowering<'_, '_> {
    /// Makes a node the guarded product.
    pub(super) fn guarded(&mut self, into: NodeId, first: ExpressionId, second: ExpressionId) {
        let span = self.reading.named.span(into);
        let [a, b, p] = ["a", "b", "p"].map(|name| self.reading.names.hidden(name));
        let mut body = self.variable(p, span);
        for name in [b, a] {
            let slow = self.reading.named.reserve(span);
            let operator = self.variable(self.zero_product, span);
            let operands = [self.variable(a, span), self.variable(b, span)];
            self.set_call(slow, operator, &operands);
            body = self.if_equal((name, None), slow, body, span);
        }
        let plain = self.variable(p, span);
        body = self.if_equal((p, Some(p)), plain, body, span);
        let positive = self.reading.named.reserve(span);
        let operands = [self.variable(p, span), self.real(0.0, span)];
        let operator = self.primitive(Primitive::Add, span);
        self.set_call(positive, operator, &operands);
        body = self.if_equal((p, None), positive, body, span);
        let product = self.product(a, b, span);
        let inner = self.reading.named.reserve(span);
        self.set_let(inner, &[p], product, body);
        let operands = [self.expression(first), self.expression(second)];
        let operand = self.tuple(&operands, span);
        self.set_let(into, &[a, b], operand, inner);
    }

    /// `(* a b)`.
    fn product(&mut self, a: NameId, b: NameId, span: Span) -> NodeId {
        let node = self.reading.named.reserve(span);
        let operands = [self.variable(a, span), self.variable(b, span)];
        let operator = self.primitive(Primitive::Multiply, span);
        self.set_call(node, operator, &operands);
        node
    }

    /// A conditional on the equality of a variable with another one, or with 0.
    fn if_equal(
        &mut self,
        (name, other): (NameId, Option<NameId>),
        consequent: NodeId,
        alternative: NodeId,
        span: Span,
    ) -> NodeId {
        let condition = self.reading.named.reserve(span);
        let other = match other {
            Some(other) => self.variable(other, span),
            None => self.real(0.0, span),
        };
        let operands = [self.variable(name, span), other];
        let operator = self.primitive(Primitive::Equal, span);
        self.set_call(condition, operator, &operands);
        self.named().add(Node::If(condition, consequent, alternative), span)
    }

    /// The definition of the product of a zero and an infinity, if the program has guarded products.
    pub(super) fn zero_product_definition(&mut self) -> Option<NamedItem> {
        let span = self.first_guarded_product()?;
        let [a, b, x] = ["a", "b", "x"].map(|name| self.reading.names.hidden(name));
        let inner = self.reading.named.reserve(span);
        let (pattern, product) = (self.pattern(&[x], span), self.product(a, x, span));
        self.set_lambda(inner, None, pattern, product, span);
        let applied = self.reading.named.reserve(span);
        let operands = [inner, self.real(0.0, span), self.variable(b, span)];
        let operator = self.primitive(Primitive::Forward, span);
        self.set_call(applied, operator, &operands);
        let tangent = self.reading.named.reserve(span);
        let operator = self.primitive(Primitive::Second, span);
        self.set_call(tangent, operator, &[applied]);
        let value = self.reading.named.reserve(span);
        let pattern = self.pattern(&[a, b], span);
        self.set_lambda(value, Some(self.zero_product), pattern, tangent, span);
        Some(NamedItem::Define(self.zero_product, span, value))
    }

    fn first_guarded_product(&self) -> Option<Span> {
        let all = (0..self.program.count() as u32).map(ExpressionId);
        let mut guarded =
            all.filter(|id| matches!(self.program.expression(*id), Expression::Binary(Operation::GuardedMultiply, ..)));
        guarded.next().map(|id| self.program.span(id))
    }
}
