//! From the text of a program, with the library, to its typed tree.

use super::builtins::Builtin;
use super::infer;
use super::scoped::ScopedTree;
use super::scoped::resolver::Resolver;
use super::syntax::lexer;
use super::syntax::reader::{ReadItem, read};
use super::syntax::tree::{SurfaceItem, Tree};
use super::typed::{Origin, Program, Types};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::library::Library;
use vlad_language::{Completeness, ReadingContext, Text};

/// The library that every program has.
pub static LIBRARY: Library = Library { name: "fsmooth-library", text: include_str!("library.fs"), elementwise: &[] };

/// Splits a text into tokens.
pub(super) fn lex(text: Text, reading: &mut ReadingContext<'_>) -> Vec<lexer::Token> {
    let characters = reading.sources.get(text.file).map_or("", |file| file.text.as_str());
    lexer::lex(text.file, characters, text.encoding, reading.names, reading.report)
}

/// Reads the items of a text.
pub(super) fn parse(text: Text, tree: &mut Tree, reading: &mut ReadingContext<'_>) -> Vec<ReadItem> {
    let tokens = lex(text, reading);
    read(text.file, &tokens, reading.names, tree, reading.report)
}

/// Returns the typed tree of a text with the instances of the library that it uses; without errors it is complete.
pub fn typed(text: Text, reading: &mut ReadingContext<'_>) -> Program {
    Builtin::names().for_each(|name| {
        reading.names.intern(name);
    });
    let (mut scoped, mut types) = (ScopedTree::default(), Types::new());
    let (data, earlier) = (reading.data, reading.earlier);
    let library = reading.preamble.map(|text| (text, Origin::Library)).into_iter();
    let mut texts = vec![];
    let own = data.iter().chain(earlier).copied().chain([text]).map(|text| (text, Origin::Program));
    for (text, origin) in library.chain(own) {
        let mut tree = Tree::default();
        let items = parse(text, &mut tree, reading);
        texts.push((tree, items, origin));
    }
    let mut given = vec![];
    for appended in reading.appended {
        let mut tree = Tree::default();
        let items = parse(appended.text, &mut tree, reading);
        match *items {
            [ReadItem::Read(SurfaceItem::Expression(expression))] => given.push((appended, tree, expression)),
            // An error has been reported.
            [ReadItem::Refused(_) | ReadItem::Unreadable, ..] => {}
            [] | [_, ..] => {
                let found = match *items {
                    [] => "nothing",
                    [ReadItem::Read(SurfaceItem::Define(_))] => "a definition",
                    [..] => "more",
                };
                let message = format!("`{}` expects one expression, found {found}", appended.shown);
                let span = appended.text.whole(reading.sources);
                reading.report.push(Diagnostic::new(Kind::Syntax, span, message));
            }
        }
    }
    let mut resolver = Resolver::new(&mut scoped, &mut types, reading.names, reading.report);
    for (tree, items, origin) in &texts {
        resolver.text(tree, items, *origin);
    }
    for (appended, tree, expression) in &given {
        resolver.appended(tree, *expression, appended.name);
    }
    drop((texts, given));
    let program = infer::infer(&scoped, types, reading.names, reading.report);
    if !reading.report.is_empty() {
        // Names that are missing for an error are not reported as well.
        *reading.completeness = Completeness::PartsMissing;
    }
    program
}
