//! Calc: a tiny language of formulas, one on each line. It exists to test that everything except the passes up to named
//! core works for any language ([`vlad_shared::language`]).
//!
//! ```text
//! # a comment
//! use "geometry"
//! area(r) = pi * r * r
//! area(2) - 1
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `use "file"` | the items of another file, of any language |
//! | `x = e`, `f(x, y) = e` | a definition |
//! | `e` | an expression, whose value is printed |
//!
//! Expressions have numbers, names, calls, parentheses, the sign `-` and the operations `+ - * /`, which mean the
//! primitives whatever a program defines. Other names are resolved as those of VLAD.

mod lexer;
mod parser;

use lexer::{Lexed, lex};
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::Span;
use vlad_shared::language::library::Library;
use vlad_shared::language::named::{NamedItem, print};
use vlad_shared::language::{Comment, Language, Piece, ReadingContext, Text};

/// The language Calc.
#[derive(Clone, Copy, Debug)]
pub struct Calc;

impl Language for Calc {
    fn name(&self) -> &'static str {
        "calc"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["calc", "formulas"]
    }

    fn libraries(&self) -> &'static [Library] {
        &[Library { name: "geometry", text: "pi = 4 * atan(1)\ncircle(r) = pi * r * r\n", elementwise: &[] }]
    }

    fn comment(&self) -> Comment {
        Comment { open: "#[ ", close: " ]#" }
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        let characters = reading.text(text).to_owned();
        let Lexed { lines, errors } = lex(text.file, &characters);
        let refuse = |span: Span| Diagnostic::new(Kind::Read, span, "no token of a formula begins here");
        errors.into_iter().for_each(|span| reading.report.push(refuse(span)));
        lines.iter().filter_map(|line| parser::parse(line, &characters, reading)).collect()
    }

    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        let characters = reading.text(text);
        let tokens = lex(text.file, characters).lines.into_iter().flatten();
        let written = |span: Span| characters.get(span.start as usize..span.end as usize).unwrap_or_default();
        tokens.map(|token| format!("{}: {}\n", token.span.start, written(token.span))).collect()
    }

    /// Describes named core: the parser makes no tree before it.
    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        let items: Vec<NamedItem> = self.read(text, reading).into_iter().filter_map(item).collect();
        print::print(reading.named, reading.names, &items)
    }
}

fn item(piece: Piece) -> Option<NamedItem> {
    match piece {
        Piece::Item(item) => Some(item),
        Piece::Include { .. } => None,
    }
}
