//! Loading of a program from a file or a text: the pipeline of the front end.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`files`] and [`crate::syntax`] | the data of all included files, in order, in one tree |
//! | [`crate::expand`] | named core |
//! | [`crate::resolve`] | core |
//!
//! A pass reports the errors that it finds and leaves a result that the next pass can continue with, so one run shows the
//! errors of all passes. There is a program only if there are no errors.

pub mod files;
mod input;

pub use input::{Input, Options, Reach};

use crate::expand::named::{Named, NamedItem, Node};
use crate::expand::{self, named_print};
use crate::prelude;
use crate::resolve::scope::Completeness;
use crate::resolve::{self, Texts};
use crate::syntax::lexer::{self, Encoding};
use crate::syntax::names::Names;
use crate::syntax::tree::{DatumId, Tree};
use crate::syntax::{describe, reader};
use files::Files;
use files::appendix::Appendix;
use vlad_core::Program;
use vlad_core::diagnostic::Diagnostic;
use vlad_core::layout::Layout;
use vlad_core::report::Report;
use vlad_core::source::{KeptSources, SourceMap};
use vlad_table::internal_bug;

pub use vlad_core::report::Failure;

/// Reads a program.
///
/// # Errors
/// The errors of all passes.
pub fn load(input: Input, options: &Options) -> Result<Program, Failure> {
    load_with(input, options, &Appendix::default())
}

/// Loads a program again from the texts that were kept of it; none if they are no program here.
pub fn load_kept(sources: KeptSources) -> Option<Program> {
    load(Input::Kept(sources), &Options::default()).ok()
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
    load_by(input, options, &Appendix::default(), resolve::resolve_and_warn, |(program, _)| program)
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
            program_of(&mut resolved).sources = sources;
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
    let (mut names, mut tree, mut named) = (Names::new(), Tree::default(), Named::new());
    let mut files = Files::new(options, sources, &mut names, &mut tree, report);
    let mut data = files.read(input);
    data.extend(files.append(appendix));
    let completeness = files.completeness();
    let prelude = read_prelude(sources, &mut names, &mut tree, &mut named);
    let items = expand::expand(&tree, &names, &data, &mut named, report);
    (Expanded { names, named, prelude, items }, completeness)
}

/// Reads the prelude, which has no errors.
fn read_prelude(sources: &mut SourceMap, names: &mut Names, tree: &mut Tree, named: &mut Named) -> Vec<NamedItem> {
    let mut report = Report::default();
    let file = sources.add(prelude::NAME, prelude::TEXT);
    let lexed = lexer::lex(file, prelude::TEXT, Encoding::Sound, names, &mut report);
    let (data, _) = reader::read(file, &lexed.tokens, tree, &mut report);
    let items = expand::expand(tree, names, &data, named, &mut report);
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
pub fn tokens(input: Input) -> Result<String, Failure> {
    let options = Options::default();
    let (mut names, mut tree) = (Names::new(), Tree::default());
    let (mut sources, mut report) = (SourceMap::default(), Report::default());
    let mut files = Files::new(&options, &mut sources, &mut names, &mut tree, &mut report);
    let lexed = files.tokens(input);
    match lexed {
        Some((file, tokens)) if report.is_empty() => Ok(describe::tokens(file, &tokens, &sources)),
        _ => Err(report.into_failure(sources)),
    }
}

/// Returns the surface tree of a text, without those of the files that it includes.
///
/// # Errors
/// The errors of the lexer and the parser.
pub fn surface(input: Input) -> Result<String, Failure> {
    let options = Options::default();
    let (mut names, mut tree) = (Names::new(), Tree::default());
    let (mut sources, mut report) = (SourceMap::default(), Report::default());
    let mut files = Files::new(&options, &mut sources, &mut names, &mut tree, &mut report);
    let data: Vec<DatumId> = files.data(input);
    if !report.is_empty() {
        return Err(report.into_failure(sources));
    }
    let mut layout = Layout::default();
    data.iter().for_each(|datum| describe::datum(&tree, &names, *datum, &mut layout));
    Ok(layout.finish())
}

/// Returns the named core of a program, including the files that it includes.
///
/// # Errors
/// The errors of the passes up to named core.
pub fn named(input: Input, options: &Options) -> Result<String, Failure> {
    let Expanded { names, named, items, .. } = expanded(input, options)?;
    Ok(named_print::print(&named, &names, &items))
}
