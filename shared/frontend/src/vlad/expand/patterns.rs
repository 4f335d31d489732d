//! Desugaring of patterns: parameters and the left sides of `let`.
//!
//! A parameter list is the pattern that destructures the tuple of the operands, `(p1 p2 p3)` = `(cons p1 (cons p2
//! p3))`; without parameters it is the empty list.

use crate::vlad::expand::{Expander, Form};
use crate::vlad::syntax::tree::{Datum, DatumId};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::named::{NamedPattern, NamedPatternId};
use vlad_language::names::{Keyword, NameId};

/// Reserved patterns that are still to be set, the next one last.
type Pending = Vec<(NamedPatternId, DatumId)>;

impl Expander<'_> {
    /// Returns the pattern of the parameters of a lambda: a list of patterns, or one name for the whole argument.
    pub(super) fn parameters(&mut self, datum: DatumId) -> NamedPatternId {
        match self.tree.datum(datum) {
            Datum::List(parts) => self.tuple_pattern(self.tree.parts(parts), self.tree.span(datum)),
            Datum::Real(_)
            | Datum::Boolean(_)
            | Datum::Name(_)
            | Datum::Text(_)
            | Datum::Dotted(_)
            | Datum::Vector(_)
            | Datum::Quote(_)
            | Datum::Invalid => self.tuple_pattern(&[datum], self.tree.span(datum)),
        }
    }

    /// Returns the pattern of a tuple of patterns, with no variable twice; `span` is the span of the empty one.
    pub(super) fn tuple_pattern(&mut self, data: &[DatumId], span: Span) -> NamedPatternId {
        self.seen.begin();
        let whole = match data {
            [] => span,
            [first, .., last] => self.tree.span(*first).to(self.tree.span(*last)),
            [only] => self.tree.span(*only),
        };
        let into = self.named.reserve_pattern(whole);
        let mut pending = vec![];
        self.spine(into, data, &mut pending);
        while let Some((into, datum)) = pending.pop() {
            self.fill_pattern(into, datum, &mut pending);
        }
        into
    }

    /// Makes a pattern the nested pairs of some data, the last pair holding the last two; that of no data is the empty
    /// list.
    fn spine(&mut self, into: NamedPatternId, data: &[DatumId], pending: &mut Pending) {
        let from = pending.len();
        let mut pair = into;
        let mut rest = data;
        while let [first, behind @ ..] = rest {
            rest = behind;
            let Some(next) = behind.first() else {
                pending.push((pair, *first));
                break;
            };
            let whole = self.named.pattern_span(pair);
            let left = self.named.reserve_pattern(self.tree.span(*first));
            let right = self.named.reserve_pattern(Span { start: self.tree.span(*next).start, ..whole });
            self.named.set_pattern(pair, NamedPattern::Pair(left, right));
            pending.push((left, *first));
            pair = right;
        }
        // Variables are visited from left to right.
        pending.get_mut(from..).unwrap_or_default().reverse();
    }

    fn fill_pattern(&mut self, into: NamedPatternId, datum: DatumId, pending: &mut Pending) {
        let span = self.tree.span(datum);
        match self.tree.datum(datum) {
            Datum::Real(_) | Datum::Boolean(_) => self.fill_constant(into, datum),
            Datum::Quote(quoted) => self.fill_constant(into, quoted),
            Datum::Name(name) => {
                self.note_binding(name, span);
                self.named.set_pattern(into, NamedPattern::Variable(name));
            }
            Datum::List(parts) if parts.is_empty() => {}
            Datum::List(_) => match self.form(datum) {
                Some(form) => self.fill_form(into, datum, form, pending),
                None => self.no_pattern(datum),
            },
            Datum::Text(_) => self.no_pattern(datum),
            Datum::Vector(_) => self.no_vector_pattern(datum),
            Datum::Dotted(_) => {
                self.lose_names(datum);
                let hint =
                    "the pattern of a pair is (cons p p), that of several parameters and a rest (cons* p p rest)";
                let diagnostic = Diagnostic::new(Kind::Syntax, span, "a dot stands only within quoted data");
                self.report.push(diagnostic.with_hint(hint));
            }
            Datum::Invalid => {}
        }
    }

    fn fill_form(&mut self, into: NamedPatternId, datum: DatumId, form: Form, pending: &mut Pending) {
        let parts = self.tree.parts(form.operands);
        match (form.keyword, parts) {
            (Keyword::Cons, [_, _]) | (Keyword::ConsStar, _) => self.spine(into, parts, pending),
            (Keyword::Cons, _) => {
                self.lose_names(datum);
                self.malformed(form, "the pattern (cons p p)");
            }
            (Keyword::List, _) => self.fill_list(into, parts, form.span, pending),
            (Keyword::Quote, [quoted]) => self.fill_constant(into, *quoted),
            (Keyword::Quote, _) => self.malformed(form, "the pattern (quote datum)"),
            (Keyword::Vector, _) => self.no_vector_pattern(datum),
            (
                Keyword::And
                | Keyword::Begin
                | Keyword::Cond
                | Keyword::Define
                | Keyword::Else
                | Keyword::If
                | Keyword::Include
                | Keyword::Lambda
                | Keyword::Let
                | Keyword::LetStar
                | Keyword::Letrec
                | Keyword::Or,
                _,
            ) => self.no_pattern(datum),
        }
    }

    /// `(list p ...)`: pairs that end with the empty list.
    fn fill_list(&mut self, into: NamedPatternId, data: &[DatumId], span: Span, pending: &mut Pending) {
        let from = pending.len();
        let mut pair = into;
        for datum in data {
            let left = self.named.reserve_pattern(self.tree.span(*datum));
            let right = self.named.reserve_pattern(span);
            self.named.set_pattern(pair, NamedPattern::Pair(left, right));
            pending.push((left, *datum));
            pair = right;
        }
        pending.get_mut(from..).unwrap_or_default().reverse();
    }

    /// Records the names in a refused pattern as lost, so that their uses are not reported as unbound.
    pub(super) fn lose_names(&mut self, datum: DatumId) {
        let mut pending = vec![datum];
        while let Some(datum) = pending.pop() {
            match self.tree.datum(datum) {
                Datum::Name(name) => self.named.mark_refused(name),
                Datum::List(parts) | Datum::Dotted(parts) | Datum::Vector(parts) => {
                    pending.extend(self.tree.parts(parts));
                }
                Datum::Real(_) | Datum::Boolean(_) | Datum::Text(_) | Datum::Quote(_) | Datum::Invalid => {}
            }
        }
    }

    fn fill_constant(&mut self, into: NamedPatternId, datum: DatumId) {
        if let Some(vector) = self.vector_within(datum) {
            return self.no_vector_pattern(vector);
        }
        let constant = self.quoted(datum);
        self.named.set_pattern(into, NamedPattern::Constant(constant));
    }

    /// Returns the first vector within a datum.
    fn vector_within(&self, datum: DatumId) -> Option<DatumId> {
        let mut pending = vec![datum];
        while let Some(datum) = pending.pop() {
            match self.tree.datum(datum) {
                Datum::Vector(_) => return Some(datum),
                Datum::List(parts) | Datum::Dotted(parts) => pending.extend(self.tree.parts(parts).iter().rev()),
                Datum::Quote(quoted) => pending.push(quoted),
                Datum::Real(_) | Datum::Boolean(_) | Datum::Name(_) | Datum::Text(_) | Datum::Invalid => {}
            }
        }
        None
    }

    fn no_vector_pattern(&mut self, datum: DatumId) {
        self.lose_names(datum);
        let span = self.tree.span(datum);
        self.report.push(
            Diagnostic::new(Kind::Syntax, span, "a vector is no pattern")
                .with_hint("bind the vector to a name; its elements are (get name 0), (get name 1), ..."),
        );
    }

    fn no_pattern(&mut self, datum: DatumId) {
        self.lose_names(datum);
        let span = self.tree.span(datum);
        self.report.push(
            Diagnostic::new(Kind::Syntax, span, "expected a name or a pattern")
                .with_hint("patterns are names, constants, (cons p p), (cons* p ...), (list p ...) and ()"),
        );
    }

    /// Checks that a name can be bound and is not yet bound in the current set of names.
    pub(super) fn note_binding(&mut self, name: NameId, span: Span) {
        self.check_bindable(name, span);
        if let Some(first) = self.seen.note(name, span) {
            let text = self.names.text(name);
            self.report.push(
                Diagnostic::new(Kind::Duplicate, span, format!("`{text}` is bound twice"))
                    .with_label(first, "bound here first"),
            );
        }
    }

    /// Checks that a name is not a keyword.
    pub(super) fn check_bindable(&mut self, name: NameId, span: Span) {
        let Some(keyword) = Keyword::of(name) else { return };
        let text = keyword.text();
        let diagnostic = Diagnostic::new(Kind::Reserved, span, format!("`{text}` is a keyword and cannot be a name"));
        self.report.push(match keyword {
            Keyword::Cons | Keyword::ConsStar | Keyword::List => {
                diagnostic.with_hint(format!("a pattern has parentheses of its own: (lambda (({text} a b)) ...)"))
            }
            Keyword::And
            | Keyword::Begin
            | Keyword::Cond
            | Keyword::Define
            | Keyword::Else
            | Keyword::If
            | Keyword::Include
            | Keyword::Lambda
            | Keyword::Let
            | Keyword::LetStar
            | Keyword::Letrec
            | Keyword::Or
            | Keyword::Quote
            | Keyword::Vector => diagnostic,
        });
    }
}
