//! The sources of programs, and the options with which they are read.

use crate::languages::Languages;
use std::path::PathBuf;
use vlad_core::source::KeptSources;
use vlad_data::DataRequest;
use vlad_language::{Language, ReadingContext, ReverseOperator, Rewriting, Text};

/// The source of a program.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file.
    Path(PathBuf),
    /// A file whose bytes have been read.
    Read {
        /// Its path.
        path: PathBuf,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// Bytes in memory.
    Text {
        /// Their name in diagnostics, as in `<stdin>`.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
        /// The folder that is searched first for included files.
        folder: Option<PathBuf>,
    },
    /// A program that was read before, from its stored texts.
    Kept(KeptSources),
}

/// The options of reading a program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folders that are searched for included files after the folder of the including file, in order, and before
    /// the libraries that come with vlad.
    pub include_folders: Vec<PathBuf>,
    /// The files that may be read.
    pub reach: IncludableFiles,
    /// The languages that can be read.
    pub languages: Languages,
    /// The language of the program's own text; if none is given, its extension decides, and without one that is known,
    /// it is the first language.
    pub language: Option<&'static dyn Language>,
    /// The rewriting of programs; if none is given, that of their languages.
    pub rewriting: Option<Rewriting>,
    /// The operator of reverse mode that blocks stand for; if none is given, that of their languages.
    pub reverse: Option<ReverseOperator>,
    /// The data files that are bound to names before the program.
    pub data: Vec<DataRequest>,
}

impl Options {
    /// Returns the variant of a language with the rewriting and the operator of reverse mode that are asked for.
    pub fn variant(&self, language: &'static dyn Language) -> &'static dyn Language {
        let language = self.rewriting.and_then(|rewriting| language.rewriting(rewriting)).unwrap_or(language);
        self.reverse.and_then(|operator| language.reverse_by(operator)).unwrap_or(language)
    }
}

/// The set of files that a program may include.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IncludableFiles {
    /// All files that can be read.
    #[default]
    Anywhere,
    /// The files below the folder of the program's own file and those below the folders given, after links have been
    /// resolved. The program's own file must be in the folder that its path names as well. A text that is no file has
    /// no folder.
    Beneath,
}

/// A description of a text by its language.
pub type Description<'a, T> = &'a dyn Fn(&'static dyn Language, Text, &mut ReadingContext<'_>) -> T;
