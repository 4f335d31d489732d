//! The report of a run. It is written once: at the end of the run, or when the process must end earlier.

use super::arguments::{ConformArguments, Format};
use super::prepared::Prepared;
use super::refusal::{NothingToRun, obstacle};
use crate::output::console::Console;
use crate::output::progress;
use crate::process::exit::Exit;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;
use vlad_conformance::matrix::reports::{github, json, junit, text};
use vlad_conformance::matrix::{Status, Table};
use vlad_files::output::Output;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};

/// The memory that is kept for the report of a run that has used up all other: a report has some hundred bytes for each cell.
const RESERVE: usize = 32 << 20;

/// The time in which the report of a run that is cut off is written by another thread than the calling one.
const WHILE_TOLD: Duration = Duration::from_secs(30);

/// The report of a run.
pub(super) struct Telling {
    format: Format,
    digest: bool,
    /// The place of the report, if that is not the standard output.
    place: Option<PathBuf>,
    /// The file at that place. It is opened before anything runs, so that a path that cannot be written is reported at once.
    file: Mutex<Option<Output>>,
    /// The run, once it is prepared.
    prepared: OnceLock<Prepared>,
    reserve: Mutex<Vec<u8>>,
    is_told: AtomicBool,
}

impl Telling {
    /// The report that arguments ask for.
    pub(super) fn new(arguments: &ConformArguments) -> Telling {
        Telling {
            format: arguments.format,
            digest: arguments.digest,
            place: arguments.output.clone(),
            file: Mutex::default(),
            prepared: OnceLock::new(),
            reserve: Mutex::new(Vec::with_capacity(RESERVE)),
            is_told: AtomicBool::new(false),
        }
    }

    /// Opens the file for the report, which may be none of those that are read.
    pub(super) fn open(&self, what: &str, read: &[PathBuf]) -> Result<(), NothingToRun> {
        let Some(path) = &self.place else { return Ok(()) };
        if is_among(path, read) {
            let message = format!("the report cannot be written to {}: it is one of the {what}", path.display());
            return Err(obstacle(Kind::Output, message));
        }
        let file = Output::begin(path).map_err(|error| NothingToRun::Error(Box::new(not_written(path, &error))))?;
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }

    /// Runs what is prepared.
    pub(super) fn run(&self, prepared: Prepared) -> Table {
        self.prepared.get_or_init(|| prepared).run()
    }

    /// Tells the report of a run that is at its end, and returns the outcome of the command.
    pub(super) fn tell(&self, table: &Table, console: &Console) -> Exit {
        if self.is_told.swap(true, Ordering::SeqCst) {
            // The watching thread tells it, and ends the process.
            thread::sleep(WHILE_TOLD);
            return Exit::Failure;
        }
        self.write(table, console)
    }

    /// Tells the report of a run that is cut off, as far as it has come; none if there is none to tell.
    pub(super) fn tell_early(&self, diagnostic: &Diagnostic, console: &Arc<Console>) -> Option<Exit> {
        let prepared = self.prepared.get()?;
        if self.is_told.swap(true, Ordering::SeqCst) {
            return None;
        }
        self.reserve.lock().unwrap_or_else(PoisonError::into_inner).shrink_to_fit();
        let table = prepared.table(&format!("the run ended before: {}", diagnostic.message));
        console.complain_by_force(diagnostic);
        match self.write(&table, console) {
            Exit::Success => Some(Exit::Failure),
            ending => Some(ending),
        }
    }

    /// Writes the report to its file or to the standard output. A report for which the file has no room is printed.
    fn write(&self, table: &Table, console: &Console) -> Exit {
        if self.digest {
            // The digest is one line.
            table.warnings.iter().for_each(|warning| progress::write_task(&format!("warning: {warning}")));
        }
        let summary = || match (self.digest, table.status()) {
            (true, Status::Success) => table.digest(),
            (true, Status::Failure | Status::Disagreement) | (false, _) => text::report(table),
        };
        let formatted = match self.format {
            Format::Text => summary(),
            Format::Json => json::report(table),
            Format::Junit => junit::report(table),
            Format::Github => github::report(table),
        };
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
        let printed = match (file, &self.place) {
            (Some(file), Some(path)) => {
                if let Err(error) = file.write(formatted.as_bytes()) {
                    // An error of the standard output, too, is told by what follows.
                    let _ = console.write_text(&formatted);
                    return console.fail(not_written(path, &error));
                }
                match self.format {
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
}

/// Returns true if a path leads to one of the files.
fn is_among(path: &Path, files: &[PathBuf]) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    files.iter().any(|file| file.canonicalize().is_ok_and(|file| file == path))
}

fn not_written(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::new(Kind::Output, None, format!("the report cannot be written to {}: {error}", path.display()))
}
