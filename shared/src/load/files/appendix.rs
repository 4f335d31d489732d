//! Expressions behind a program, as options of a command give them: each is read from a text of its own, and stands behind the
//! program as one datum. So whatever is in a text, it cannot end early, comment out what follows, define, or include.

use super::Files;
use crate::diagnostic::{Diagnostic, Kind};
use crate::internal_bug;
use crate::resolve::scope::Completeness;
use crate::source::{FileId, Span};
use crate::syntax::names::{Keyword, NameId};
use crate::syntax::tree::{Datum, DatumId};
use std::mem;

/// Expressions behind a program.
#[derive(Clone, Debug, Default)]
pub struct Appendix {
    /// Texts, each of one expression, which is evaluated once: its value is that of a name that no text reads as.
    pub given: Vec<Given>,
    /// Expressions about these values, which stand behind them.
    pub made: Vec<Made>,
}

/// An expression in a text of its own.
#[derive(Clone, Debug)]
pub struct Given {
    /// The name that diagnostics give the text, which is also that of the value.
    pub name: String,
    /// The text.
    pub text: String,
}

/// An expression that is made: an application of several parts, or one part.
pub type Made = Vec<Part>;

/// A part of an expression that is made.
#[derive(Clone, Debug)]
pub enum Part {
    /// The value of a given expression, by its place.
    Given(usize),
    /// A datum.
    Datum(String),
}

impl Files<'_> {
    /// The data of an appendix: the definitions of what is given, and what is made. If something is wrong with what is given
    /// there are none of the latter.
    pub fn append(&mut self, appendix: &Appendix) -> Vec<DatumId> {
        let (mut data, mut values) = (Vec::new(), Vec::new());
        for given in &appendix.given {
            let Some(expression) = self.expression_of(given) else { return data };
            let (name, span) = (self.names.hidden(&given.name), self.tree.span(expression));
            data.push(self.definition(name, expression, span));
            values.push((name, span));
        }
        // Errors of what is made are shown at what was given last.
        if let Some((_, span)) = values.last().copied() {
            let mut written = self.written(appendix).into_iter();
            data.extend(appendix.made.iter().map(|made| self.made(made, &values, &mut written, span)));
        }
        data
    }

    /// The one expression of a text; none if it is not that, which has been reported.
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

    /// The text that was read last.
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

    /// The data that the expressions which are made have written out, in order, of one text.
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
