//! `vlad conform`: runs the matrix of programs and engines, with external implementations as further columns.
//!
//! ```text
//! arguments --files--> files --columns--> plan --run--> table --telling--> a report
//! ```
//!
//! Invariant: a run that has begun has a report, whatever ends it.

mod arguments;
mod columns;
mod files;
mod telling;

pub use arguments::{ConformArguments, help};

use crate::conclusion::Conclusion;
use crate::console::Console;
use crate::exit::Exit;
use crate::watchdog::Watchdog;
use crate::{memory, progress};
use clap::error::ErrorKind;
use files::Found;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, thread};
use telling::Telling;
use vlad_compiler::toolchain::ToolchainError;
use vlad_conformance::matrix::findings::Findings;
use vlad_conformance::matrix::known::KnownFailures;
use vlad_conformance::matrix::{Expectations, FileResults, Plan, Programs, Table, Verdict, merge, work};
use vlad_files::private::PrivateFolder;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::runtime::run::Limits;

/// Runs the matrix and reports the result.
pub fn conform(arguments: &ConformArguments, languages: Languages) -> Exit {
    let console = Arc::new(Console::plain());
    let memory = arguments.max_memory.or_else(memory::most);
    let telling = Arc::new(Telling::new(arguments));
    let (teller, output) = (Arc::clone(&telling), Arc::clone(&console));
    let last_words = move |diagnostic: &Diagnostic| teller.tell_early(diagnostic, &output);
    // The programs have limits of their own; these are for the process itself.
    Watchdog::start_for_report(&Limits { memory, ..Limits::default() }, &console, Box::new(last_words));
    if let Some(folder) = &arguments.write {
        return match files::write(folder) {
            Ok(told) => console.conclude_with_text(&told),
            Err(nothing) => conclude(nothing, &console),
        };
    }
    let told = match arguments.merge.as_slice() {
        [] => prepare(arguments, memory, languages, &telling).map(|prepared| telling.run(prepared)),
        reports => merged(reports).and_then(|table| telling.open("reports", reports).map(|()| table)),
    };
    match told {
        Ok(table) => telling.tell(&table, &console),
        Err(nothing) => conclude(nothing, &console),
    }
}

/// Reports why nothing is run.
fn conclude(nothing: NothingToRun, console: &Console) -> Exit {
    match nothing {
        NothingToRun::Error(diagnostic) => console.fail(*diagnostic),
        NothingToRun::Usage(message) => Exit::of_usage(&clap::Error::raw(ErrorKind::ValueValidation, message)),
        NothingToRun::NoCompiler(error) => {
            let sources = SourceMap::default();
            console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) })
        }
    }
}

/// Merges reports.
fn merged(reports: &[PathBuf]) -> Result<Table, NothingToRun> {
    let mut tables = Vec::new();
    for path in reports {
        let text = fs::read_to_string(path)
            .map_err(|error| obstacle(Kind::File, format!("{} cannot be read: {error}", path.display())))?;
        let table = merge::read(&text);
        tables.push(table.map_err(|error| {
            obstacle(Kind::Read, format!("{} is no report of `vlad conform --format json`: {error}", path.display()))
        })?);
    }
    merge::merged(tables).map_err(|message| obstacle(Kind::File, message))
}

/// The reason why nothing can be run.
enum NothingToRun {
    Error(Box<Diagnostic>),
    /// The command line is not valid.
    Usage(String),
    NoCompiler(ToolchainError),
}

fn obstacle(kind: Kind, message: String) -> NothingToRun {
    NothingToRun::Error(Box::new(Diagnostic::new(kind, None, message)))
}

fn usage(message: String) -> NothingToRun {
    NothingToRun::Usage(message + "\n")
}

/// The form of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// A count on a terminal.
    Count,
    /// A line for each file.
    Lines,
}

/// The parts of a run that are made before anything runs.
struct Prepared {
    plan: Plan,
    findings: Findings,
    progress: Progress,
    known: Option<KnownFailures>,
    /// The path of the unpacked corpus that is a part of the command, if that runs, and the folder until the run is over.
    root: Option<PathBuf>,
    unpacked: Mutex<Option<PrivateFolder>>,
}

impl Prepared {
    /// Runs the plan.
    fn run(&self) -> Table {
        let failed = AtomicUsize::new(0);
        work::run(&self.plan, &self.findings, &|row, done| self.tell_progress(row, done, &failed));
        progress::take_count_away();
        let table = self.table("it was not run");
        drop(self.unpacked.lock().unwrap_or_else(PoisonError::into_inner).take());
        table
    }

    /// Returns the results as far as they have come; files that are not finished fail for a reason.
    fn table(&self, reason: &str) -> Table {
        let mut table = self.findings.table(&self.plan, reason);
        for row in &mut table.rows {
            row.path = self.shown(&row.path);
        }
        if let Some(known) = &self.known {
            known.apply(&mut table);
        }
        table
    }

    /// Returns the path of a file as reports show it.
    fn shown(&self, path: &Path) -> PathBuf {
        self.root.as_ref().map_or(path.to_path_buf(), |root| files::shown(path, root))
    }

    fn tell_progress(&self, row: &FileResults, done: usize, failed: &AtomicUsize) {
        let (is_well, all) = (row.is_well(), self.plan.files.len());
        let failed = failed.fetch_add(usize::from(!is_well), Ordering::Relaxed) + usize::from(!is_well);
        match self.progress {
            Progress::Count => {
                let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
                progress::show_count(&format!("{done} of {all}{failures}"));
            }
            Progress::Lines => {
                let is_skipped = row.cells.iter().all(|cell| matches!(cell.verdict, Verdict::Skipped(_)));
                let word = match (is_well, is_skipped) {
                    (false, _) => "failed",
                    (true, true) => "skipped",
                    (true, false) => "passed",
                };
                progress::tell_task(&format!("{done} of {all}  {word:7}  {}", self.shown(&row.path).display()));
            }
        }
    }
}

/// Reads what the arguments name.
fn prepare(
    arguments: &ConformArguments,
    memory: Option<u64>,
    languages: Languages,
    telling: &Telling,
) -> Result<Prepared, NothingToRun> {
    let settings = arguments.compiler.settings();
    let columns = columns::columns(arguments, &settings)?;
    let Found { files, all, unpacked } = files::find(arguments, languages)?;
    let known = arguments.known_failures.as_deref().map(known_failures).transpose()?;
    let warnings = known.as_ref().map_or(Vec::new(), |known| known.warnings(&all, &columns));
    telling.open("programs", &files)?;
    let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut plan = Plan {
        files,
        warnings,
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
    files::select(arguments, &mut plan)?;
    if let Some(shard) = arguments.shard {
        let mut positions = 0..;
        plan.files.retain(|_| positions.next().is_some_and(|position| shard.takes(position)));
    }
    let progress = if arguments.progress { Progress::Lines } else { Progress::Count };
    let root = unpacked.as_ref().map(|folder| folder.path().to_path_buf());
    Ok(Prepared { plan, findings: Findings::begin(), progress, known, root, unpacked: Mutex::new(unpacked) })
}

fn known_failures(path: &Path) -> Result<KnownFailures, NothingToRun> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| obstacle(Kind::File, format!("the list {name} cannot be read: {error}")))?;
    KnownFailures::parse(&name, &text).map_err(|message| obstacle(Kind::File, message))
}
