//! Farfel: Fortran 77 with blocks of differentiation and nested subprograms, from its text to named core.
//!
//! ```text
//! text --lines--> lines --lexer, words--> tokens --grammar--> statements --nesting--> subprograms and blocks
//!   --check--> entities, meanings, types --flow--> effects, frames, liveness --lower--> named core
//! ```
//!
//! A pass runs only if those before it have found no errors.

pub mod check;
mod describe;
pub mod flow;
mod lower;
pub mod program;
pub mod syntax;

use crate::language::{Comment, Language, Piece, ReadingContext, Text};
use crate::library::Library;
use program::nesting;
use syntax::parser;

/// The language Farfel.
#[derive(Clone, Copy, Debug)]
pub struct Farfel;

impl Language for Farfel {
    fn name(&self) -> &'static str {
        "farfel"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["f", "for", "farfel"]
    }

    fn libraries(&self) -> &'static [Library] {
        &[]
    }

    fn comment(&self) -> Comment {
        Comment { open: "!! ", close: "" }
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        let characters = reading.sources.get(text.file).map_or("", |file| file.text.as_str());
        let mut tree = parser::parse(text.file, characters, reading.names, reading.report);
        let program = nesting::nest(&mut tree, reading.names, reading.report);
        if !reading.report.is_empty() {
            return vec![];
        }
        let mut checked = check::check(&tree, &program, reading.names, reading.report);
        if !reading.report.is_empty() {
            return vec![];
        }
        let plan = flow::plan(&tree, &program, &mut checked, reading.names, reading.report);
        if !reading.report.is_empty() {
            return vec![];
        }
        let items = lower::lower(&tree, &program, &checked, &plan, reading.named, reading.names);
        items.into_iter().map(Piece::Item).collect()
    }

    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        describe::tokens(text, reading)
    }

    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        describe::tree(text, reading)
    }
}
