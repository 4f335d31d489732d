//! The arguments of `vlad conform`.

use crate::options::engine::{CompilerArguments, compared_engines};
use crate::options::limits::{bytes, seconds};
use crate::options::program::{AdrArguments, LanguageArguments, RewritingArguments};
use crate::process::exit::EXIT_CODES;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use vlad_conformance::corpus::parts::Parts;
use vlad_conformance::matrix::external::{External, ExternalCloseness, OptionKind, OptionWords};
use vlad_conformance::matrix::reports::json;
use vlad_conformance::shard::Shard;
use vlad_engines::Engine;

/// The folder that is used if no path is given.
pub(super) const DEFAULT_FOLDER: &str = "conformance/corpus";

/// The arguments of `vlad conform`.
#[derive(Debug, Args)]
pub struct ConformArguments {
    /// Files, and folders whose programs (.vlad, .fs, .f) are taken; if none is given, conformance/corpus, or the corpus that is
    /// a part of the command if there is no such folder
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Take the corpus that is a part of the command
    #[arg(long, conflicts_with_all = ["paths", "update", "new", "merge"])]
    pub(super) bundled: bool,
    /// Run nothing: write the corpus that is a part of the command to a folder, to be read, with the examples that it includes
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["paths", "bundled", "shard", "merge", "external", "engine", "filter", "parts", "update", "new", "output", "digest", "known_failures"])]
    pub(super) write: Option<PathBuf>,
    /// Take only programs that need no other parts of the language report than these, and 1 to 5 like any program: numbers and ranges
    /// with commas between them, as ..9,18
    #[arg(long, value_name = "LIST", conflicts_with = "merge")]
    pub(super) parts: Option<Parts>,
    /// The order of files
    #[arg(long, value_name = "ORDER", default_value = "path", conflicts_with = "merge")]
    pub(super) order: Order,
    /// Take only the files of the part I of N, for several machines that share the work
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    pub(super) shard: Option<Shard>,
    /// Run nothing: merge reports in JSON, those of all shards, into one report
    #[arg(long, value_name = "REPORT.json", num_args = 1.., conflicts_with_all = ["paths", "external", "engine", "filter", "update", "new", "known_failures"])]
    pub(super) merge: Vec<PathBuf>,
    /// An engine to run on; may be repeated; if none is given, interp, hybrid and native as far as they work here
    #[arg(long, value_name = "ENGINE", value_parser = compared_engines())]
    pub(super) engine: Vec<Engine>,
    /// Run on no engine of the command, only on external implementations, which the expectations of the cases judge
    #[arg(long, requires = "external", conflicts_with_all = ["engine", "update", "new", "digest"])]
    pub(super) no_engines: bool,
    /// An external implementation to run on, COMMAND or NAME=COMMAND; may be repeated
    #[arg(long, value_name = "COMMAND", value_parser = External::parse)]
    pub(super) external: Vec<External>,
    /// The option by which external implementations are given a limit of steps, WORDS or NAME=WORDS with {} for the number: with it,
    /// cases about that limit are run, too; may be repeated
    #[arg(long, value_name = "WORDS", value_parser = |text: &str| OptionWords::parse(OptionKind::Steps, text), requires = "external", allow_hyphen_values = true)]
    pub(super) steps_option: Vec<OptionWords>,
    /// The same for a limit of nested calls
    #[arg(long, value_name = "WORDS", value_parser = |text: &str| OptionWords::parse(OptionKind::Depth, text), requires = "external", allow_hyphen_values = true)]
    pub(super) depth_option: Vec<OptionWords>,
    /// The same for a folder to look for includes in, once for each
    #[arg(long, value_name = "WORDS", value_parser = |text: &str| OptionWords::parse(OptionKind::Folder, text), requires = "external", allow_hyphen_values = true)]
    pub(super) folder_option: Vec<OptionWords>,
    /// The tolerance for the numbers of external implementations, T or NAME=T: relative to numbers greater than 1, else
    /// absolute; may be repeated; if not given, the tolerances of the cases
    #[arg(long, value_name = "T", value_parser = ExternalCloseness::tolerance, requires = "external")]
    pub(super) tolerance: Vec<ExternalCloseness>,
    /// The numbers of external implementations may differ by N units in the last place from those of the engines, N or NAME=N;
    /// may be repeated
    #[arg(long, value_name = "N", value_parser = ExternalCloseness::units, requires = "external")]
    pub(super) ulps: Vec<ExternalCloseness>,
    /// The numbers of external implementations have the bits of the engines; --ulps NAME=0 asks that of one
    #[arg(long, requires = "external")]
    pub(super) bits: bool,
    /// Take only files whose path contains this word, or matches this pattern with * and ?; may be repeated
    #[arg(long, value_name = "WORD")]
    pub(super) filter: Vec<String>,
    /// The form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    /// Tell on the standard error of each file when it is finished, also where that is no terminal
    #[arg(long, conflicts_with = "merge")]
    pub(super) progress: bool,
    /// Write the report to a file; if its format is not text, the report is also printed as text
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Print one line, the digest of all programs and their results, in place of the report; where something fails, the report
    #[arg(long, conflicts_with_all = ["update", "new"])]
    pub(super) digest: bool,
    /// Rewrite expected output to what the first engine prints, unless the engines disagree
    #[arg(long)]
    pub(super) update: bool,
    /// Write what the first engine does, output and errors, into the files that expect nothing, unless the engines
    /// disagree; others stay as they are, unless --update is given, too
    #[arg(long)]
    pub(super) new: bool,
    /// Files that are known to fail, for now: a list with a line PATTERN or COLUMN: PATTERN for each; those that pass
    /// are failures
    #[arg(long, value_name = "FILE")]
    pub(super) known_failures: Option<PathBuf>,
    /// The number of programs that run at the same time; if not given, the number of processors
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// The time that a program may take unless its file says otherwise
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) timeout: Duration,
    /// Fail when the process takes more memory: bytes, or a number with K, M or G; if not given, seven eighths of what
    /// is available
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_negative_numbers = true)]
    pub(super) max_memory: Option<u64>,
    /// The options for compiling programs.
    #[command(flatten)]
    pub(super) compiler: CompilerArguments,
    /// The language of the programs.
    #[command(flatten)]
    pub(super) language: LanguageArguments,
    /// The rewriting of the programs.
    #[command(flatten)]
    pub(super) rewriting: RewritingArguments,
    /// The operator of reverse mode in blocks.
    #[command(flatten)]
    pub(super) adr: AdrArguments,
}

