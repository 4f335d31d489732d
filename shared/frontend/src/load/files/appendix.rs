//! Expressions appended to a program by options of a command. Each is read from a text of its own and follows the program
//! as one datum. So no text of an option can end early, comment out what follows, define a name, or include a file.

use crate::load::files::Files;
use crate::resolve::scope::Completeness;
use crate::syntax::names::{Keyword, NameId};
use crate::syntax::tree::{Datum, DatumId};
use std::mem;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::{FileId, Span};
use vlad_table::internal_bug;

/// The expressions appended to a program.
#[derive(Clone, Debug, Default)]
pub struct Appendix {
    /// Texts of one expression each. It is evaluated once and bound to a name that no text reads as.
    pub given: Vec<Given>,
    /// Expressions over these values, which follow them.
    pub made: Vec<Made>,
}

/// An expression in a text of its own.
#[derive(Clone, Debug)]
pub struct Given {
    /// The name of the text in diagnostics, which is also the name of its value.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A constructed expression: an application of several parts, or one part.
pub type Made = Vec<Part>;

/// A part of a constructed expression.
#[derive(Clone, Debug)]
pub enum Part {
    /// The value of a given expression, by its index.
    Given(usize),
    /// A datum.
    Datum(String),
}

impl Files<'_> {
    /// Returns the data of an appendix: definitions of the given expressions, then the constructed ones. The latter are
    /// left out if a given expression is malformed.
    pub fn append(&mut self, appendix: &Appendix) -> Vec<DatumId> {
        let (mut data, mut values) = (Vec::new(), Vec::new());
        for given in &appendix.given {
            let Some(expression) = self.expression_of(given) else { return data };
            let (name, span) = (self.names.hidden(&given.name), self.tree.span(expression));
            data.push(self.definition(name, expression, span));
            values.push((name, span));
        }
        // Errors of constructed expressions are shown at the last given expression.
        if let Some((_, span)) = values.last().copied() {
            let mut written = self.written(appendix).into_iter();
            data.extend(appendix.made.iter().map(|made| self.made(made, &values, &mut written, span)));
        }
        data
    }

    /// Returns the one expression of a text; none if there is not exactly one, which has been reported.
    fn expression_of(&mut self, given: &Given) -> Option<DatumId> {
        let so_far = mem::replace(&mut self.completeness, Completeness::Whole);
        let data = self.parse(given.name.clone(), given.text.clone().into_bytes());
        let own = mem::replace(&mut self.completeness, so_far);
        if own == Completeness::PartsMissing {
            self.completeness = own;
            return None;
        }
        let (span, found) = match *data {
            [only] => return Some(only),
            [] => (Span::new(self.newest(), 0, given.text.len() as u32), "nothing"),
            [_, second, ..] => (self.tree.span(second), "more"),
        };
        let message = format!("`{}` expects one expression, found {found}", given.name);
        self.missing(Diagnostic::new(Kind::Syntax, span, message));
        None
    }

    /// Returns the text that was read last.
    fn newest(&self) -> FileId {
        FileId(self.sources.files().len().saturating_sub(1) as u32)
    }

    fn definition(&mut self, name: NameId, expression: DatumId, span: Span) -> DatumId {
        let define = self.names.intern(Keyword::Define.text());
        let parts = [define, name].map(|name| self.tree.add(Datum::Name(name), span));
        self.list(parts.into_iter().chain([expression]), span)
    }

    fn list(&mut self, parts: impl IntoIterator<Item = DatumId>, span: Span) -> DatumId {
        let parts = self.tree.add_parts(parts);
        self.tree.add(Datum::List(parts), span)
    }

    /// Reads the data that the constructed expressions contain as text, in order, as one text.
    fn written(&mut self, appendix: &Appendix) -> Vec<DatumId> {
        let mut text = String::new();
        for part in appendix.made.iter().flatten() {
            if let Part::Datum(datum) = part {
                text.push_str(datum);
                text.push('\n');
            }
        }
        self.parse("<expressions>".to_owned(), text.into_bytes())
    }

    fn made(
        &mut self,
        made: &[Part],
        values: &[(NameId, Span)],
        written: &mut impl Iterator<Item = DatumId>,
        span: Span,
    ) -> DatumId {
        let mut part = |part: &Part| {
            let datum = match part {
                Part::Given(place) => values.get(*place).map(|(name, _)| Datum::Name(*name)),
                Part::Datum(_) => written.next().map(|datum| self.tree.datum(datum)),
            };
            let Some(datum) = datum else { internal_bug!("what is made is of data and of what is given") };
            self.tree.add(datum, span)
        };
        let parts: Vec<DatumId> = made.iter().map(&mut part).collect();
        match *parts {
            [only] => only,
            _ => self.list(parts, span),
        }
    }
}
