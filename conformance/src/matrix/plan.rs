//! The plan of a run of the matrix: files, columns, and the treatment of expectations.

use super::table::Column;
use crate::shard::Shard;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vlad_engines::Settings;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::language::{Language, ReverseOperator, Rewriting};

/// A plan of a run of the matrix.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The files, in the order of the rows.
    pub files: Vec<PathBuf>,
    /// The warnings for the report.
    pub warnings: Vec<String>,
    /// The part of all files that these are, if they are not all.
    pub shard: Option<Shard>,
    /// The languages that can be read.
    pub languages: Languages,
    /// The language of all files; if none is given, their extensions decide.
    pub language: Option<&'static dyn Language>,
    /// The rewriting of programs; if none is given, that of their languages.
    pub rewriting: Option<Rewriting>,
    /// The operator of reverse mode in blocks; if none is given, that of their languages.
    pub reverse: Option<ReverseOperator>,
    /// The columns, engines first.
    pub columns: Vec<Column>,
    /// The settings of compilation.
    pub settings: Settings,
    /// The number of threads.
    pub jobs: NonZeroUsize,
    /// The time that a program may take on a column unless its file says otherwise.
    pub time: Duration,
    /// The memory that the process may take with any program, in bytes.
    pub memory: Option<u64>,
    /// The treatment of expectations that the first engine does not meet.
    pub expectations: Expectations,
    /// The treatment of files without expectations.
    pub programs: Programs,
}

impl Plan {
    /// Returns the language of a file.
    pub fn language_of(&self, path: &Path) -> &'static dyn Language {
        self.language.or_else(|| self.languages.of_file(path)).unwrap_or(self.languages.first())
    }
}

/// The treatment of expected output that the first engine disagrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectations {
    /// It stays as it is.
    Kept,
    /// It is rewritten ([`crate::corpus::bless`]), unless the engines disagree with each other.
    Rewritten,
}

/// The treatment of files without expectations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// They are compared only.
    Compared,
    /// The results of the first engine are written into them as expectations, unless the engines disagree.
    MadeCases,
}
