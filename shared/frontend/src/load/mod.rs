//! Loading of a program from a file or a text: the pipeline of the front end.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`files`], with the [`Language`](vlad_language::Language) of each text | named core of all included texts, in order |
//! | [`crate::resolve`] | core |
//!
//! A pass reports the errors that it finds and leaves a result that the next pass can continue with, so one run shows
//! the errors of all passes. There is a program only if there are no errors.

mod bytes;
mod data;
pub mod files;
mod input;
mod kept;
mod known;
pub mod session;

pub use input::{IncludableFiles, Input, Options};

use crate::languages::Languages;
use crate::resolve::{self, Texts};
use crate::vlad::appendix::Appendix;
use crate::vlad::prelude;
use files::Files;
use input::Description;
use vlad_core::Program;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, KeptSources, SourceMap};
use vlad_language::Completeness;
use vlad_language::interface::{Interface, Structure};
use vlad_language::named::name_set::NameSet;
use vlad_language::named::{Named, NamedItem, Node, print};
use vlad_language::names::Names;
use vlad_table::internal_bug;

pub use vlad_core::diagnostic::Failure;

/// Reads a program.
///
/// # Errors
/// The errors of all passes.
pub fn load(input: Input, options: &Options) -> Result<Program, Failure> {
    load_with(input, options, &Appendix::default())
}

/// Loads a program again from the texts that were kept of it; none if they are no program here.
pub fn load_kept(sources: KeptSources, languages: Languages) -> Option<Program> {
    load(Input::Kept(sources), &Options { languages, ..Options::default() }).ok()
}

/// Reads a program with expressions appended to it.
///
/// # Errors
/// The errors of all passes in the program and the expressions.
pub fn load_with(input: Input, options: &Options, appendix: &Appendix) -> Result<Program, Failure> {
    load_by(input, options, appendix, resolve::resolve, |program| program)
}

/// Reads a program and checks it for calls that are allowed but hardly ever meant; returns it with warnings in source
/// order.
///
/// # Errors
/// The errors of all passes.
pub fn check(input: Input, options: &Options) -> Result<(Program, Vec<Diagnostic>), Failure> {
    let (program, mut warnings) =
        load_by(input, options, &Appendix::default(), resolve::resolve_and_warn, |(program, _)| program)?;
    warnings.retain(|warning| {
        let file = warning.span.and_then(|span| program.sources.get(span.file));
        let language = file.and_then(|file| options.languages.named(file.language));
        language.is_none_or(|language| !language.checks_calls())
    });
    Ok((program, warnings))
}

