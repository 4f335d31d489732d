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
    /// Programs, and folders of programs (.vlad, .fs, .f) (default: conformance/corpus, else the built-in corpus)
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Take the built-in corpus
    #[arg(long, conflicts_with_all = ["paths", "update", "new", "merge"])]
    pub(super) bundled: bool,
    /// Write the built-in corpus, with the examples that it includes, to this folder; run nothing
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["paths", "bundled", "shard", "merge", "external", "engine", "filter", "parts", "update", "new", "output", "digest", "known_failures"])]
    pub(super) write: Option<PathBuf>,
    /// Take only programs that need no parts of the language report but these and 1 to 5.
    ///
    /// LIST consists of numbers and ranges separated by commas, as in ..9,18.
    #[arg(long, value_name = "LIST", conflicts_with = "merge")]
    pub(super) parts: Option<Parts>,
    /// Choose the order of the files
    #[arg(long, value_name = "ORDER", default_value = "path", conflicts_with = "merge")]
    pub(super) order: Order,
    /// Take only part I of N of the files, to share the work among several machines
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    pub(super) shard: Option<Shard>,
    /// Merge the JSON reports of all shards into one report; run nothing
    #[arg(long, value_name = "REPORT.json", num_args = 1.., conflicts_with_all = ["paths", "external", "engine", "filter", "update", "new", "known_failures"])]
    pub(super) merge: Vec<PathBuf>,
    /// Run on this engine; may be repeated (default: interp, hybrid and native, as far as they work here)
    #[arg(long, value_name = "ENGINE", value_parser = compared_engines())]
    pub(super) engine: Vec<Engine>,
    /// Run only external implementations, judged by the expectations of the cases
    #[arg(long, requires = "external", conflicts_with_all = ["engine", "update", "new", "digest"])]
    pub(super) no_engines: bool,
    /// Run this external implementation, COMMAND or NAME=COMMAND; may be repeated
    #[arg(long, value_name = "COMMAND", value_parser = External::parse)]
    pub(super) external: Vec<External>,
    /// Pass step limits to external implementations by this option, WORDS or NAME=WORDS; may be repeated.
    ///
    /// {} stands for the number. Cases about step limits are run only with this option.
    #[arg(long, value_name = "WORDS", value_parser = |text: &str| OptionWords::parse(OptionKind::Steps, text), requires = "external", allow_hyphen_values = true)]
    pub(super) steps_option: Vec<OptionWords>,
    /// Pass limits on nested calls in the same way
    #[arg(long, value_name = "WORDS", value_parser = |text: &str| OptionWords::parse(OptionKind::Depth, text), requires = "external", allow_hyphen_values = true)]
    pub(super) depth_option: Vec<OptionWords>,
    /// Pass folders of included files in the same way, once for each
    #[arg(long, value_name = "WORDS", value_parser = |text: &str| OptionWords::parse(OptionKind::Folder, text), requires = "external", allow_hyphen_values = true)]
    pub(super) folder_option: Vec<OptionWords>,
    /// Allow this error in numbers of external implementations, T or NAME=T; may be repeated (default: by the cases).
    ///
    /// The error is relative to numbers greater than 1, and absolute otherwise.
    #[arg(long, value_name = "T", value_parser = ExternalCloseness::tolerance, requires = "external")]
    pub(super) tolerance: Vec<ExternalCloseness>,
    /// Allow N units in the last place between numbers of external implementations and engines, N or NAME=N; may be
    /// repeated
    #[arg(long, value_name = "N", value_parser = ExternalCloseness::units, requires = "external")]
    pub(super) ulps: Vec<ExternalCloseness>,
    /// Require the bits of the engines from all external implementations; --ulps NAME=0 requires them from one
    #[arg(long, requires = "external")]
    pub(super) bits: bool,
    /// Take only files with a path that contains this word, or matches this pattern of * and ?; may be repeated
    #[arg(long, value_name = "WORD")]
    pub(super) filter: Vec<String>,
    /// Choose the form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    /// Report each finished file on standard error, even if that is not a terminal
    #[arg(long, conflicts_with = "merge")]
    pub(super) progress: bool,
    /// Write the report to this file; a report in another form than text is also printed as text
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Print only a digest of all programs and results, or the report if something fails
    #[arg(long, conflicts_with_all = ["update", "new"])]
    pub(super) digest: bool,
    /// Replace expected output, and the words of expected errors, by those of the first engine, unless engines disagree
    #[arg(long)]
    pub(super) update: bool,
    /// Write the output and errors of the first engine into files that expect nothing, unless engines disagree
    #[arg(long)]
    pub(super) new: bool,
    /// Expect the failures that this file lists, by lines PATTERN or COLUMN: PATTERN; a listed file that passes is a failure
    #[arg(long, value_name = "FILE")]
    pub(super) known_failures: Option<PathBuf>,
    /// Run N programs at the same time (default: the number of processors)
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Limit each program to this time, unless its file sets another limit
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) timeout: Duration,
    /// Fail when the process uses more memory: bytes, or a number with K, M or G (default: 7/8 of the available memory)
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
    /// Counts, and the files with failures or disagreements
    Text,
    /// One JSON object
    Json,
    /// XML for continuous-integration servers
    Junit,
    /// Text, and annotations that GitHub shows beside the lines of files
    Github,
}

/// The orders of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// By path
    Path,
    /// By the last part of the language report that the program needs, then by the length of its text
    Size,
}

/// The text behind the options in `vlad conform --help`.
pub fn help() -> String {
    format!(
        "Cases state their expectations in comments like `;; expect: 3` (see conformance/corpus/README.md). A file without \
         expectations is only compared across engines; --new makes a case of it.\n\n\
         The command of --external is split into words like a line of a shell, with quotes and backslashes, and is run \
         without a shell. {{}} in it stands for the file; without {{}} the file comes last. The command gets the input \
         of the case, and must print the expected lines. It must end with exit code 0 if no error is expected, and with \
         another one otherwise. If it prints a line `steps N`, on standard error or at the end of its output, the \
         steps are compared as well.\n\n\
         To test an implementation under development: `vlad conform --write corpus` writes the cases to a folder. \
         `vlad conform --bundled --no-engines --external './mine {{}}' --parts ..7 --order size` runs those that need no \
         later part of the language report, small ones first. `vlad table` prints primitives and coefficients as \
         JSON.\n\n\
         With --shard, several machines run a part of the files each and write JSON reports. --merge makes one report of \
         them, in any form, with the exit code of the whole run. It fails if a shard is missing.\n\n\
         {}\n\n{EXIT_CODES}",
        json::FORM
    )
}
