//! The reader: tokens to surface tree, with the actions of the grammar and the messages for tokens that do not fit it.

use crate::vlad::syntax::grammar::FileParser;
use crate::vlad::syntax::lexer::{Atom, Extent, Token, TokenKind};
use crate::vlad::syntax::tree::{Datum, DatumId, Parts, Tree};
use lalrpop_util::ParseError;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, Span};
use vlad_table::internal_bug;

/// A misplaced dot, with nothing before it, by its offset.
#[derive(Clone, Copy, Debug)]
pub struct MisplacedDot {
    dot: u32,
}

/// The builder of the tree, called by the parser.
pub struct Builder<'loading> {
    tree: &'loading mut Tree,
    file: FileId,
    /// The data read so far in each list or vector that is still open, and at top level, one after the other.
    pending: Vec<DatumId>,
    /// For each of the open lists and vectors, its offset in the text and its first index in `pending`.
    open: Vec<(u32, usize)>,
}

/// Reads balanced tokens; returns the data at top level, and the extent of the text that they cover.
pub fn read(file: FileId, tokens: &[Token], tree: &mut Tree, report: &mut Report) -> (Vec<DatumId>, Extent) {
    let mut builder = Builder { tree, file, pending: vec![], open: vec![] };
    let stream = tokens.iter().map(|token| Ok::<_, MisplacedDot>((token.start, token.kind, token.end)));
    if let Err(error) = FileParser::new().parse(&mut builder, stream) {
        report.push(explain(file, tokens, error));
        // The complete data before the error are still of use to the following passes.
        let whole = builder.open.first().map_or(builder.pending.len(), |(_, from)| *from);
        builder.pending.truncate(whole);
        return (builder.pending, Extent::Hidden);
    }
    (builder.pending, Extent::Whole)
}

impl Builder<'_> {
    fn add(&mut self, datum: Datum, start: u32, end: u32) {
        let id = self.tree.add(datum, Span::new(self.file, start, end));
        self.pending.push(id);
    }

    /// Adds a datum of one token.
    pub(super) fn atom(&mut self, atom: Atom, start: u32, end: u32) {
        let datum = match atom {
            Atom::Real(real) => Datum::Real(real),
            Atom::Boolean(boolean) => Datum::Boolean(boolean),
            Atom::Name(name) => Datum::Name(name),
            Atom::Text(text) => Datum::Text(text),
            Atom::Invalid => Datum::Invalid,
        };
        self.add(datum, start, end);
    }

    /// Opens a list or a vector.
    pub(super) fn open(&mut self, start: u32) {
        self.open.push((start, self.pending.len()));
    }

    /// Closes a list without a dot.
    pub(super) fn list(&mut self, end: u32) {
        self.close(Datum::List, end);
    }

    /// Closes a vector.
    pub(super) fn vector(&mut self, end: u32) {
        self.close(Datum::Vector, end);
    }

    fn close(&mut self, datum: fn(Parts) -> Datum, end: u32) {
        let Some((start, from)) = self.open.pop() else { internal_bug!("a list that closes was opened") };
        let parts = self.tree.add_parts(self.pending.drain(from..));
        self.add(datum(parts), start, end);
    }

    /// Closes a list with a dot before its last datum.
    pub(super) fn dotted(&mut self, dot: u32, end: u32) -> Result<(), ParseError<u32, TokenKind, MisplacedDot>> {
        let Some((start, from)) = self.open.pop() else { internal_bug!("a list that closes was opened") };
        if self.pending.len() < from + 2 {
            self.open.push((start, from));
            return Err(ParseError::User { error: MisplacedDot { dot } });
        }
        let parts = self.tree.add_parts(self.pending.drain(from..));
        self.add(Datum::Dotted(parts), start, end);
        Ok(())
    }

    /// Quotes the datum read last.
    pub(super) fn quote(&mut self, start: u32, end: u32) {
        let Some(quoted) = self.pending.pop() else { internal_bug!("a datum stands behind a quote") };
        self.add(Datum::Quote(quoted), start, end);
    }

    /// Drops the datum read last.
    pub(super) fn leave_out(&mut self) {
        self.pending.pop();
    }
}

/// Returns the diagnostic for tokens that do not fit the grammar.
fn explain(file: FileId, tokens: &[Token], error: ParseError<u32, TokenKind, MisplacedDot>) -> Diagnostic {
    let (before, found) = match error {
        ParseError::User { error: MisplacedDot { dot } } => {
            return Diagnostic::new(Kind::Read, Span::new(file, dot, dot + 1), "nothing stands before this dot")
                .with_hint("a pair is written '(1 . 2)");
        }
        ParseError::UnrecognizedToken { token: (start, _, _), .. }
        | ParseError::ExtraToken { token: (start, _, _) } => {
            let index = tokens.partition_point(|token| token.start < start);
            (tokens.get(..index), tokens.get(index))
        }
        ParseError::UnrecognizedEof { .. } | ParseError::InvalidToken { .. } => (Some(tokens), None),
    };
    let within = before.map_or(EnclosingConstruct::Text, within);
    let before = before.and_then(<[Token]>::last);
    let place = |token: &Token| Span::new(file, token.start, token.end);
    match (before, found) {
        (Some(before), _) if before.kind == TokenKind::Quote => {
            Diagnostic::new(Kind::Read, place(before), "nothing stands behind this quote to be quoted")
        }
        (Some(before), _) if before.kind == TokenKind::DatumComment => {
            Diagnostic::new(Kind::Read, place(before), "nothing stands behind this `#;` to be left out")
        }
        (_, Some(found)) if found.kind == TokenKind::Dot && within == EnclosingConstruct::Vector => {
            Diagnostic::new(Kind::Read, place(found), "a vector has no dot")
                .with_hint("a vector is written #(1 2); numbers with a point have a digit beside it")
        }
        (Some(before), Some(found)) if before.kind == TokenKind::Dot && found.kind != TokenKind::Dot => {
            Diagnostic::new(Kind::Read, place(before), "nothing stands behind this dot")
                .with_hint("a pair is written '(1 . 2)")
        }
        (_, Some(found)) if found.kind == TokenKind::Dot => {
            Diagnostic::new(Kind::Read, place(found), "a dot stands only before the last datum of a quoted list")
                .with_hint("a pair is written '(1 . 2); numbers with a point have a digit beside it")
        }
        (_, Some(found)) => Diagnostic::new(Kind::Read, place(found), "only one datum stands behind the dot of a list"),
        (before, None) => Diagnostic::new(Kind::Read, before.map(place), "the text ends too early"),
    }
}

/// The innermost construct that contains a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EnclosingConstruct {
    Text,
    List,
    Vector,
}

/// Returns the innermost construct that contains the place after some tokens.
fn within(before: &[Token]) -> EnclosingConstruct {
    let mut closed = 0_usize;
    for token in before.iter().rev() {
        match token.kind {
            TokenKind::Close(_) => closed += 1,
            TokenKind::Open(_) | TokenKind::OpenVector(_) if closed > 0 => closed -= 1,
            TokenKind::Open(_) => return EnclosingConstruct::List,
            TokenKind::OpenVector(_) => return EnclosingConstruct::Vector,
            TokenKind::Quote | TokenKind::DatumComment | TokenKind::Dot | TokenKind::Atom(_) => {}
        }
    }
    EnclosingConstruct::Text
}
