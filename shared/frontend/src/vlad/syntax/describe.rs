//! The printers of tokens and of the surface tree, for `vlad show`.

use crate::vlad::syntax::lexer::{Atom, Bracket, Token, TokenKind};
use crate::vlad::syntax::tree::{Datum, DatumId, Parts, Tree};
use std::fmt::Write;
use vlad_core::print::layout::{Layout, VECTOR};
use vlad_core::source::{FileId, SourceMap, Span};
use vlad_language::names::Names;
use vlad_table::number;

/// Returns the tokens of a file, one per line: line and column, kind, text.
pub fn tokens(file: FileId, tokens: &[Token], sources: &SourceMap) -> String {
    let mut out = String::new();
    let mut here =
        Walk { rest: sources.get(file).map_or("", |file| file.text.as_str()), offset: 0, line: 1, column: 1 };
    for token in tokens {
        here.go_to(token.start);
        let text = sources.text(Span::new(file, token.start, token.end));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}:{} {} {text}", here.line, here.column, kind_name(token.kind));
    }
    out
}

/// A position that advances through a text, so that finding the positions of all tokens takes one pass.
struct Walk<'text> {
    rest: &'text str,
    offset: u32,
    line: u32,
    column: u32,
}

impl Walk<'_> {
    fn go_to(&mut self, offset: u32) {
        let (passed, rest) = self.rest.split_at_checked((offset - self.offset) as usize).unwrap_or((self.rest, ""));
        let mut characters = passed.chars().peekable();
        while let Some(character) = characters.next() {
            if character == '\n' || (character == '\r' && characters.peek() != Some(&'\n')) {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
        self.offset = offset;
    }
}

fn kind_name(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Open(Bracket::Round | Bracket::Square) => "open",
        TokenKind::OpenVector(Bracket::Round | Bracket::Square) => "vector",
        TokenKind::Close(Bracket::Round | Bracket::Square) => "close",
        TokenKind::Quote => "quote",
        TokenKind::DatumComment => "comment",
        TokenKind::Dot => "dot",
        TokenKind::Atom(Atom::Real(_)) => "number",
        TokenKind::Atom(Atom::Boolean(_)) => "boolean",
        TokenKind::Atom(Atom::Name(_)) => "name",
        TokenKind::Atom(Atom::Text(_)) => "string",
        TokenKind::Atom(Atom::Invalid) => "invalid",
    }
}

/// A pending step in printing a datum.
enum Step {
    Visit(DatumId),
    Dot,
    Close,
}

/// Adds a datum to a layout.
pub fn datum(tree: &Tree, names: &Names, datum: DatumId, layout: &mut Layout) {
    let mut steps = vec![Step::Visit(datum)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Close => layout.close(),
            Step::Dot => layout.atom("."),
            Step::Visit(datum) => {
                let mut quotes = String::new();
                let mut datum = datum;
                while let Datum::Quote(quoted) = tree.datum(datum) {
                    quotes.push('\'');
                    datum = quoted;
                }
                match tree.datum(datum) {
                    Datum::List(parts) => {
                        layout.open(quotes + "(");
                        visit(tree, parts, ListNotation::None, &mut steps);
                    }
                    Datum::Dotted(parts) => {
                        layout.open(quotes + "(");
                        visit(tree, parts, ListNotation::BeforeTheLast, &mut steps);
                    }
                    Datum::Vector(parts) => {
                        layout.open(quotes + VECTOR);
                        visit(tree, parts, ListNotation::None, &mut steps);
                    }
                    Datum::Real(real) => layout.atom(quotes + &number::format(real)),
                    Datum::Boolean(boolean) => layout.atom(quotes + if boolean { "#t" } else { "#f" }),
                    Datum::Name(name) => layout.atom(quotes + names.text(name)),
                    Datum::Text(text) => {
                        let text = names.text(text).replace('\\', "\\\\").replace('"', "\\\"");
                        layout.atom(format!("{quotes}\"{text}\""));
                    }
                    Datum::Quote(_) | Datum::Invalid => layout.atom(quotes),
                }
            }
        }
    }
}

/// The notation of a list: with a dot before its last part, or without.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListNotation {
    None,
    BeforeTheLast,
}

fn visit(tree: &Tree, parts: Parts, dots: ListNotation, steps: &mut Vec<Step>) {
    steps.push(Step::Close);
    for (place, part) in tree.parts(parts).iter().rev().enumerate() {
        steps.push(Step::Visit(*part));
        if place == 0 && dots == ListNotation::BeforeTheLast {
            steps.push(Step::Dot);
        }
    }
}