/// Reads a program and resolves it by the given function.
fn load_by<T>(
    input: Input,
    options: &Options,
    appendix: &Appendix,
    resolve: fn(Texts<'_>, &mut Named, Completeness, &mut Report) -> Option<T>,
    program_of: fn(&mut T) -> &mut Program,
) -> Result<T, Failure> {
    let (mut sources, mut report) = (SourceMap::default(), Report::default());
    let (mut expanded, completeness) = read(input, options, appendix, &mut sources, &mut report);
    let Expanded { names, named, prelude, items } = &mut expanded;
    let texts = Texts { names, prelude, items, sources: &sources };
    match resolve(texts, named, completeness, &mut report) {
        Some(mut resolved) => {
            let program = program_of(&mut resolved);
            let main = sources.get(FileId(0)).and_then(|file| options.languages.named(file.language));
            program.input = main.map(|language| language.input()).unwrap_or_default();
            program.output = main.map(|language| language.output()).unwrap_or_default();
            program.notes = std::mem::take(&mut named.notes);
            program.sources = sources;
            program.elementwise = options.languages.elementwise();
            Ok(resolved)
        }
        None => Err(report.into_failure(sources)),
    }
}

/// A program as named core, with the prelude.
#[derive(Debug)]
pub struct Expanded {
    /// The names.
    pub names: Names,
    /// The arenas.
    pub named: Named,
    /// The definitions of the prelude.
    pub prelude: Vec<NamedItem>,
    /// The program's top-level items.
    pub items: Vec<NamedItem>,
}

/// Reads and expands a program without resolving its names: an undefined name is no error here.
///
/// # Errors
/// The errors of the passes up to named core.
pub fn expanded(input: Input, options: &Options) -> Result<Expanded, Failure> {
    let (mut sources, mut report) = (SourceMap::default(), Report::default());
    let (expanded, _) = read(input, options, &Appendix::default(), &mut sources, &mut report);
    if report.is_empty() { Ok(expanded) } else { Err(report.into_failure(sources)) }
}

/// Runs the passes up to named core.
fn read(
    input: Input,
    options: &Options,
    appendix: &Appendix,
    sources: &mut SourceMap,
    report: &mut Report,
) -> (Expanded, Completeness) {
    let (mut names, mut named) = (Names::new(), Named::new());
    let mut files = Files::new(options, sources, &mut names, &mut named, report);
    let items = files.read(input, appendix);
    let completeness = files.completeness();
    let prelude = read_prelude(sources, &mut names, &mut named);
    report_duplicates(&items, (&names, &*sources), report);
    (Expanded { names, named, prelude, items }, completeness)
}

/// Reports names that a program defines twice. A name of a library can be defined by the program as well, which means its own then.
fn report_duplicates(items: &[NamedItem], (names, sources): (&Names, &SourceMap), report: &mut Report) {
    let mut defined = [NameSet::default(), NameSet::default()];
    defined.iter_mut().for_each(NameSet::begin);
    let [of_program, of_libraries] = &mut defined;
    for item in items {
        let NamedItem::Define(name, place, _) = *item else { continue };
        let defined = if sources.is_library(place.file) { &mut *of_libraries } else { &mut *of_program };
        if let Some(first) = defined.note(name, place) {
            let message = format!("`{}` is defined twice", names.text(name));
            let diagnostic = Diagnostic::new(Kind::Duplicate, place, message);
            report.push(diagnostic.with_label(first, "defined here first"));
        }
    }
}

/// Reads the prelude, which has no errors.
fn read_prelude(sources: &mut SourceMap, names: &mut Names, named: &mut Named) -> Vec<NamedItem> {
    let (options, mut report) = (Options::default(), Report::default());
    let items = Files::new(&options, sources, names, named, &mut report).own(prelude::NAME, prelude::TEXT);
    if !report.is_empty() {
        internal_bug!("the prelude has no errors: {:?}", report.into_failure(sources.clone()).diagnostics)
    }
    for item in &items {
        match *item {
            NamedItem::Define(_, _, node) if matches!(named.node(node), Node::Lambda(_)) => {}
            NamedItem::Define(..) | NamedItem::Expression(_) => internal_bug!("the prelude only defines lambdas"),
        }
    }
    items
}

/// Returns the tokens of a text, without those of the files that it includes, one per line.
///
/// # Errors
/// The errors of the lexer.
pub fn tokens(input: Input, options: &Options) -> Result<String, Failure> {
    describe(input, options, &|language, text, reading| language.tokens(text, reading))
}

/// Returns the surface tree of a text, without those of the files that it includes.
///
/// # Errors
/// The errors of the lexer and the parser.
pub fn surface(input: Input, options: &Options) -> Result<String, Failure> {
    describe(input, options, &|language, text, reading| language.tree(text, reading))
}

/// Returns the typed tree of a text, with what it uses of the library of its language.
///
/// # Errors
/// The errors of the lexer, the parser and the types; that the language has none.
pub fn typed(input: Input, options: &Options) -> Result<String, Failure> {
    describe(input, options, &|language, text, reading| language.typed(text, reading))
}

/// Returns a text after closure conversion and specialisation.
///
/// # Errors
/// The errors of the text; that its language has no such form.
pub fn lifted(input: Input, options: &Options) -> Result<String, Failure> {
    describe(input, options, &|language, text, reading| language.lifted(text, reading))
}

/// Returns the code that computes the derivative of a function with its value, as a text in the language of the function.
///
/// # Errors
/// The errors of the text; that it does not define the function, or that its language has no such code.
pub fn derivative(input: Input, options: &Options, function: &str) -> Result<String, Failure> {
    describe(input, options, &|language, text, reading| language.derivative(text, function, reading))
}

/// Returns the derivation that rewriting finds for a function.
///
/// # Errors
/// The errors of the text; that it does not define the function, or that its language does not rewrite.
pub fn rewrites(input: Input, options: &Options, function: &str) -> Result<String, Failure> {
    describe(input, options, &|language, text, reading| language.rewrites(text, function, reading))
}

/// Returns the types of the procedures of an appendix, in the order of its expressions.
///
/// # Errors
/// The errors of the text and of the expressions; that an expression is no procedure of data, or that the language has no
/// types.
pub fn interfaces(input: Input, options: &Options, appendix: &Appendix) -> Result<Vec<Interface>, Failure> {
    described(input, options, appendix, &|language, text, reading| language.interfaces(text, reading))
}

/// Returns the structures of the operands of the expressions of an appendix, in their order; none for one that is no function of
/// data, and none at all if the language has no types.
///
/// # Errors
/// The errors of the text and of the expressions.
pub fn operands(input: Input, options: &Options, appendix: &Appendix) -> Result<Vec<Vec<Structure>>, Failure> {
    described(input, options, appendix, &|language, text, reading| language.operands(text, reading))
}

fn describe(input: Input, options: &Options, describe: Description<'_, String>) -> Result<String, Failure> {
    described(input, options, &Appendix::default(), describe)
}

fn described<T: Default>(
    input: Input,
    options: &Options,
    appendix: &Appendix,
    describe: Description<'_, T>,
) -> Result<T, Failure> {
    let (mut names, mut named) = (Names::new(), Named::new());
    let (mut sources, mut report) = (SourceMap::default(), Report::default());
    let mut files = Files::new(options, &mut sources, &mut names, &mut named, &mut report);
    let found = files.describe(input, appendix, describe);
    if report.is_empty() { Ok(found) } else { Err(report.into_failure(sources)) }
}

/// Returns the named core of a program, including the files that it includes.
///
/// # Errors
/// The errors of the passes up to named core.
pub fn named(input: Input, options: &Options) -> Result<String, Failure> {
    let Expanded { names, named, items, .. } = expanded(input, options)?;
    Ok(print::print(&named, &names, &items))
}
