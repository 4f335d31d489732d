//! Expressions in VLAD appended to a program, of any language, by options of a command. Each is read from a text of its
//! own and follows the program as one datum. So no text of an option can end early, comment out what follows, define a
//! name, or include a file.

use crate::vlad::expand::expand;
use crate::vlad::parse;
use crate::vlad::syntax::tree::{Datum, DatumId, Tree};
use std::mem;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::named::NamedItem;
use vlad_language::names::{Keyword, NameId};
use vlad_language::{Completeness, ReadingContext, Text, Usage};
use vlad_table::internal_bug;

/// The expressions appended to a program.
#[derive(Clone, Debug, Default)]
pub struct Appendix {
    /// Texts of one expression each. It is evaluated once and bound to a name that no text reads as.
    pub given: Vec<GivenExpression>,
    /// Expressions over these values, which follow them.
    pub made: Vec<Made>,
    /// The name and the text at which errors of the made expressions are shown, if it is not the last given one.
    pub shown: Option<(String, String)>,
}

/// An expression in a text of its own.
#[derive(Clone, Debug)]
pub struct GivenExpression {
    /// The name of the text in diagnostics, which is also the name of its value.
    pub name: String,
    /// The text.
    pub text: String,
    /// The use of its value.
    pub usage: Usage,
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

impl Appendix {
    /// Returns the texts with their names: one for each given expression, and one with the data of the constructed
    /// ones; none if nothing is given.
    pub fn texts(&self) -> Vec<(String, String)> {
        if self.given.is_empty() {
            return Vec::new();
        }
        let given = self.given.iter().map(|given| (given.name.clone(), given.text.clone()));
        let data = self.made.iter().flatten().filter_map(|part| match part {
            Part::Datum(datum) => Some(datum.as_str()),
            Part::Given(_) => None,
        });
        given.chain([("<expressions>".to_owned(), data.collect::<Vec<&str>>().join("\n"))]).collect()
    }
}

/// Returns the items of an appendix, whose texts are given: definitions of the given expressions, then the constructed
/// ones. The latter are left out if a given expression is malformed. The language of the program may have defined the
/// first given expressions itself; then `values` holds their names and places, and their texts are left out. The constructed
/// ones stand at `shown`, if it is given.
pub fn read(
    appendix: &Appendix,
    texts: &[Text],
    values: Vec<(NameId, Span)>,
    shown: Option<Span>,
    reading: &mut ReadingContext<'_>,
) -> Vec<NamedItem> {
    let mut tree = Tree::default();
    let data = AppendixReader { tree: &mut tree, reading }.data(appendix, texts, values, shown);
    let items = expand(&tree, reading.names, &data, reading.named, reading.report);
    items.into_iter().flatten().collect()
}

/// The appendix with the tree to which its data are added.
struct AppendixReader<'run, 'loading> {
    tree: &'run mut Tree,
    reading: &'run mut ReadingContext<'loading>,
}

impl AppendixReader<'_, '_> {
    fn data(
        &mut self,
        appendix: &Appendix,
        texts: &[Text],
        mut values: Vec<(NameId, Span)>,
        shown: Option<Span>,
    ) -> Vec<DatumId> {
        let mut data = Vec::new();
        let Some((constructed, of_given)) = texts.split_last() else { return data };
        for (given, text) in appendix.given.iter().skip(values.len()).zip(of_given) {
            let Some(expression) = self.expression_of(given, *text) else { return data };
            let (name, span) = (self.reading.names.hidden(&given.name), self.tree.span(expression));
            data.push(self.definition(name, expression, span));
            values.push((name, span));
        }
        if let Some((_, last)) = values.last().copied() {
            let span = shown.unwrap_or(last);
            let mut written = parse(*constructed, self.tree, self.reading).into_iter();
            data.extend(appendix.made.iter().map(|made| self.made(made, &values, &mut written, span)));
        }
        data
    }

    /// Returns the one expression of a text; none if there is not exactly one, which has been reported.
    fn expression_of(&mut self, given: &GivenExpression, text: Text) -> Option<DatumId> {
        let so_far = mem::replace(self.reading.completeness, Completeness::Whole);
        let data = parse(text, self.tree, self.reading);
        let own = mem::replace(self.reading.completeness, so_far);
        if own == Completeness::PartsMissing {
            *self.reading.completeness = own;
            return None;
        }
        let (span, found) = match *data {
            [only] => return Some(only),
            [] => (Span::new(text.file, 0, given.text.len() as u32), "nothing"),
            [_, second, ..] => (self.tree.span(second), "more"),
        };
        let message = format!("`{}` expects one expression, found {found}", given.name);
        *self.reading.completeness = Completeness::PartsMissing;
        self.reading.report.push(Diagnostic::new(Kind::Syntax, span, message));
        None
    }

    fn definition(&mut self, name: NameId, expression: DatumId, span: Span) -> DatumId {
        let define = self.reading.names.intern(Keyword::Define.text());
        let parts = [define, name].map(|name| self.tree.add(Datum::Name(name), span));
        self.list(parts.into_iter().chain([expression]), span)
    }

    fn list(&mut self, parts: impl IntoIterator<Item = DatumId>, span: Span) -> DatumId {
        let parts = self.tree.add_parts(parts);
        self.tree.add(Datum::List(parts), span)
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
