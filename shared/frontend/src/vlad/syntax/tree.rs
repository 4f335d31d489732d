//! The surface tree: a program as data, before any of it has a meaning.
//!
//! Invariant: one arena holds all files of a program; the parts of a datum have smaller numbers than the datum, and the
//! parts of a list or a vector are adjacent in one flat table. So neither nesting nor length takes an object of its
//! own.

use vlad_core::source::Span;
use vlad_language::names::NameId;
use vlad_table::internal_bug;

/// The number of a datum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatumId(pub u32);

/// A datum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Datum {
    /// A number.
    Real(f64),
    /// `#t` or `#f`.
    Boolean(bool),
    /// A name.
    Name(NameId),
    /// A string.
    Text(NameId),
    /// `(d ...)`, also empty.
    List(Parts),
    /// `(d ... . d)`: the last part is the one after the dot.
    Dotted(Parts),
    /// `#(d ...)`, also empty.
    Vector(Parts),
    /// `'d`.
    Quote(DatumId),
    /// A malformed datum, which has been reported.
    Invalid,
}

/// Adjacent data: the parts of a list or vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    start: u32,
    end: u32,
}

impl Parts {
    /// Returns the number of data.
    pub fn count(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns true if there are none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns all but the first few.
    pub fn skip(self, count: u32) -> Parts {
        Parts { start: self.end.min(self.start.saturating_add(count)), end: self.end }
    }

    /// Returns the first few.
    pub fn take(self, count: u32) -> Parts {
        Parts { start: self.start, end: self.end.min(self.start.saturating_add(count)) }
    }
}

/// The arena of data.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    data: Vec<Datum>,
    spans: Vec<Span>,
    parts: Vec<DatumId>,
}

impl Tree {
    /// Adds a datum.
    pub fn add(&mut self, datum: Datum, span: Span) -> DatumId {
        self.data.push(datum);
        self.spans.push(span);
        DatumId(self.data.len() as u32 - 1)
    }

    /// Stores some data as the parts of one list.
    pub fn add_parts(&mut self, parts: impl IntoIterator<Item = DatumId>) -> Parts {
        let start = self.parts.len() as u32;
        self.parts.extend(parts);
        Parts { start, end: self.parts.len() as u32 }
    }

    /// A datum.
    pub fn datum(&self, id: DatumId) -> Datum {
        match self.data.get(id.0 as usize) {
            Some(datum) => *datum,
            None => internal_bug!("datum {} is in the tree", id.0),
        }
    }

    /// Returns the span of a datum.
    pub fn span(&self, id: DatumId) -> Span {
        match self.spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("datum {} has a span", id.0),
        }
    }

    /// Returns the data of some parts.
    pub fn parts(&self, parts: Parts) -> &[DatumId] {
        self.parts.get(parts.start as usize..parts.end as usize).unwrap_or(&[])
    }

    /// Returns the first of some parts.
    pub fn first(&self, parts: Parts) -> Option<DatumId> {
        self.parts(parts).first().copied()
    }

    /// Returns the span from the first of some parts to the last; none if there are none.
    pub fn span_of(&self, parts: Parts) -> Option<Span> {
        match self.parts(parts) {
            [] => None,
            [only] => Some(self.span(*only)),
            [first, .., last] => Some(self.span(*first).to(self.span(*last))),
        }
    }
}
