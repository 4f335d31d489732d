//! F-smooth: a typed functional array language with derivatives (Shaikhha et al. 2018), from its text to named core.
//!
//! ```text
//! text --lexer, layout, grammar--> surface tree --resolve--> scoped tree --infer--> typed tree
//!     --differentiate--> typed tree --rewrite--> typed tree --lower--> named core
//! ```
//!
//! Every program has the library, [`LIBRARY`], of which the instances that it uses are part of the program.

pub mod builtins;
pub mod differentiation;
pub mod infer;
pub mod lower;
pub mod rewrite;
pub mod scoped;
pub mod syntax;
pub mod typed;
pub mod variant;

use crate::language::{AppendedLanguage, Comment, Completeness, Language, Piece, ReadingContext, Rewriting, Text};
use crate::library::Library;
use builtins::Builtin;
use scoped::ScopedTree;
use scoped::resolve::Resolver;
use syntax::reader::{ReadItem, read};
use syntax::tree::{SurfaceItem, Tree};
use syntax::{describe, lexer};
use typed::{Origin, Program, Types, print};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::layout::Layout;

/// The language F-smooth.
#[derive(Clone, Copy, Debug)]
pub struct FSmooth;

/// The library that every program has.
pub static LIBRARY: Library = Library { name: "fsmooth-library", text: include_str!("library.fs"), elementwise: &[] };

impl Language for FSmooth {
    fn name(&self) -> &'static str {
        "fsmooth"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["fs"]
    }

    fn libraries(&self) -> &'static [Library] {
        &[]
    }

    fn preamble(&self) -> Option<&'static Library> {
        Some(&LIBRARY)
    }

    fn appended(&self) -> AppendedLanguage {
        AppendedLanguage::Own
    }

    fn checks_calls(&self) -> bool {
        true
    }

    fn comment(&self) -> Comment {
        Comment { open: "// ", close: "" }
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        variant::pieces(text, Rewriting::On, reading)
    }

    fn rewriting(&self, rewriting: Rewriting) -> Option<&'static dyn Language> {
        Some(variant::of(rewriting))
    }

    fn rewrites(&self, text: Text, function: &str, reading: &mut ReadingContext<'_>) -> String {
        variant::rewrites(text, (function, Rewriting::On), reading)
    }

    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        let tokens = lex(text, reading);
        describe::tokens(text.file, &tokens, reading.sources)
    }

    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        let (mut tree, mut layout) = (Tree::default(), Layout::default());
        for item in parse(text, &mut tree, reading) {
            match item {
                ReadItem::Read(item) => describe::item(&tree, reading.names, item, &mut layout),
                ReadItem::Refused(_) | ReadItem::Unreadable => {}
            }
        }
        layout.finish()
    }

    fn typed(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        print::program(&typed(text, reading))
    }

    fn derivative(&self, text: Text, function: &str, reading: &mut ReadingContext<'_>) -> String {
        let mut program = typed(text, reading);
        if !reading.report.is_empty() {
            return String::new();
        }
        differentiation::shown(&mut program, function).unwrap_or_else(|diagnostic| {
            reading.report.push(*diagnostic);
            String::new()
        })
    }
}

fn lex(text: Text, reading: &mut ReadingContext<'_>) -> Vec<lexer::Token> {
    let characters = reading.sources.get(text.file).map_or("", |file| file.text.as_str());
    lexer::lex(text.file, characters, text.encoding, reading.names, reading.report)
}

fn parse(text: Text, tree: &mut Tree, reading: &mut ReadingContext<'_>) -> Vec<ReadItem> {
    let tokens = lex(text, reading);
    read(text.file, &tokens, tree, reading.report)
}

/// Returns the typed tree of a text with the instances of the library that it uses; without errors it is complete.
pub fn typed(text: Text, reading: &mut ReadingContext<'_>) -> Program {
    Builtin::names().for_each(|name| {
        reading.names.intern(name);
    });
    let (mut scoped, mut types) = (ScopedTree::default(), Types::new());
    let mut texts = vec![];
    for (text, origin) in
        reading.preamble.map(|text| (text, Origin::Library)).into_iter().chain([(text, Origin::Program)])
    {
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
            [ReadItem::Refused(_) | ReadItem::Unreadable] => {}
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
    let program = infer::infer(&scoped, types, reading.names, reading.report);
    if !reading.report.is_empty() {
        // Names that are missing for an error are not reported as well.
        *reading.completeness = Completeness::PartsMissing;
    }
    program
}
