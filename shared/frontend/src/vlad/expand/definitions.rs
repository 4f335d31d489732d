//! Desugaring of `define`, at top level and at the head of a body, and of `lambda`.
//!
//! `(define (f p ...) b)` = `(define f (lambda (p ...) b))`; curried, `(define ((f p) q) b)` = `(define (f p) (lambda
//! (q) b))`. In a body, a run of procedure definitions is one `letrec` around the rest of the body, and any other
//! definition is a `let` around the rest.

use crate::vlad::expand::{Expander, Form, PendingExpansion};
use crate::vlad::syntax::tree::{Datum, DatumId, Parts};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::named::{NamedItem, NamedLambda, NamedLambdaId, NamedPattern, Node, NodeId};
use vlad_language::names::{Keyword, NameId};

/// The parts of a definition.
struct Definition {
    name: NameId,
    /// The span of the name.
    place: Span,
    value: Defined,
}

/// The right-hand side of a definition.
enum Defined {
    /// A procedure that is written in the definition.
    Procedure(NamedLambdaId),
    /// The value of an expression.
    Value(DatumId),
    /// A malformed right-hand side, which has been reported.
    Nothing,
}

impl Expander<'_> {
    /// Expands one top-level item; none if it is a definition without a valid name.
    pub(super) fn item(&mut self, datum: DatumId) -> Option<NamedItem> {
        let Some(form) = self.definition_form(datum) else {
            return Some(NamedItem::Expression(self.expression(datum, None)));
        };
        let definition = self.definition(form)?;
        let Definition { name, place, .. } = definition;
        let node = match definition.value {
            Defined::Procedure(lambda) => {
                let span = self.named.lambda(lambda).span;
                self.named.add(Node::Lambda(lambda), span)
            }
            Defined::Value(datum) => self.expression(datum, Some(name)),
            Defined::Nothing => self.named.reserve(form.span),
        };
        Some(NamedItem::Define(name, place, node))
    }

    /// Returns the datum as a form, if it is a definition.
    fn definition_form(&self, datum: DatumId) -> Option<Form> {
        self.form(datum).filter(|form| form.keyword == Keyword::Define)
    }

    /// Returns true if a definition defines a procedure: it has parameters, or its expression is written as a lambda.
    fn defines_procedure(&self, form: Form) -> bool {
        match *self.tree.parts(form.operands) {
            [name, value] if matches!(self.tree.datum(name), Datum::Name(_)) => self.lambda_form(value).is_some(),
            [header, ..] => matches!(self.tree.datum(header), Datum::List(_)),
            [] => false,
        }
    }

    /// Returns the datum as a form, if it is written as a lambda.
    pub(super) fn lambda_form(&self, datum: DatumId) -> Option<Form> {
        self.form(datum).filter(|form| form.keyword == Keyword::Lambda)
    }

    /// Returns the name that a definition defines, and its span.
    pub(super) fn defined_name(&self, form: Form) -> Option<(NameId, Span)> {
        let mut datum = self.tree.first(form.operands).filter(|_| form.keyword == Keyword::Define)?;
        loop {
            match self.tree.datum(datum) {
                Datum::Name(name) => return Some((name, self.tree.span(datum))),
                Datum::List(parts) | Datum::Dotted(parts) => datum = self.tree.first(parts)?,
                Datum::Real(_)
                | Datum::Boolean(_)
                | Datum::Text(_)
                | Datum::Vector(_)
                | Datum::Quote(_)
                | Datum::Invalid => return None,
            }
        }
    }

    /// Splits a definition into its parts; none if it has no name.
    fn definition(&mut self, form: Form) -> Option<Definition> {
        let Some((name, place)) = self.defined_name(form) else {
            if !self.tree.parts(form.operands).iter().any(|part| self.tree.datum(*part) == Datum::Invalid) {
                self.malformed(form, "(define name expression) or (define (name parameter ...) expression ...)");
            }
            return None;
        };
        self.check_bindable(name, place);
        let value = match *self.tree.parts(form.operands) {
            [header, ..] if !matches!(self.tree.datum(header), Datum::Name(_)) => self.headed(form, header, name),
            [_, value] => match self.lambda_form(value) {
                Some(lambda) => Defined::Procedure(self.lambda(lambda, Some(name))),
                None => Defined::Value(value),
            },
            _ => {
                self.malformed(form, "(define name expression)");
                Defined::Nothing
            }
        };
        Some(Definition { name, place, value })
    }

    /// Returns the procedure of a definition with parameters: one lambda for each level of its header, the innermost
    /// first.
    fn headed(&mut self, form: Form, header: DatumId, name: NameId) -> Defined {
        let mut levels: Vec<(Parts, Span)> = vec![];
        let mut datum = header;
        loop {
            match self.tree.datum(datum) {
                Datum::List(parts) => {
                    levels.push((parts.skip(1), self.tree.span(datum)));
                    let Some(first) = self.tree.first(parts) else { return Defined::Nothing };
                    datum = first;
                }
                Datum::Dotted(_) => {
                    self.lose_names(datum);
                    let hint = "a procedure of any number of operands is (define name (lambda operands ...))";
                    let message = "a dot stands only within quoted data";
                    let diagnostic = Diagnostic::new(Kind::Syntax, self.tree.span(datum), message);
                    self.report.push(diagnostic.with_hint(hint));
                    return Defined::Nothing;
                }
                Datum::Name(_)
                | Datum::Real(_)
                | Datum::Boolean(_)
                | Datum::Text(_)
                | Datum::Vector(_)
                | Datum::Quote(_)
                | Datum::Invalid => break,
            }
        }
        let mut procedure = None;
        let mut into = None;
        while let Some((parameters, span)) = levels.pop() {
            let pattern = self.tuple_pattern(self.tree.parts(parameters), span);
            let body = match levels.is_empty() {
                true => self.body(form.operands.skip(1), form),
                false => self.named.reserve(form.span),
            };
            let name = if procedure.is_none() { Some(name) } else { None };
            let lambda = self.named.add_lambda(NamedLambda { name, pattern, body, span: form.span });
            if let Some(into) = into {
                self.named.set(into, Node::Lambda(lambda));
            }
            into = Some(body);
            procedure = procedure.or(Some(lambda));
        }
        procedure.map_or(Defined::Nothing, Defined::Procedure)
    }

    /// `(lambda (p ...) b)`, or `(lambda p b)` for the whole argument.
    pub(super) fn lambda(&mut self, form: Form, name: Option<NameId>) -> NamedLambdaId {
        let (pattern, body) = match self.tree.first(form.operands) {
            Some(parameters) => (self.parameters(parameters), self.body(form.operands.skip(1), form)),
            None => {
                self.malformed(form, "(lambda (parameter ...) expression ...)");
                (self.named.reserve_pattern(form.span), self.named.reserve(form.span))
            }
        };
        self.named.add_lambda(NamedLambda { name, pattern, body, span: form.span })
    }

    /// Reserves the node of the body of a form and checks that the body defines no name twice.
    pub(super) fn body(&mut self, parts: Parts, form: Form) -> NodeId {
        let node = self.named.reserve(self.tree.span_of(parts).unwrap_or(form.span));
        self.become_body(node, parts, form);
        node
    }

    /// Schedules the body of a form into a reserved node and checks that the body defines no name twice.
    pub(super) fn become_body(&mut self, into: NodeId, parts: Parts, form: Form) {
        self.work.push((into, PendingExpansion::Body(parts, form)));
        self.seen.begin();
        for datum in self.tree.parts(parts) {
            let Some(definition) = self.definition_form(*datum) else { break };
            let Some((name, place)) = self.defined_name(definition) else { continue };
            if let Some(first) = self.seen.note(name, place) {
                let text = self.names.text(name);
                self.report.push(
                    Diagnostic::new(Kind::Duplicate, place, format!("`{text}` is defined twice in one body"))
                        .with_label(first, "defined here first"),
                );
            }
        }
    }

    /// Expands the remaining part of a body: definitions, then expressions.
    pub(super) fn expand_body(&mut self, into: NodeId, parts: Parts, form: Form) {
        let Some(first) = self.tree.first(parts) else {
            let message = format!("the body of this `{}` has no expression", form.keyword.text());
            return self.report.push(Diagnostic::new(Kind::Syntax, form.span, message));
        };
        match self.definition_form(first) {
            Some(definition) if self.defines_procedure(definition) => self.expand_procedures(into, parts, form),
            Some(definition) => self.expand_value(into, definition, parts.skip(1), form),
            None => self.expand_sequence(into, parts),
        }
    }

    /// Expands a definition of a value that is no procedure: `(let ((name value)) rest)`.
    fn expand_value(&mut self, into: NodeId, definition: Form, rest: Parts, form: Form) {
        let body = self.rest_of_body(rest, form);
        let Some(Definition { name, place, value }) = self.definition(definition) else {
            return self.named.set(into, self.named.node(body));
        };
        self.named.set_span(into, definition.span);
        let pattern = self.named.add_pattern(NamedPattern::Variable(name), place);
        let operand = match value {
            Defined::Value(datum) => self.expression(datum, Some(name)),
            Defined::Procedure(lambda) => self.named.add(Node::Lambda(lambda), definition.span),
            Defined::Nothing => self.named.reserve(definition.span),
        };
        self.set_let(into, pattern, operand, body);
    }

    /// Expands a run of definitions of procedures: `(letrec ((name procedure) ...) rest)`.
    fn expand_procedures(&mut self, into: NodeId, parts: Parts, form: Form) {
        let mut members = vec![];
        let mut span = self.named.span(into);
        let mut rest = parts;
        while let Some(datum) = self.tree.first(rest) {
            let Some(definition) = self.definition_form(datum).filter(|form| self.defines_procedure(*form)) else {
                break;
            };
            rest = rest.skip(1);
            span.end = definition.span.end;
            match self.definition(definition) {
                Some(Definition { name, value: Defined::Procedure(lambda), .. }) => members.push((name, lambda)),
                Some(Definition { name, value: Defined::Value(_) | Defined::Nothing, .. }) => {
                    self.named.mark_refused(name)
                }
                None => {}
            }
        }
        self.named.set_span(into, span);
        let group = self.named.add_group(members);
        let body = self.rest_of_body(rest, form);
        self.named.set(into, Node::Letrec(group, body));
    }

    /// Reserves the node of the rest of a body; its names have been checked with the whole body.
    fn rest_of_body(&mut self, rest: Parts, form: Form) -> NodeId {
        let node = self.named.reserve(self.tree.span_of(rest).unwrap_or(form.span));
        self.work.push((node, PendingExpansion::Body(rest, form)));
        node
    }
}
