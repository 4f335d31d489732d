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
mod prepared;
mod refusal;
mod telling;

pub use arguments::{ConformArguments, help};

use crate::output::conclusion::Conclusion;
use crate::output::console::Console;
use crate::process::exit::Exit;
use crate::process::memory;
use crate::run::watchdog::Watchdog;
use clap::error::ErrorKind;
use files::Found;
use prepared::{Prepared, Progress};
use refusal::{NothingToRun, obstacle};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{fs, thread};
use telling::Telling;
use vlad_conformance::matrix::findings::Findings;
use vlad_conformance::matrix::known::KnownFailures;
use vlad_conformance::matrix::reports::merge;
use vlad_conformance::matrix::{Expectations, Plan, Programs, Table};
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
