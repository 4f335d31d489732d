//! F-smooth as a language of the command, under three ways of rewriting, each with a name of its own.
//!
//! A stored program keeps the names of the languages of its texts, so a run that is resumed, and an executable that was
//! built, have the code that they began with.

use super::reading::{LIBRARY, lex, parse, typed};
use super::rewrite::rules::Class;
use super::rewrite::{self, Verdict, derivation};
use super::syntax::describe;
use super::syntax::reader::ReadItem;
use super::syntax::tree::Tree;
use super::typed::{Item, print, select};
use super::{data, differentiation, interface, lower, session};
use std::ops::Range;
use vlad_core::OutputNotation;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::print::layout::Layout;
use vlad_data::Data;
use vlad_language::interface::{Interface, Structure};
use vlad_language::library::Library;
use vlad_language::{
    AppendedLanguage, Comment, DataDefinition, Language, Pairs, Piece, ReadingContext, Rewriting, SessionReading, Text,
};

/// The language F-smooth with a way of rewriting.
#[derive(Clone, Copy, Debug)]
pub struct FSmooth {
    name: &'static str,
    rewriting: Rewriting,
}

/// F-smooth whose programs are rewritten by default.
pub const FSMOOTH: FSmooth = FSmooth { name: "fsmooth", rewriting: Rewriting::On };
const AS_WRITTEN: FSmooth = FSmooth { name: "fsmooth-as-written", rewriting: Rewriting::Off };
const WITH_ALGEBRA: FSmooth = FSmooth { name: "fsmooth-with-algebra", rewriting: Rewriting::Algebra };

/// Returns F-smooth with a way of rewriting.
pub fn of(rewriting: Rewriting) -> &'static dyn Language {
    match rewriting {
        Rewriting::Off => &AS_WRITTEN,
        Rewriting::On => &FSMOOTH,
        Rewriting::Algebra => &WITH_ALGEBRA,
    }
}

impl Language for FSmooth {
    fn name(&self) -> &'static str {
        self.name
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

    fn pairs(&self) -> Pairs {
        Pairs::Halves
    }

    fn definition_of_data(&self, name: &str, datum: &Data) -> Option<DataDefinition> {
        Some(data::definition(name, datum))
    }

    fn comment(&self) -> Comment {
        Comment { open: "// ", close: "" }
    }

    fn output(&self) -> OutputNotation {
        OutputNotation::Arrays
    }

    fn session(&self) -> Option<SessionReading> {
        Some(SessionReading::Together)
    }

    fn is_unfinished(&self, text: &str) -> bool {
        session::is_unfinished(text)
    }

    fn definitions(&self, text: &str) -> Vec<Range<u32>> {
        session::definitions(text)
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        pieces(text, self.rewriting, reading)
    }

    fn rewriting(&self, rewriting: Rewriting) -> Option<&'static dyn Language> {
        Some(of(rewriting))
    }

    fn rewrites(&self, text: Text, function: &str, reading: &mut ReadingContext<'_>) -> String {
        rewrites(text, (function, self.rewriting), reading)
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

    fn interfaces(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Interface> {
        let mut program = typed(text, reading);
        if reading.report.is_empty() { interface::interfaces(&mut program, reading) } else { Vec::new() }
    }

    fn operands(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Vec<Structure>> {
        let program = typed(text, reading);
        if reading.report.is_empty() { interface::operands(&program) } else { Vec::new() }
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

/// Returns the greatest class of rules that are applied; none for a program that runs as it is written.
fn class(rewriting: Rewriting) -> Option<Class> {
    match rewriting {
        Rewriting::Off => None,
        Rewriting::On => Some(Class::ZeroSigns),
        Rewriting::Algebra => Some(Class::Algebra),
    }
}

/// Reads a text to named core.
pub fn pieces(text: Text, rewriting: Rewriting, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
    let mut program = typed(text, reading);
    if reading.report.is_empty() {
        interface::expose(&mut program, reading.appended);
        differentiation::differentiate(&mut program);
        if let Some(class) = class(rewriting) {
            rewrite::rewrite(&mut program, class);
        }
    }
    lower::lower(&program, reading).into_iter().map(Piece::Item).collect()
}

/// Describes how a function is rewritten: the steps as comments, then its new definition with all that it names, which is
/// a program. Without rewriting there are no steps.
pub fn rewrites(text: Text, (function, rewriting): (&str, Rewriting), reading: &mut ReadingContext<'_>) -> String {
    let mut program = typed(text, reading);
    if !reading.report.is_empty() {
        return String::new();
    }
    let defined = program.items.iter().rev().find_map(|item| match *item {
        Item::Define(global) if &*program.global(global).name == function => Some(global),
        Item::Define(_) | Item::Expression(_) => None,
    });
    let Some(global) = defined else {
        let message = format!("`{function}` is not defined, or not used at any type");
        reading.report.push(Diagnostic::new(Kind::Unbound, None, message));
        return String::new();
    };
    differentiation::differentiate(&mut program);
    let derivations = class(rewriting).map(|class| rewrite::rewrite(&mut program, class)).unwrap_or_default();
    let mut out = String::new();
    // Of a definition that writes parts are rewritten.
    for found in derivations.iter().filter(|found| found.item == Item::Define(global)) {
        out.push_str(&derivation::text(&program, &found.derivation));
        out.push_str(match found.verdict {
            Verdict::Taken => "",
            Verdict::AsExpensive => "// The result costs as much: the definition stays.\n",
            Verdict::NotFinished => {
                "// The rules do not end within the bounds of a definition, or what definitions before have left of those of a \
                 program: the definition stays.\n"
            }
        });
    }
    select::keep_definitions(&mut program, vec![global]);
    out.push_str(&print::program(&program));
    out
}