/// The forms of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// The files that fail or on which engines disagree, and counts
    Text,
    /// One object
    Json,
    /// XML for continuous-integration servers
    Junit,
    /// Text, with annotations that GitHub shows beside the lines of files
    Github,
}

/// The orders of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// The one of their paths
    Path,
    /// From small to large: by the last part of the language report that their programs need, and then by the length of the text
    Size,
}

/// The text behind the options in `vlad conform --help`.
pub fn help() -> String {
    format!(
        "Cases say what they expect in comments like `;; expect: 3` (conformance/corpus/README.md). Files that expect \
         nothing are compared on all engines, and nothing more, unless --new makes cases of them.\n\n\
         The command of --external is cut into words as by a shell, with quotes and backslashes, but no shell runs it. \
         {{}} in it stands for the file, which comes last otherwise. It gets the input of the case, and has to print \
         the lines that are expected, to end with exit code 0 if no error is expected, and with another if one is. If it \
         prints a line `steps N` on its standard error, or as the last one behind its output, the steps have to be right, too.\n\n\
         To test an implementation that is being written: vlad conform --write corpus puts the cases out to be read; \
         vlad conform --bundled --no-engines --external './mine {{}}' --parts ..7 --order size runs those that need no later \
         part of the language report, small ones first; vlad table prints primitives and coefficients as JSON.\n\n\
         With --shard each of several machines runs a part of the files and writes its report as JSON; --merge makes one report of \
         them, in any form, with the exit code that the whole run would have had. It fails if a shard is missing.\n\n\
         {}\n\n{EXIT_CODES}",
        json::FORM
    )
}
