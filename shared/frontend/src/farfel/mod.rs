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
mod reading;
pub mod syntax;

use crate::language::{Comment, Completeness, Language, Piece, ReadingContext, Text};
use crate::library::Library;
use crate::named::NamedItem;
use reading::nested;

/// Reads a text; none if it has errors, or one before it has.
fn items(text: Text, reading: &mut ReadingContext<'_>) -> Option<Vec<NamedItem>> {
    let (tree, program) = nested(text, reading)?;
    let mut checked = check::check(&tree, &program, reading.names, reading.report);
    reading.report.is_empty().then_some(())?;
    let plan = flow::plan(&tree, &program, &mut checked, reading.names, reading.report);
    reading.report.is_empty().then_some(())?;
    Some(lower::lower(&tree, &program, &checked, &plan, reading.named, reading.names))
}

/// The language Farfel.
#[derive(Clone, Copy, Debug)]
pub struct Farfel;

impl Language for Farfel {
    fn name(&self) -> &'static str {
        "farfel"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["f", "for", "f77", "farfel"]
    }

    fn libraries(&self) -> &'static [Library] {
        &[]
    }

    fn checks_calls(&self) -> bool {
        true
    }

    fn spelled(&self, name: &str) -> String {
        name.to_ascii_uppercase()
    }

    fn comment(&self) -> Comment {
        Comment { open: "!! ", close: "" }
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        match items(text, reading) {
            Some(items) => items.into_iter().map(Piece::Item).collect(),
            None => {
                *reading.completeness = Completeness::PartsMissing;
                vec![]
            }
        }
    }

    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        describe::tokens(text, reading)
    }

    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        describe::tree(text, reading)
    }
}
