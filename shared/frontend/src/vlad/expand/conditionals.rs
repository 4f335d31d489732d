//! Desugaring of `if`, `cond`, `and` and `or`.
//!
//! `(and a b)` = `(if a b #f)`; `(or a b)` = `(let ((t a)) (if t t b))` with a variable that no program can name;
//! `(cond (a b) ...)` = `(if a b (cond ...))`, and `(cond (a) ...)` is like `or`. A missing alternative is the empty
//! list.

use crate::vlad::expand::{Expander, Form, PendingExpansion};
use crate::vlad::syntax::tree::{Datum, DatumId, Parts};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::named::{Named, NamedPattern, Node, NodeId};
use vlad_language::names::Names;

impl Expander<'_> {
    /// `(if test consequent alternative)`; a missing alternative is the empty list.
    pub(super) fn expand_if(&mut self, into: NodeId, form: Form) {
        let (test, consequent, alternative) = match *self.tree.parts(form.operands) {
            [test, consequent] => (test, consequent, None),
            [test, consequent, alternative] => (test, consequent, Some(alternative)),
            _ => return self.malformed(form, "(if test consequent alternative) or (if test consequent)"),
        };
        let test = self.expression(test, None);
        let consequent = self.expression(consequent, None);
        let alternative = match alternative {
            Some(alternative) => self.expression(alternative, None),
            None => self.named.add(Node::Constant(Named::NIL), form.span),
        };
        self.named.set(into, Node::If(test, consequent, alternative));
    }

    /// `(and)` is `#t`, `(and e)` is e.
    pub(super) fn expand_and(&mut self, into: NodeId, parts: Parts) {
        match *self.tree.parts(parts) {
            [] => self.named.set(into, Node::Constant(Named::TRUE)),
            [only] => self.become_expression(into, only, None),
            [first, ..] => {
                let span = self.named.span(into);
                let test = self.expression(first, None);
                let rest = self.named.reserve(span);
                self.work.push((rest, PendingExpansion::And(parts.skip(1))));
                let otherwise = self.named.add(Node::Constant(Named::FALSE), span);
                self.named.set(into, Node::If(test, rest, otherwise));
            }
        }
    }

    /// `(or)` is `#f`, `(or e)` is e.
    pub(super) fn expand_or(&mut self, into: NodeId, parts: Parts) {
        match *self.tree.parts(parts) {
            [] => self.named.set(into, Node::Constant(Named::FALSE)),
            [only] => self.become_expression(into, only, None),
            [first, ..] => self.value_or(into, first, PendingExpansion::Or(parts.skip(1))),
        }
    }

    /// `(let ((t test)) (if t t rest))`.
    fn value_or(&mut self, into: NodeId, test: DatumId, rest: PendingExpansion) {
        let span = self.named.span(into);
        let test = self.expression(test, None);
        let pattern = self.named.add_pattern(NamedPattern::Variable(Names::OR_VALUE), span);
        let body = self.named.reserve(span);
        self.set_let(into, pattern, test, body);
        let condition = self.named.add(Node::Variable(Names::OR_VALUE), span);
        let value = self.named.add(Node::Variable(Names::OR_VALUE), span);
        let otherwise = self.named.reserve(span);
        self.named.set(body, Node::If(condition, value, otherwise));
        self.work.push((otherwise, rest));
    }

    /// Expands the clauses of a `cond`; its value is the empty list if there is no clause or none matches.
    pub(super) fn expand_cond(&mut self, into: NodeId, clauses: Parts) {
        let Some(clause) = self.tree.first(clauses) else {
            return self.named.set(into, Node::Constant(Named::NIL));
        };
        let rest = clauses.skip(1);
        let parts = match self.tree.datum(clause) {
            Datum::List(parts) => parts,
            Datum::Real(_)
            | Datum::Boolean(_)
            | Datum::Name(_)
            | Datum::Text(_)
            | Datum::Dotted(_)
            | Datum::Vector(_)
            | Datum::Quote(_)
            | Datum::Invalid => Parts::default(),
        };
        let Some(test) = self.tree.first(parts) else {
            if self.tree.datum(clause) != Datum::Invalid {
                self.clause_error(clause, "expected a clause (test expression ...) or (else expression ...) of `cond`");
            }
            return self.work.push((into, PendingExpansion::Cond(rest)));
        };
        let then = parts.skip(1);
        if self.is_name(test, Names::ELSE) {
            if let Some(after) = self.tree.first(rest) {
                self.clause_error(after, "no clause follows the `else` of a `cond`");
            }
            return self.expand_else(into, clause, then);
        }
        if let Some(arrow) = self.tree.first(then).filter(|datum| self.is_name(*datum, Names::ARROW)) {
            self.clause_error(arrow, "`=>` is not part of this language: use `let` and `if`");
            return self.work.push((into, PendingExpansion::Cond(rest)));
        }
        if then.is_empty() {
            return self.value_or(into, test, PendingExpansion::Cond(rest));
        }
        let span = self.named.span(into);
        let test = self.expression(test, None);
        let consequent = self.named.reserve(self.tree.span_of(then).unwrap_or(span));
        let alternative = self.named.reserve(span);
        self.named.set(into, Node::If(test, consequent, alternative));
        self.work.push((alternative, PendingExpansion::Cond(rest)));
        self.work.push((consequent, PendingExpansion::Sequence(then)));
    }

    fn expand_else(&mut self, into: NodeId, clause: DatumId, then: Parts) {
        let Some(span) = self.tree.span_of(then) else {
            return self.clause_error(clause, "an expression is missing after `else`");
        };
        self.named.set_span(into, span);
        self.work.push((into, PendingExpansion::Sequence(then)));
    }

    fn clause_error(&mut self, datum: DatumId, message: &str) {
        self.report.push(Diagnostic::new(Kind::Syntax, self.tree.span(datum), message));
    }
}
