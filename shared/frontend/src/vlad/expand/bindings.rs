//! Desugaring of `let`, `let*`, named `let`, `letrec` and `begin`.
//!
//! `(let ((p a) (q b)) e)` = `((lambda (p q) e) (cons a b))`; `let*` is nested `let`, and without bindings its body;
//! `(let f ((p a)) e)` = `((letrec ((f (lambda (p) e))) f) a)`; `(begin a b)` = `(let ((ignored a)) b)` with a variable
//! that no program can name.

use crate::vlad::expand::lists::{Operand, PairSpans, TupleEnd};
use crate::vlad::expand::{Expander, Form, PendingExpansion};
use crate::vlad::syntax::tree::{Datum, DatumId, Parts};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::named::{NamedLambda, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_language::names::{NameId, Names};

/// One binding of a `let`.
#[derive(Clone, Copy)]
struct Binding {
    left: DatumId,
    /// The right-hand side; none if it is missing, which has been reported.
    right: Option<DatumId>,
}

impl Expander<'_> {
    /// Returns the data of a list of bindings.
    fn binding_list(&mut self, datum: DatumId) -> Option<Parts> {
        match self.tree.datum(datum) {
            Datum::List(parts) => Some(parts),
            Datum::Invalid => None,
            Datum::Real(_)
            | Datum::Boolean(_)
            | Datum::Name(_)
            | Datum::Text(_)
            | Datum::Dotted(_)
            | Datum::Vector(_)
            | Datum::Quote(_) => {
                self.lose_names(datum);
                self.report.push(Diagnostic::new(
                    Kind::Syntax,
                    self.tree.span(datum),
                    "expected bindings: ((name expression) ...)",
                ));
                None
            }
        }
    }

    /// Splits a binding into its two sides; none if it has no usable left side, which has been reported.
    fn binding(&mut self, datum: DatumId) -> Option<Binding> {
        let left = match self.tree.datum(datum) {
            Datum::List(parts) => match *self.tree.parts(parts) {
                [left, right] => return Some(Binding { left, right: Some(right) }),
                [left, ..] => Some(left),
                [] => None,
            },
            Datum::Name(_) => Some(datum),
            Datum::Invalid => return None,
            Datum::Real(_)
            | Datum::Boolean(_)
            | Datum::Text(_)
            | Datum::Dotted(_)
            | Datum::Vector(_)
            | Datum::Quote(_) => None,
        };
        let message = "expected a binding: (name expression)";
        self.report.push(Diagnostic::new(Kind::Syntax, self.tree.span(datum), message));
        if left.is_none() {
            self.lose_names(datum);
        }
        left.map(|left| Binding { left, right: None })
    }

    /// Returns the name on the left of a binding, if it is a name.
    fn name_of(&self, datum: DatumId) -> Option<NameId> {
        match self.tree.datum(datum) {
            Datum::Name(name) => Some(name),
            Datum::Real(_)
            | Datum::Boolean(_)
            | Datum::Text(_)
            | Datum::List(_)
            | Datum::Dotted(_)
            | Datum::Vector(_)
            | Datum::Quote(_)
            | Datum::Invalid => None,
        }
    }

    /// Returns the pattern and the operand that the bindings of a `let` form.
    fn bind(&mut self, list: DatumId, form: Form) -> (NamedPatternId, NodeId) {
        let parts = self.binding_list(list).unwrap_or_default();
        let tree = self.tree;
        let bindings: Vec<Binding> = tree.parts(parts).iter().filter_map(|datum| self.binding(*datum)).collect();
        let left: Vec<DatumId> = bindings.iter().map(|binding| binding.left).collect();
        let pattern = self.tuple_pattern(&left, self.tree.span(list));
        let operand = self.named.reserve(form.span);
        let names: Vec<Option<NameId>> = left.iter().map(|datum| self.name_of(*datum)).collect();
        let right = bindings.iter().zip(names).map(|(binding, name)| Operand { datum: binding.right, name });
        self.tuple(operand, right, PairSpans::Form(form.span), TupleEnd::Operand);
        (pattern, operand)
    }

    /// `(let ((p e) ...) body)`, or with a name before the bindings.
    pub(super) fn expand_let(&mut self, into: NodeId, form: Form) {
        let Some(first) = self.tree.first(form.operands) else {
            return self.malformed(form, "(let ((name expression) ...) expression ...)");
        };
        let rest = form.operands.skip(1);
        if let Some(name) = self.name_of(first) {
            return self.expand_named_let(into, form, (first, name), rest);
        }
        let (pattern, operand) = self.bind(first, form);
        let body = self.body(rest, form);
        self.set_let(into, pattern, operand, body);
    }

    /// `(let f ((p e) ...) body)`: `((letrec ((f (lambda (p ...) body))) f) e ...)`.
    fn expand_named_let(&mut self, into: NodeId, form: Form, (place, name): (DatumId, NameId), rest: Parts) {
        let Some(list) = self.tree.first(rest) else {
            return self.malformed(form, "(let name ((name expression) ...) expression ...)");
        };
        let place = self.tree.span(place);
        self.check_bindable(name, place);
        let operator = self.named.reserve(form.span);
        let (pattern, operand) = self.bind(list, form);
        self.named.set(into, Node::Application(operator, operand));
        let body = self.body(rest.skip(1), form);
        let lambda = self.named.add_lambda(NamedLambda { name: Some(name), pattern, body, span: form.span });
        let group = self.named.add_group(vec![(name, lambda)]);
        let procedure = self.named.add(Node::Variable(name), place);
        self.named.set(operator, Node::Letrec(group, procedure));
    }

    /// `(let* ((p e) ...) body)`.
    pub(super) fn expand_whole_let_star(&mut self, into: NodeId, form: Form) {
        let Some(list) = self.tree.first(form.operands) else {
            return self.malformed(form, "(let* ((name expression) ...) expression ...)");
        };
        let bindings = self.binding_list(list).unwrap_or_default();
        self.expand_let_star(into, bindings, form);
    }

    /// Expands the remaining bindings of a `let*`, then its body.
    pub(super) fn expand_let_star(&mut self, into: NodeId, bindings: Parts, form: Form) {
        let Some(datum) = self.tree.first(bindings) else {
            let parts = form.operands.skip(1);
            self.named.set_span(into, self.tree.span_of(parts).unwrap_or(form.span));
            return self.become_body(into, parts, form);
        };
        let rest = bindings.skip(1);
        let Some(binding) = self.binding(datum) else {
            return self.work.push((into, PendingExpansion::LetStar(rest, form)));
        };
        let pattern = self.tuple_pattern(&[binding.left], form.span);
        let operand = match binding.right {
            Some(right) => self.expression(right, self.name_of(binding.left)),
            None => self.named.reserve(form.span),
        };
        let body = self.named.reserve(form.span);
        self.work.push((body, PendingExpansion::LetStar(rest, form)));
        self.set_let(into, pattern, operand, body);
    }

    /// `(letrec ((f (lambda (p ...) e)) ...) body)`.
    pub(super) fn expand_letrec(&mut self, into: NodeId, form: Form) {
        let Some(list) = self.tree.first(form.operands) else {
            return self
                .malformed(form, "(letrec ((name (lambda (parameter ...) expression ...)) ...) expression ...)");
        };
        let parts = self.binding_list(list).unwrap_or_default();
        let tree = self.tree;
        let bindings: Vec<Binding> = tree.parts(parts).iter().filter_map(|datum| self.binding(*datum)).collect();
        // The names are checked before any lambda is expanded, since a lambda begins a new set of names.
        self.seen.begin();
        let mut procedures = vec![];
        for binding in bindings {
            let span = self.tree.span(binding.left);
            match self.name_of(binding.left) {
                Some(name) => {
                    self.note_binding(name, span);
                    procedures.push((name, binding));
                }
                None => {
                    self.lose_names(binding.left);
                    self.report.push(Diagnostic::new(Kind::Syntax, span, "`letrec` binds names, not patterns"));
                }
            }
        }
        let mut members = vec![];
        for (name, binding) in procedures {
            match binding.right.map(|right| (right, self.lambda_form(right))) {
                Some((_, Some(lambda))) => members.push((name, self.lambda(lambda, Some(name)))),
                Some((right, None)) => {
                    self.named.mark_refused(name);
                    let message = "the right-hand side of a `letrec` is written as a lambda";
                    self.report.push(Diagnostic::new(Kind::Syntax, self.tree.span(right), message));
                }
                None => self.named.mark_refused(name),
            }
        }
        let group = self.named.add_group(members);
        let body = self.body(form.operands.skip(1), form);
        self.named.set(into, Node::Letrec(group, body));
    }

    /// `(begin e ...)`.
    pub(super) fn expand_begin(&mut self, into: NodeId, form: Form) {
        match form.operands.is_empty() {
            true => self.malformed(form, "(begin expression ...)"),
            false => self.expand_sequence(into, form.operands),
        }
    }

    /// Expands one or more expressions in sequence; the values of all but the last are ignored.
    pub(super) fn expand_sequence(&mut self, into: NodeId, parts: Parts) {
        let Some(first) = self.tree.first(parts) else { return };
        let rest = parts.skip(1);
        let Some(span) = self.tree.span_of(rest) else { return self.become_expression(into, first, None) };
        let operand = self.expression(first, None);
        let pattern = self.named.add_pattern(NamedPattern::Variable(Names::IGNORED), self.tree.span(first));
        let body = self.named.reserve(span);
        self.work.push((body, PendingExpansion::Sequence(rest)));
        self.set_let(into, pattern, operand, body);
    }
}
