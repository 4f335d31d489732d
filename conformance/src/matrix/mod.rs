//! The matrix of programs and engines: every file on every column, in parallel, and what came of it as text, JSON or JUnit.
//!
//! ```text
//! paths --find--> files --plan--> entries --work--> rows of cells --text|json|junit--> a report
//! ```
//!
//! A column is an engine of the project or somebody else's implementation ([`external`]). A cell says whether what the
//! column does is what the file expects; beside that the engines of a row are compared with each other to the last bit
//! ([`crate::agreement`]). A file without expectations is only compared.
//!
//! Invariant: the order of rows is that of their paths and the order of cells that of the columns, however the work is
//! shared out; one program that breaks its engine spoils one cell.

pub mod external;
pub mod find;
pub mod json;
pub mod junit;
pub mod process;
pub mod text;
pub mod work;

use crate::agreement::Disagreement;
use crate::engine::{Engine, Settings};
use external::External;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The files, in the order of the rows.
    pub files: Vec<PathBuf>,
    /// The columns, engines first.
    pub columns: Vec<Column>,
    /// How programs are compiled.
    pub settings: Settings,
    /// How many threads work.
    pub jobs: NonZeroUsize,
    /// The time that a program may take on a column unless its file says otherwise.
    pub time: Duration,
    /// The memory that the process may take with any program, in bytes.
    pub memory: Option<u64>,
    /// What becomes of expectations that the first engine does not meet.
    pub expectations: Expectations,
    /// What becomes of files without expectations.
    pub programs: Programs,
}

/// What becomes of expected output that the first engine disagrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectations {
    /// It stays as it is.
    Kept,
    /// It is rewritten ([`crate::bless`]), unless the engines disagree with each other.
    Rewritten,
}

/// What becomes of files without expectations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// They are compared only.
    Compared,
    /// What the first engine does with them is written into them as what is expected, unless the engines disagree.
    MadeCases,
}

/// A column of the matrix.
#[derive(Clone, Debug)]
pub enum Column {
    /// An engine of the project.
    Engine(Engine),
    /// Somebody else's implementation.
    External(External),
}

impl Column {
    /// The name that reports give it.
    pub fn name(&self) -> &str {
        match self {
            Column::Engine(engine) => engine.name(),
            Column::External(external) => &external.name,
        }
    }
}

/// What came of everything.
#[derive(Clone, Debug)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// A row a file.
    pub rows: Vec<Row>,
    /// How long it took.
    pub time: Duration,
}

/// What came of a file.
#[derive(Clone, Debug)]
pub struct Row {
    /// The file.
    pub path: PathBuf,
    /// What the file says of itself.
    pub sort: Sort,
    /// A cell a column.
    pub cells: Vec<Cell>,
    /// In what the engines differ.
    pub disagreements: Vec<Disagreement>,
}

/// What a file says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// What its program does.
    Case,
    /// The same, rewritten to what the first engine does, or written as that.
    Rewritten,
    /// Nothing: its program is compared only.
    Program,
    /// Nothing that can be understood, or it cannot be read.
    Broken,
}

impl Sort {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Case => "case",
            Sort::Rewritten => "rewritten",
            Sort::Program => "program",
            Sort::Broken => "broken",
        }
    }
}

/// What came of a file on a column.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Whether it is what the file expects.
    pub verdict: Verdict,
    /// The steps taken; none if that is not known.
    pub steps: Option<u64>,
    /// How long it ran.
    pub time: Duration,
}

/// Whether a column does what a file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does, or nothing is expected.
    Passed,
    /// It does not: what differs, a line or more each.
    Failed(Vec<String>),
    /// It cannot be asked to, and why.
    Skipped(String),
}

/// What came of all files on a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many were skipped.
    pub skipped: usize,
}

/// What the whole came to, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Engines disagree with each other.
    Disagreement,
    /// Some expectation is not met.
    Failure,
    /// All is well.
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

impl Cell {
    /// A cell that nothing ran for.
    fn without_run(verdict: Verdict) -> Cell {
        Cell { verdict, steps: None, time: Duration::ZERO }
    }
}

impl Row {
    /// What is wrong with a cell, by the number of its column: what it fails in, and how it differs from the first
    /// engine.
    pub fn complaints(&self, column: &Column, cell: &Cell) -> Vec<String> {
        let mut complaints = match &cell.verdict {
            Verdict::Failed(reasons) => reasons.clone(),
            Verdict::Passed | Verdict::Skipped(_) => Vec::new(),
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

    /// Whether all is well.
    pub fn is_well(&self) -> bool {
        let failed = |cell: &Cell| matches!(cell.verdict, Verdict::Failed(_));
        self.disagreements.is_empty() && !self.cells.iter().any(failed)
    }
}

impl Table {
    /// What the whole came to.
    pub fn status(&self) -> Status {
        if self.rows.iter().any(|row| !row.disagreements.is_empty()) {
            Status::Disagreement
        } else if self.rows.iter().all(Row::is_well) {
            Status::Success
        } else {
            Status::Failure
        }
    }

    /// How a column fared, by its number.
    pub fn counts(&self, column: usize) -> Counts {
        let mut counts = Counts::default();
        for cell in self.rows.iter().filter_map(|row| row.cells.get(column)) {
            match cell.verdict {
                Verdict::Passed => counts.passed += 1,
                Verdict::Failed(_) => counts.failed += 1,
                Verdict::Skipped(_) => counts.skipped += 1,
            }
        }
        counts
    }
}

/// A text on one line: characters that a terminal or a parser of logs would obey are written as escapes.
pub fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}
