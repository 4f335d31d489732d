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
use crate::expand;
use crate::expand::named::{Named, NamedItem, Node};
use crate::internal_bug;
use crate::prelude;
use crate::report::Report;
use crate::resolve::{self, Unresolved};
use crate::source::SourceMap;
use crate::syntax::layout::Layout;
use crate::syntax::lexer::{self, Encoding};
use crate::syntax::names::Names;
use crate::syntax::tree::{DatumId, Tree};
use crate::syntax::{describe, reader};
use files::Files;
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
}

/// How a program is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where included files are looked for after the folder of the file that includes them, in order.
    pub include_folders: Vec<PathBuf>,
}

/// Reads a program.
///
/// # Errors
/// What is wrong with it, of all passes.
pub fn load(input: Input, options: &Options) -> Result<Program, Failure> {
    let mut names = Names::new();
    let mut tree = Tree::default();
    let mut named = Named::new();
    let mut report = Report::default();
    let mut sources = SourceMap::default();
    let mut files = Files::new(options, &mut sources, &mut names, &mut tree, &mut report);
    let data = files.read(input);
    let completeness = files.completeness();
    let prelude = read_prelude(&mut sources, &mut names, &mut tree, &mut named);
    let items = expand::expand(&tree, &names, &data, &mut named, &mut report);
    let unresolved = Unresolved { names: &names, named: &named, prelude: &prelude, items: &items };
    match resolve::resolve(unresolved, completeness, &mut report) {
        Some(mut program) => {
            program.sources = sources;
            Ok(program)
        }
        None => Err(report.into_failure(sources)),
    }
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
