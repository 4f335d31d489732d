//! `vlad conform`: runs the matrix of programs and engines, with external implementations as further columns.

use crate::conclusion::Conclusion;
use crate::console::Console;
use crate::engine_selection::{self, CompilerArguments, compared_engines};
use crate::exit::{EXIT_CODES, Exit};
use crate::limits::{bytes, seconds};
use crate::options::{AdrArguments, LanguageArguments, RewritingArguments};
use crate::watchdog::Watchdog;
use crate::{memory, progress};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io, thread};
use vlad_compiler::toolchain::ToolchainError;
use vlad_conformance::matrix::external::{External, ExternalCloseness};
use vlad_conformance::matrix::find::{self, Missing};
use vlad_conformance::matrix::known::KnownFailures;
use vlad_conformance::matrix::{
    Column, Expectations, Plan, Programs, Status, Table, bundled, github, json, junit, merge, text, work,
};
use vlad_conformance::shard::Shard;
use vlad_engines::{Engine, Settings};
use vlad_files::output::Output;
use vlad_files::private::PrivateFolder;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::runtime::run::Limits;

/// The folder that is used if no path is given.
const DEFAULT_FOLDER: &str = "conformance/corpus";

/// The arguments of `vlad conform`.
#[derive(Debug, Args)]
pub struct ConformArguments {
    /// Files, and folders whose programs (.vlad, .fs, .f) are taken; if none is given, conformance/corpus, or the corpus that is
    /// a part of the command if there is no such folder
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Take the corpus that is a part of the command
    #[arg(long, conflicts_with_all = ["paths", "update", "new", "merge"])]
    bundled: bool,
    /// Take only the files of the part I of N, for several machines that share the work
    #[arg(long, value_name = "I/N", conflicts_with = "merge")]
    shard: Option<Shard>,
    /// Run nothing: merge reports in JSON, those of all shards, into one report
    #[arg(long, value_name = "REPORT.json", num_args = 1.., conflicts_with_all = ["paths", "external", "engine", "filter", "update", "new", "known_failures"])]
    merge: Vec<PathBuf>,
    /// An engine to run on; may be repeated; if none is given, interp, hybrid and native as far as they work here
    #[arg(long, value_name = "ENGINE", value_parser = compared_engines())]
    engine: Vec<Engine>,
    /// An external implementation to run on, COMMAND or NAME=COMMAND; may be repeated
    #[arg(long, value_name = "COMMAND", value_parser = External::parse)]
    external: Vec<External>,
    /// The tolerance for the numbers of external implementations, T or NAME=T: relative to numbers greater than 1, else
    /// absolute; may be repeated; if not given, the tolerances of the cases
    #[arg(long, value_name = "T", value_parser = ExternalCloseness::tolerance, requires = "external")]
    tolerance: Vec<ExternalCloseness>,
    /// The numbers of external implementations may differ by N units in the last place from those of the engines, N or NAME=N;
    /// may be repeated
    #[arg(long, value_name = "N", value_parser = ExternalCloseness::units, requires = "external")]
    ulps: Vec<ExternalCloseness>,
    /// The numbers of external implementations have the bits of the engines; --ulps NAME=0 asks that of one
    #[arg(long, requires = "external")]
    bits: bool,
    /// Take only files whose path contains this word, or matches this pattern with * and ?; may be repeated
    #[arg(long, value_name = "WORD")]
    filter: Vec<String>,
    /// The form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Write the report to a file; if its format is not text, the report is also printed as text
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one line, the digest of all programs and their results, in place of the report; where something fails, the report
    #[arg(long, conflicts_with_all = ["update", "new"])]
    digest: bool,
    /// Rewrite expected output to what the first engine prints, unless the engines disagree
    #[arg(long)]
    update: bool,
    /// Write what the first engine does, output and errors, into the files that expect nothing, unless the engines
    /// disagree; others stay as they are, unless --update is given, too
    #[arg(long)]
    new: bool,
    /// Files that are known to fail, for now: a list with a line PATTERN or COLUMN: PATTERN for each; those that pass
    /// are failures
    #[arg(long, value_name = "FILE")]
    known_failures: Option<PathBuf>,
    /// The number of programs that run at the same time; if not given, the number of processors
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The time that a program may take unless its file says otherwise
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// Fail when the process takes more memory: bytes, or a number with K, M or G; if not given, seven eighths of what
    /// is available
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_negative_numbers = true)]
    max_memory: Option<u64>,
    /// The options for compiling programs.
    #[command(flatten)]
    compiler: CompilerArguments,
    /// The language of the programs.
    #[command(flatten)]
    language: LanguageArguments,
    /// The rewriting of the programs.
    #[command(flatten)]
    rewriting: RewritingArguments,
    /// The operator of reverse mode in blocks.
    #[command(flatten)]
    adr: AdrArguments,
}

