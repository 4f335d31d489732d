//! From a file or a text to a program: the pipeline of the front end, and what it reads.
//!
//! | pass | holds afterwards |
//! |---|---|
//! | [`files`] and [`crate::syntax`] | the data of all included files, in order, in one tree |
//! | [`crate::expand`] | named core |
//! | [`crate::resolve`] | core |
//!
//! A pass reports what it finds and leaves behind what the next one can go on with, so one run shows the errors of all
//! of them; a program comes of it only if there are none.

pub mod files;

use crate::core::Program;
use crate::diagnostic::Diagnostic;
use crate::expand::named::{Named, NamedItem, Node};
use crate::expand::{self, named_print};
use crate::internal_bug;
use crate::prelude;
use crate::report::Report;
use crate::resolve::scope::Completeness;
use crate::resolve::{self, Texts};
use crate::source::{Inclusion, SourceMap};
use crate::syntax::layout::Layout;
use crate::syntax::lexer::{self, Encoding};
use crate::syntax::names::Names;
use crate::syntax::tree::{DatumId, Tree};
use crate::syntax::{describe, reader};
use files::Files;
use files::appendix::Appendix;
use std::path::PathBuf;

pub use crate::report::Failure;

/// What a program is read from.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    Path(PathBuf),
    /// Bytes that are already there.
    Text {
        /// What diagnostics call them, as in `<stdin>`.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
        /// Where included files are looked for first.
        folder: Option<PathBuf>,
    },
    /// A program that was read before, from the texts that were kept of it.
    Kept(KeptSources),
}

/// The texts of a program without those of the prelude, and what leads from one to the next: nothing else is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSources {
    /// Name and text of each file, in the order in which they were first read.
    pub files: Vec<(String, String)>,
    /// What the forms that include files came to.
    pub inclusions: Vec<Inclusion>,
}

impl KeptSources {
    /// Those of a program.
    pub fn of(program: &Program) -> KeptSources {
        // The prelude is read after the program.
        let files = program.sources.files().split_last().map_or(&[][..], |(_prelude, files)| files);
        let files = files.iter().map(|file| (file.name.clone(), file.text.clone())).collect();
        KeptSources { files, inclusions: program.sources.inclusions().to_vec() }
    }
}

/// How a program is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where included files are looked for after the folder of the file that includes them, in order, and before the
    /// libraries that come with vlad.
    pub include_folders: Vec<PathBuf>,
    /// Which files may be read.
    pub reach: Reach,
}

/// Which files a program may include.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// All that can be read.
    #[default]
    Anywhere,
    /// Those below the folder of the program's own file and those below the folders given, wherever links lead; the
    /// program's own file, too, has to be in the folder that it is named in. A text that is no file has no folder.
    Beneath,
}

/// Reads a program.
///
/// # Errors
/// What is wrong with it, of all passes.
pub fn load(input: Input, options: &Options) -> Result<Program, Failure> {
    load_with(input, options, &Appendix::default())
}

/// Reads a program with expressions behind it.
///
/// # Errors
/// All passes tell what is wrong with it and with them.
pub fn load_with(input: Input, options: &Options, appendix: &Appendix) -> Result<Program, Failure> {
    load_by(input, options, appendix, resolve::resolve, |program| program)
}

/// Reads a program, and looks for what is allowed and hardly ever meant: the program, and warnings in the order of their places.
///
/// # Errors
/// What is wrong with it, of all passes.
pub fn check(input: Input, options: &Options) -> Result<(Program, Vec<Diagnostic>), Failure> {
    load_by(input, options, &Appendix::default(), resolve::resolve_and_warn, |(program, _)| program)
}

/// Reads a program, and resolves it in some way.
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
    /// What the program does.
    pub items: Vec<NamedItem>,
}

/// Reads and expands a program, and leaves its names as they are: one that is not defined is no error here.
///
/// # Errors
/// What is wrong with it, of the passes up to named core.
pub fn expanded(input: Input, options: &Options) -> Result<Expanded, Failure> {
    let (mut sources, mut report) = (SourceMap::default(), Report::default());
    let (expanded, _) = read(input, options, &Appendix::default(), &mut sources, &mut report);
    if report.is_empty() { Ok(expanded) } else { Err(report.into_failure(sources)) }
}

/// The passes up to named core.
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

/// Reads the prelude, in which nothing can be wrong.
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

/// The tokens of a text, without those of files that it includes, one on a line.
///
/// # Errors
/// What the lexer finds wrong.
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

/// The surface tree of a text, without those of files that it includes.
///
/// # Errors
/// What the lexer and the grammar find wrong.
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

/// The named core of a program, with that of the files that it includes.
///
/// # Errors
/// What is wrong with it, of the passes up to named core.
pub fn named(input: Input, options: &Options) -> Result<String, Failure> {
    let Expanded { names, named, items, .. } = expanded(input, options)?;
    Ok(named_print::print(&named, &names, &items))
}
