//! Farfel as a language of the command, with either operator of reverse mode, each under a name of its own.
//!
//! A stored program keeps the names of the languages of its texts, so a run that is resumed, and an executable that was
//! built, go on with the operator that they began with.

use crate::reading::nested;
use crate::syntax::parser;
use crate::{check, describe, flow, lifted, lower};
use vlad_core::InputNotation;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::SourceMap;
use vlad_language::library::Library;
use vlad_language::{Comment, Completeness, Language, PartName, Piece, ReadingContext, ReverseOperator, Text};

/// The language Farfel.
#[derive(Clone, Copy, Debug)]
pub struct Farfel;

/// Farfel whose blocks `ADR` stand for `checkpoint-*j`.
#[derive(Clone, Copy, Debug)]
struct Checkpointing;

fn of(operator: ReverseOperator) -> &'static dyn Language {
    match operator {
        ReverseOperator::Recording => &Farfel,
        ReverseOperator::Checkpointing => &Checkpointing,
    }
}

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

    fn input(&self) -> InputNotation {
        InputNotation::Fortran
    }

    fn comment(&self) -> Comment {
        Comment { open: "!! ", close: "" }
    }

    fn parts(&self, text: Text, sources: &SourceMap) -> Vec<PartName> {
        parser::inclusions(text.file, sources.get(text.file).map_or("", |file| file.text.as_str()))
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        pieces(text, ReverseOperator::Recording, reading)
    }

    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        describe::tokens(text, reading)
    }

    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        describe::tree(text, reading)
    }

    fn reverse_by(&self, operator: ReverseOperator) -> Option<&'static dyn Language> {
        Some(of(operator))
    }

    fn lifted(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        lifted_text(text, reading).unwrap_or_default()
    }
}

impl Language for Checkpointing {
    fn name(&self) -> &'static str {
        "farfel-checkpoint"
    }

    fn extensions(&self) -> &'static [&'static str] {
        Farfel.extensions()
    }

    fn libraries(&self) -> &'static [Library] {
        Farfel.libraries()
    }

    fn checks_calls(&self) -> bool {
        Farfel.checks_calls()
    }

    fn spelled(&self, name: &str) -> String {
        Farfel.spelled(name)
    }

    fn input(&self) -> InputNotation {
        Farfel.input()
    }

    fn comment(&self) -> Comment {
        Farfel.comment()
    }

    fn parts(&self, text: Text, sources: &SourceMap) -> Vec<PartName> {
        Farfel.parts(text, sources)
    }

    fn read(&self, text: Text, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
        pieces(text, ReverseOperator::Checkpointing, reading)
    }

    fn tokens(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        Farfel.tokens(text, reading)
    }

    fn tree(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        Farfel.tree(text, reading)
    }

    fn reverse_by(&self, operator: ReverseOperator) -> Option<&'static dyn Language> {
        Some(of(operator))
    }

    fn lifted(&self, text: Text, reading: &mut ReadingContext<'_>) -> String {
        Farfel.lifted(text, reading)
    }
}

/// Returns a text after closure conversion and specialisation; none if there are errors.
fn lifted_text(text: Text, reading: &mut ReadingContext<'_>) -> Option<String> {
    let (tree, program) = nested(text, reading)?;
    if let Some((_, span)) = tree.others.first() {
        let message = "a program that includes a text in another language has no lifted form";
        reading.report.push(Diagnostic::new(Kind::Type, *span, message));
    }
    let mut checked = check::check(&tree, &program, reading.names, reading.report);
    reading.report.is_empty().then_some(())?;
    flow::plan(&tree, &program, &mut checked, reading.names, reading.report);
    reading.report.is_empty().then_some(())?;
    match lifted::lifted(&tree, &program, &checked, reading.names) {
        Ok(text) => Some(text),
        Err(diagnostic) => {
            reading.report.push(*diagnostic);
            None
        }
    }
}

/// Reads a text to named core; nothing if it has errors, or one before it has.
fn pieces(text: Text, operator: ReverseOperator, reading: &mut ReadingContext<'_>) -> Vec<Piece> {
    match sound_pieces(text, operator, reading) {
        Some(pieces) => pieces,
        None => {
            *reading.completeness = Completeness::PartsMissing;
            vec![]
        }
    }
}

fn sound_pieces(text: Text, operator: ReverseOperator, reading: &mut ReadingContext<'_>) -> Option<Vec<Piece>> {
    let (mut tree, program) = nested(text, reading)?;
    let mut checked = check::check(&tree, &program, reading.names, reading.report);
    reading.report.is_empty().then_some(())?;
    let plan = flow::plan(&tree, &program, &mut checked, reading.names, reading.report);
    reading.report.is_empty().then_some(())?;
    let others = std::mem::take(&mut tree.others).into_iter();
    let mut pieces: Vec<Piece> = others.map(|(name, span)| Piece::Include { name, span }).collect();
    let items = lower::lower(&tree, &program, &checked, &plan, operator, reading.named, reading.names);
    pieces.extend(items.into_iter().map(Piece::Item));
    Some(pieces)
}