/// The forms of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The files that fail or on which engines disagree, and counts
    Text,
    /// One object
    Json,
    /// XML for continuous-integration servers
    Junit,
    /// Text, with annotations that GitHub shows beside the lines of files
    Github,
}

/// The text behind the options in `vlad conform --help`.
pub fn help() -> String {
    format!(
        "Cases say what they expect in comments like `;; expect: 3` (conformance/corpus/README.md). Files that expect \
         nothing are compared on all engines, and nothing more, unless --new makes cases of them.\n\n\
         The command of --external is cut into words as by a shell, with quotes and backslashes, but no shell runs it. \
         {{}} in it stands for the file, which comes last otherwise. It gets the input of the case, and has to print \
         the lines that are expected, to end with exit code 0 if no error is expected, and with another if one is.\n\n\
         With --shard each of several machines runs a part of the files and writes its report as JSON; --merge makes one report of \
         them, in any form, with the exit code that the whole run would have had. It fails if a shard is missing.\n\n\
         {}\n\n{EXIT_CODES}",
        json::FORM
    )
}

/// Runs the matrix and reports the result.
pub fn conform(arguments: &ConformArguments, languages: Languages) -> Exit {
    let console = Arc::new(Console::plain());
    let memory = arguments.max_memory.or_else(memory::most);
    // The programs have limits of their own; these are for the process itself.
    Watchdog::start(&Limits { memory, ..Limits::default() }, &console);
    let told = match arguments.merge.as_slice() {
        [] => prepare(arguments, memory, languages).map(|prepared| (prepared.run(), prepared.report)),
        reports => merged(arguments, reports),
    };
    match told {
        Ok((table, report)) => tell(arguments, &table, report, &console),
        Err(NothingToRun::Error(diagnostic)) => console.fail(*diagnostic),
        Err(NothingToRun::NoCompiler(error)) => {
            let sources = SourceMap::default();
            console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) })
        }
    }
}

/// Merges reports.
fn merged(arguments: &ConformArguments, reports: &[PathBuf]) -> Result<(Table, Option<Output>), NothingToRun> {
    let mut tables = Vec::new();
    for path in reports {
        let text = fs::read_to_string(path)
            .map_err(|error| obstacle(Kind::File, format!("{} cannot be read: {error}", path.display())))?;
        let table = merge::read(&text);
        tables.push(table.map_err(|error| {
            obstacle(Kind::Read, format!("{} is no report of `vlad conform --format json`: {error}", path.display()))
        })?);
    }
    let table = merge::merged(tables).map_err(|message| obstacle(Kind::File, message))?;
    Ok((table, output(arguments, reports)?))
}

/// The reason why nothing can be run.
enum NothingToRun {
    Error(Box<Diagnostic>),
    NoCompiler(ToolchainError),
}

fn obstacle(kind: Kind, message: String) -> NothingToRun {
    NothingToRun::Error(Box::new(Diagnostic::new(kind, None, message)))
}

/// The parts of a run that are made before anything runs.
struct Prepared {
    plan: Plan,
    /// The file for the report. It is opened at once, so that a path that cannot be written is reported at once.
    report: Option<Output>,
    known: Option<KnownFailures>,
    /// The folder of the corpus that is a part of the command, if that runs.
    unpacked: Option<PrivateFolder>,
}

impl Prepared {
    /// Runs the plan.
    fn run(&self) -> Table {
        let mut table = work::run(&self.plan, &|done, all| progress::show_count(&format!("{done} of {all}")));
        progress::take_count_away();
        if let Some(folder) = &self.unpacked {
            for row in &mut table.rows {
                row.path = shown(&row.path, folder);
            }
        }
        if let Some(known) = &self.known {
            known.apply(&mut table);
        }
        table
    }
}

