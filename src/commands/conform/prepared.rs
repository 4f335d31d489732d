//! A run that is ready to execute its cases, and its progress.

use super::files;
use crate::output::progress;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use vlad_conformance::matrix::findings::Findings;
use vlad_conformance::matrix::known::KnownFailures;
use vlad_conformance::matrix::{FileResults, Plan, Table, Verdict, work};
use vlad_files::private::PrivateFolder;

/// The form of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// A count on a terminal.
    Count,
    /// A line for each file.
    Lines,
}

/// The parts of a run that are made before anything runs.
pub(super) struct Prepared {
    pub(super) plan: Plan,
    pub(super) findings: Findings,
    pub(super) progress: Progress,
    pub(super) known: Option<KnownFailures>,
    /// The path of the unpacked corpus that is a part of the command, if that runs, and the folder until the run is over.
    pub(super) root: Option<PathBuf>,
    pub(super) unpacked: Mutex<Option<PrivateFolder>>,
}

impl Prepared {
    /// Runs the plan.
    pub(super) fn run(&self) -> Table {
        let failed = AtomicUsize::new(0);
        work::run(&self.plan, &self.findings, &|row, done| self.tell_progress(row, done, &failed));
        progress::erase_count();
        let table = self.table("it was not run");
        drop(self.unpacked.lock().unwrap_or_else(PoisonError::into_inner).take());
        table
    }

    /// Returns the results as far as they have come; files that are not finished fail for a reason.
    pub(super) fn table(&self, reason: &str) -> Table {
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
                progress::write_task(&format!("{done} of {all}  {word:7}  {}", self.shown(&row.path).display()));
            }
        }
    }
}
