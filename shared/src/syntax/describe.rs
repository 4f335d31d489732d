//! Tokens and the surface tree as text, for `vlad show`.

use super::layout::Layout;
use super::lexer::{Atom, Bracket, Token, TokenKind};
use super::names::Names;
use super::tree::{Datum, DatumId, Parts, Tree};
use crate::number;
use crate::source::{FileId, SourceMap, Span};
use std::fmt::Write;

/// The tokens of a file, one on a line: line and column, kind, text.
pub fn tokens(file: FileId, tokens: &[Token], sources: &SourceMap) -> String {
    let mut out = String::new();
    for token in tokens {
        let kind = match token.kind {
            TokenKind::Open(Bracket::Round | Bracket::Square) => "open",
            TokenKind::Close(Bracket::Round | Bracket::Square) => "close",
            TokenKind::Quote => "quote",
            TokenKind::DatumComment => "comment",
            TokenKind::Dot => "dot",
            TokenKind::Atom(Atom::Real(_)) => "number",
            TokenKind::Atom(Atom::Boolean(_)) => "boolean",
            TokenKind::Atom(Atom::Name(_)) => "name",
            TokenKind::Atom(Atom::Text(_)) => "string",
            TokenKind::Atom(Atom::Invalid) => "invalid",
        };
        let text = sources.text(Span::new(file, token.start, token.end));
        let Some(position) = sources.get(file).map(|file| file.position(token.start)) else { continue };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}:{} {kind} {text}", position.line, position.column);
    }
    out
}

/// What is still to be printed of a datum.
enum Step {
    Visit(DatumId),
    Dot,
    Close,
}

/// Puts a datum into a layout.
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
                        visit(tree, parts, Dots::None, &mut steps);
                    }
                    Datum::Dotted(parts) => {
                        layout.open(quotes + "(");
                        visit(tree, parts, Dots::BeforeTheLast, &mut steps);
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

/// Whether the last part of a list stands behind a dot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    None,
    BeforeTheLast,
}

fn visit(tree: &Tree, parts: Parts, dots: Dots, steps: &mut Vec<Step>) {
    steps.push(Step::Close);
    for (place, part) in tree.parts(parts).iter().rev().enumerate() {
        steps.push(Step::Visit(*part));
        if place == 0 && dots == Dots::BeforeTheLast {
            steps.push(Step::Dot);
        }
    }
}