/// Returns the path of an unpacked file as reports show it: below the folder that has the corpus.
fn shown(path: &Path, folder: &PrivateFolder) -> PathBuf {
    let corpus = folder.path().join(bundled::FOLDER);
    path.strip_prefix(corpus.parent().unwrap_or(&corpus)).unwrap_or(path).to_path_buf()
}

/// Reads what the arguments name.
fn prepare(arguments: &ConformArguments, memory: Option<u64>, languages: Languages) -> Result<Prepared, NothingToRun> {
    let Found { mut files, unpacked } = files(arguments, languages)?;
    if let Some(shard) = arguments.shard {
        let mut positions = 0..;
        files.retain(|_| positions.next().is_some_and(|position| shard.takes(position)));
    }
    let known = arguments.known_failures.as_deref().map(known_failures).transpose()?;
    let settings = arguments.compiler.settings();
    let columns = columns(arguments, &settings)?;
    let report = output(arguments, &files)?;
    let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let plan = Plan {
        files,
        shard: arguments.shard,
        languages,
        language: arguments.language.language(languages),
        rewriting: arguments.rewriting.rewriting(),
        reverse: arguments.adr.operator(),
        columns,
        settings,
        jobs: arguments.jobs.unwrap_or_else(processors),
        time: arguments.timeout,
        memory,
        expectations: if arguments.update { Expectations::Rewritten } else { Expectations::Kept },
        programs: if arguments.new { Programs::MadeCases } else { Programs::Compared },
    };
    Ok(Prepared { plan, report, known, unpacked })
}

/// Opens the file for the report, which may be none of those that are read.
fn output(arguments: &ConformArguments, read: &[PathBuf]) -> Result<Option<Output>, NothingToRun> {
    match &arguments.output {
        Some(path) if is_among(path, read) => {
            let what = if arguments.merge.is_empty() { "programs" } else { "reports" };
            let message = format!("the report cannot be written to {}: it is one of the {what}", path.display());
            Err(obstacle(Kind::Output, message))
        }
        Some(path) => Ok(Some(Output::begin(path).map_err(|error| not_written(path, &error))?)),
        None => Ok(None),
    }
}

fn known_failures(path: &Path) -> Result<KnownFailures, NothingToRun> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| obstacle(Kind::File, format!("the list {name} cannot be read: {error}")))?;
    KnownFailures::parse(&name, &text).map_err(|message| obstacle(Kind::File, message))
}

/// Returns true if a path leads to one of the files.
fn is_among(path: &Path, files: &[PathBuf]) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    files.iter().any(|file| file.canonicalize().is_ok_and(|file| file == path))
}

fn not_written(path: &Path, error: &io::Error) -> NothingToRun {
    obstacle(Kind::Output, format!("the report cannot be written to {}: {error}", path.display()))
}

/// The files to run.
struct Found {
    files: Vec<PathBuf>,
    /// The folder that they are in, if they are those of the corpus that is a part of the command.
    unpacked: Option<PrivateFolder>,
}

fn files(arguments: &ConformArguments, languages: Languages) -> Result<Found, NothingToRun> {
    let default = Path::new(DEFAULT_FOLDER);
    let paths = match arguments.paths.as_slice() {
        [] if !arguments.bundled && default.is_dir() => vec![default.to_path_buf()],
        [] => return unpacked(arguments, languages),
        paths => paths.to_vec(),
    };
    let files = find::find(&paths, &arguments.filter, languages);
    Ok(Found { files: files.map_err(|missing| not_found(arguments, missing, languages))?, unpacked: None })
}

/// Unpacks the corpus that is a part of the command. Its files are selected by the paths that reports show.
fn unpacked(arguments: &ConformArguments, languages: Languages) -> Result<Found, NothingToRun> {
    if arguments.update || arguments.new {
        let message =
            format!("there is no folder {DEFAULT_FOLDER} here, and the corpus of the command cannot be rewritten");
        return Err(obstacle(Kind::File, message));
    }
    let failed = |error| obstacle(Kind::File, format!("the corpus of the command cannot be unpacked: {error}"));
    let folder = PrivateFolder::make(&std::env::temp_dir()).map_err(failed)?;
    bundled::unpack(folder.path()).map_err(failed)?;
    let files = find::find(&[folder.path().join(bundled::FOLDER)], &[], languages);
    let mut files = files.map_err(|missing| not_found(arguments, missing, languages))?;
    files.retain(|path| find::is_selected(&shown(path, &folder), &arguments.filter));
    if files.is_empty() {
        return Err(not_found(arguments, Missing::Filtered, languages));
    }
    Ok(Found { files, unpacked: Some(folder) })
}

