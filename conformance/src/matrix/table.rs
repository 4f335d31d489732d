//! The results of the matrix: columns, rows of cells, and the overall result.

use super::cell::{Cell, Verdict};
use super::external::External;
use crate::corpus::parts::Parts;
use crate::shard::Shard;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vlad_engines::Engine;
use vlad_engines::agreement::Disagreement;
use vlad_portable::digest::{self, ProgramDigest};

/// A column of the matrix.
#[derive(Clone, Debug)]
pub enum Column {
    /// An engine of the project.
    Engine(Engine),
    /// An external implementation.
    External(External),
}

impl Column {
    /// The name of the column in reports.
    pub fn name(&self) -> &str {
        match self {
            Column::Engine(engine) => engine.name(),
            Column::External(external) => &external.name,
        }
    }
}

/// The results of the whole matrix.
#[derive(Clone, Debug)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// One row per file.
    pub rows: Vec<FileResults>,
    /// The warnings: what is strange and no failure.
    pub warnings: Vec<String>,
    /// The duration of the run.
    pub time: Duration,
    /// The part of the files that these are, if they are not all.
    pub shard: Option<Shard>,
}

/// The results for a file.
#[derive(Clone, Debug)]
pub struct FileResults {
    /// The file.
    pub path: PathBuf,
    /// The kind of the file.
    pub sort: ExpectationKind,
    /// The parts of the report that its program needs.
    pub parts: Parts,
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// The disagreements of the engines.
    pub disagreements: Vec<Disagreement>,
    /// The digest of the first engine's results; none if no engine ran it, or a limit of time or memory ended it.
    pub digest: Option<ProgramDigest>,
}

/// The kind of a file, by its expectations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectationKind {
    /// It states the behaviour of its program.
    Case,
    /// The same, with expectations that this run wrote from the results of the first engine.
    Rewritten,
    /// It states nothing: its program is compared only.
    Program,
    /// Its expectations are malformed, it cannot be read, or it was not run to its end.
    Broken,
}

impl ExpectationKind {
    /// All of them.
    pub const ALL: [ExpectationKind; 4] =
        [ExpectationKind::Case, ExpectationKind::Rewritten, ExpectationKind::Program, ExpectationKind::Broken];

    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            ExpectationKind::Case => "case",
            ExpectationKind::Rewritten => "rewritten",
            ExpectationKind::Program => "program",
            ExpectationKind::Broken => "broken",
        }
    }
}

/// The numbers of verdicts on a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of files that passed.
    pub passed: usize,
    /// The number of files that failed.
    pub failed: usize,
    /// The number of files that failed as a list of known failures says.
    pub known: usize,
    /// The number of files that were skipped.
    pub skipped: usize,
}

/// The overall result, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Engines disagree with each other.
    Disagreement,
    /// Some expectation is not met.
    Failure,
    /// Everything agrees.
    Success,
}

impl Status {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Status::Disagreement => "disagreement",
            Status::Failure => "failed",
            Status::Success => "ok",
        }
    }
}

impl FileResults {
    /// The row of a file that is not run to its end, with one verdict for all columns.
    pub(super) fn unfinished(path: &Path, columns: &[Column], verdict: Verdict) -> FileResults {
        let cells = columns.iter().map(|_| Cell::without_run(verdict.clone())).collect();
        let (path, parts) = (path.to_path_buf(), Parts::default());
        FileResults { path, sort: ExpectationKind::Broken, parts, cells, disagreements: Vec::new(), digest: None }
    }

    /// Returns the faults of a cell and its column: the unmet expectations, and the differences from the first engine.
    pub fn complaints(&self, column: &Column, cell: &Cell) -> Vec<String> {
        let mut complaints = match &cell.verdict {
            Verdict::Failed(reasons) => reasons.clone(),
            Verdict::Passed | Verdict::Known(_) | Verdict::Skipped(_) => Vec::new(),
        };
        let Column::Engine(engine) = column else { return complaints };
        for disagreement in &self.disagreements {
            let mut answers = disagreement.answers.iter();
            let Some(first) = answers.next() else { continue };
            let own = answers.find(|answer| answer.engines.contains(engine));
            let others = first.engines.iter().map(|engine| engine.name()).collect::<Vec<&str>>().join(", ");
            complaints.extend(
                own.map(|own| format!("{}: `{}`, but on {others} `{}`", disagreement.about, own.says, first.says)),
            );
        }
        complaints
    }

    /// Returns true if no cell failed and the engines agree.
    pub fn is_well(&self) -> bool {
        let failed = |cell: &Cell| matches!(cell.verdict, Verdict::Failed(_));
        self.disagreements.is_empty() && !self.cells.iter().any(failed)
    }
}

impl Table {
    /// Returns the line with the digest of all programs and their results.
    pub fn digest(&self) -> String {
        digest::line(self.rows.iter().filter_map(|row| row.digest.clone()).collect())
    }

    /// Returns the overall result.
    pub fn status(&self) -> Status {
        if self.rows.iter().any(|row| !row.disagreements.is_empty()) {
            Status::Disagreement
        } else if self.rows.iter().all(FileResults::is_well) {
            Status::Success
        } else {
            Status::Failure
        }
    }

    /// Counts the verdicts of a column, given by its number.
    pub fn counts(&self, column: usize) -> Counts {
        let mut counts = Counts::default();
        for cell in self.rows.iter().filter_map(|row| row.cells.get(column)) {
            match cell.verdict {
                Verdict::Passed => counts.passed += 1,
                Verdict::Failed(_) => counts.failed += 1,
                Verdict::Known(_) => counts.known += 1,
                Verdict::Skipped(_) => counts.skipped += 1,
            }
        }
        counts
    }
}
