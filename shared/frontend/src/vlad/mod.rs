//! VLAD: from its text to named core.
//!
//! ```text
//! text --lexer--> tokens --grammar--> surface tree --expand--> named core
//! ```
//!
//! [`prelude`] and [`libraries`] are texts in VLAD, and so are the definitions of data files, which `data` writes; [`appendix`] reads the expressions that options of a command append
//! to a program.

pub mod appendix;
mod data;
pub mod expand;
pub mod libraries;
pub mod prelude;
pub mod syntax;

use libraries::LIBRARIES;
use std::ops::Range;
use syntax::balance::{self, Balance};
use syntax::lexer::{self, Extent, Lexed};
use syntax::tree::{Datum, DatumId, Tree};
use syntax::{describe, reader};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::print::layout::Layout;
use vlad_core::source::{FileId, Span, blanked};
use vlad_data::Data;
use vlad_language::library::Library;
use vlad_language::names::{Keyword, Names};
use vlad_language::{
    Comment, Completeness, DataDefinition, Encoding, Language, Piece, ReadingContext, SessionReading, Text,
};
use vlad_table::primitives::PRIMITIVES;

/// The language VLAD.
#[derive(Clone, Copy, Debug)]
pub struct Vlad;

impl Language for Vlad {
    fn name(&self) -> &'static str {
        "vlad"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vlad"]
    }

    fn libraries(&self) -> &'static [Library] {
        &LIBRARIES
    }

    fn comment(&self) -> Comment {
        Comment { open: ";; ", close: "" }
    }

    fn definition_of_data(&self, name: &str, datum: &Data) -> Option<DataDefinition> {
        Some(data::definition(name, datum))
    }

    fn session(&self) -> Option<SessionReading> {
        Some(SessionReading::Apart)
    }

    fn is_unfinished(&self, text: &str) -> bool {
        let (mut names, mut report) = (Names::new(), Report::default());
        let lexed = lexer::lex(FileId(0), text, Encoding::Sound, &mut names, &mut report);
        lexed.is_in_comment || balance::is_open(&lexed.tokens)
    }

    fn definitions(&self, text: &str) -> Vec<Range<u32>> {
        let (mut names, mut tree, mut report) = (Names::new(), Tree::default(), Report::default());
        let lexed = lexer::lex(FileId(0), text, Encoding::Sound, &mut names, &mut report);
        let (data, _) = reader::read(FileId(0), &lexed.tokens, &mut tree, &mut report);
        data.into_iter().map(|datum| tree.span(datum)).map(|span| span.start..span.end).collect()
    }

    fn call_parts(&self, text: &str) -> Option<(String, String)> {
        let (mut names, mut tree, mut report) = (Names::new(), Tree::default(), Report::default());
        let lexed = lexer::lex(FileId(0), text, Encoding::Sound, &mut names, &mut report);
        let (data, _) = reader::read(FileId(0), &lexed.tokens, &mut tree, &mut report);
        let [call] = *data else { return None };
        let Datum::List(parts) = tree.datum(call) else { return None };
        let [operator, operands @ ..] = tree.parts(parts) else { return None };
        let written = |datum: &DatumId| {
            let span = tree.span(*datum);
            text.get(span.start as usize..span.end as usize).unwrap_or_default()
        };
        // Behind blanks a part stands where it stands in the call.
        let in_its_place = |datum: &DatumId| {
            let before = text.get(..tree.span(*datum).start as usize).unwrap_or_default();
            blanked(before, &[]) + written(datum)
        };
        // Several operands are a tuple.
        let operand = match operands {
            [] => "'()".to_owned(),
            [only] => in_its_place(only),
            [_, _, ..] => format!("(cons* {})", operands.iter().map(written).collect::<Vec<&str>>().join(" ")),
        };
        Some((in_its_place(operator), operand))
    }

    fn words(&self) -> Vec<&'static str> {
        Keyword::texts().chain(PRIMITIVES.iter().map(|row| row.name)).collect()
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        let data = reading.data;
        let mut pieces: Vec<Piece> = data.iter().flat_map(|text| pieces(*text, reading)).collect();
        pieces.extend(self::pieces(text, reading));
        pieces
    }

    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        let lexed = lex(text, reading);
        describe::tokens(text.file, &lexed.tokens, reading.sources)
    }

    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        let (mut tree, mut layout) = (Tree::default(), Layout::default());
        let data = parse(text, &mut tree, reading);
        data.iter().for_each(|datum| describe::datum(&tree, reading.names, *datum, &mut layout));
        layout.finish()
    }
}

/// Returns the pieces of a text.
fn pieces(text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
    let mut tree = Tree::default();
    let data = parse(text, &mut tree, reading);
    let includes: Vec<Option<Include>> = data.iter().map(|datum| include(&tree, reading.names, *datum)).collect();
    let items = data.into_iter().zip(&includes).filter_map(|(datum, include)| include.is_none().then_some(datum));
    let items: Vec<DatumId> = items.collect();
    let mut items = expand::expand(&tree, reading.names, &items, reading.named, reading.report).into_iter();
    let mut pieces = vec![];
    for include in includes {
        match include {
            None => pieces.extend(items.next().flatten().map(Piece::Item)),
            Some(Include::Of(name, span)) => pieces.push(Piece::Include { name, span }),
            Some(Include::Malformed(span)) => {
                *reading.completeness = Completeness::PartsMissing;
                reading.report.push(Diagnostic::new(Kind::Syntax, span, "expected (include \"file\")"));
            }
        }
    }
    pieces
}

/// An `include` form.
enum Include {
    /// A form with a name, and the span of the name.
    Of(String, Span),
    /// A malformed form, with its span.
    Malformed(Span),
}

/// Returns a datum as an `include` form, if it is one.
fn include(tree: &Tree, names: &Names, datum: DatumId) -> Option<Include> {
    let Datum::List(parts) = tree.datum(datum) else { return None };
    let [first, operands @ ..] = tree.parts(parts) else { return None };
    let Datum::Name(keyword) = tree.datum(*first) else { return None };
    if Keyword::of(keyword) != Some(Keyword::Include) {
        return None;
    }
    Some(match *operands {
        [operand] => match tree.datum(operand) {
            Datum::Text(text) => Include::Of(names.text(text).to_string(), tree.span(operand)),
            Datum::Real(_)
            | Datum::Boolean(_)
            | Datum::Name(_)
            | Datum::List(_)
            | Datum::Dotted(_)
            | Datum::Vector(_)
            | Datum::Quote(_)
            | Datum::Invalid => Include::Malformed(tree.span(datum)),
        },
        _ => Include::Malformed(tree.span(datum)),
    })
}

fn lex(text: Text, reading: &mut ReadingContext<'_>) -> Lexed {
    let characters = reading.sources.get(text.file).map_or("", |file| file.text.as_str());
    lexer::lex(text.file, characters, text.encoding, reading.names, reading.report)
}

/// Returns the data of a text; none if parentheses do not pair up, since then the nesting is unknown.
fn parse(text: Text, tree: &mut Tree, reading: &mut ReadingContext<'_>) -> Vec<DatumId> {
    let lexed = lex(text, reading);
    let balance = match lexed.extent {
        Extent::Whole => balance::check(text.file, &lexed.tokens, reading.report),
        Extent::Hidden => Balance::Uneven,
    };
    let (data, extent) = match balance {
        Balance::Even => reader::read(text.file, &lexed.tokens, tree, reading.report),
        Balance::Uneven => (vec![], Extent::Hidden),
    };
    match extent {
        Extent::Whole => {}
        Extent::Hidden => *reading.completeness = Completeness::PartsMissing,
    }
    data
}
