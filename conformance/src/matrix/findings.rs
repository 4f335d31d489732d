//! The rows of a run of the matrix as far as they are finished, for its report at the end or when it is cut off.

use super::cell::Verdict;
use super::plan::Plan;
use super::table::{FileResults, Table};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A callback with a row that is finished, and the number of finished files.
pub type Progress<'call> = &'call (dyn Fn(&FileResults, usize) + Sync);

/// The finished rows, with their numbers, and the time when the run began.
#[derive(Debug)]
pub struct Findings {
    begun: Instant,
    rows: Mutex<Vec<(usize, FileResults)>>,
}

impl Findings {
    /// The findings of a run that begins.
    pub fn begin() -> Findings {
        Findings { begun: Instant::now(), rows: Mutex::default() }
    }

    /// Adds a row.
    pub(super) fn add(&self, number: usize, row: FileResults, progress: Progress<'_>) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        progress(&row, rows.len() + 1);
        rows.push((number, row));
    }

    /// Returns the rows as a table. Those that are not finished are failures for a reason.
    pub fn table(&self, plan: &Plan, reason: &str) -> Table {
        let mut finished = self.rows.lock().unwrap_or_else(PoisonError::into_inner).clone();
        finished.sort_unstable_by_key(|(number, _)| *number);
        let mut finished = finished.into_iter().peekable();
        let row = |(number, path): (usize, &PathBuf)| match finished.next_if(|(finished, _)| *finished == number) {
            Some((_, row)) => row,
            None => FileResults::unfinished(path, &plan.columns, Verdict::failed_because(reason)),
        };
        let rows = (0..).zip(&plan.files).map(row).collect();
        let (columns, warnings) = (plan.columns.clone(), plan.warnings.clone());
        Table { columns, rows, warnings, time: self.begun.elapsed(), shard: plan.shard }
    }
}