fn not_found(arguments: &ConformArguments, missing: Missing, languages: Languages) -> NothingToRun {
    let message = match missing {
        Missing::Unreadable(path, error) => format!("{} cannot be read: {error}", path.display()),
        Missing::Empty(path) => {
            let extensions = languages.all().flat_map(|language| language.extensions());
            let extensions: Vec<String> = extensions.map(|extension| format!(".{extension}")).collect();
            let known = match extensions.split_last() {
                Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
                Some(_) | None => extensions.concat(),
            };
            format!("there is no {known} file in {}", path.display())
        }
        Missing::Filtered => format!("no file's path matches --filter {}", arguments.filter.join(" or ")),
    };
    obstacle(Kind::File, message)
}

/// Returns the columns: the engines that are asked for, or all that work here, and the external implementations.
fn columns(arguments: &ConformArguments, settings: &Settings) -> Result<Vec<Column>, NothingToRun> {
    let engines = engine_selection::engines_that_work(&arguments.engine, &arguments.compiler, settings);
    let mut columns: Vec<Column> = engines.map_err(NothingToRun::NoCompiler)?.into_iter().map(Column::Engine).collect();
    // `with_closeness` takes the last one, so the strictest option stands last.
    let bits = arguments.bits.then_some(("--bits", ExternalCloseness::BITS));
    let given = arguments.tolerance.iter().map(|given| ("--tolerance", given.clone()));
    let given = given.chain(arguments.ulps.iter().map(|given| ("--ulps", given.clone()))).chain(bits);
    let unknown = |given: &ExternalCloseness| {
        given.name.as_ref().is_some_and(|name| !arguments.external.iter().any(|external| external.name == *name))
    };
    if let Some((option, given)) = given.clone().find(|(_, given)| unknown(given)) {
        let name = given.name.as_deref().unwrap_or_default();
        return Err(obstacle(Kind::Unbound, format!("{option} is for `{name}`, and no --external has that name")));
    }
    let closeness: Vec<ExternalCloseness> = given.map(|(_, given)| given).collect();
    let externals = arguments.external.iter().cloned();
    columns.extend(externals.map(|external| Column::External(external.with_closeness(&closeness))));
    let mut names: Vec<&str> = columns.iter().map(Column::name).collect();
    names.sort_unstable();
    match names.windows(2).find_map(|pair| (pair.first() == pair.last()).then(|| pair.first().copied())).flatten() {
        Some(name) => {
            let message = format!("two columns are called `{name}`: name them, as in --external NAME=COMMAND");
            Err(obstacle(Kind::Duplicate, message))
        }
        None => Ok(columns),
    }
}

/// Writes the report to its file or to the standard output, and returns the outcome of the command.
fn tell(arguments: &ConformArguments, table: &Table, report: Option<Output>, console: &Console) -> Exit {
    let summary = || match (arguments.digest, table.status()) {
        (true, Status::Success) => table.digest(),
        (true, Status::Failure | Status::Disagreement) | (false, _) => text::report(table),
    };
    let formatted = match arguments.format {
        Format::Text => summary(),
        Format::Json => json::report(table),
        Format::Junit => junit::report(table),
        Format::Github => github::report(table),
    };
    let printed = match (report, &arguments.output) {
        (Some(file), Some(path)) => {
            if let Err(error) = file.write(formatted.as_bytes()) {
                let message = format!("the report cannot be written to {}: {error}", path.display());
                return console.fail(Diagnostic::new(Kind::Output, None, message));
            }
            match arguments.format {
                Format::Text => String::new(),
                Format::Json | Format::Junit | Format::Github => summary(),
            }
        }
        _ => formatted,
    };
    match (console.conclude_with_text(&printed), table.status()) {
        (Exit::Success, Status::Success) => Exit::Success,
        (Exit::Success, Status::Failure) => Exit::Failure,
        (Exit::Success, Status::Disagreement) => Exit::Disagreement,
        (trouble, _) => trouble,
    }
}
