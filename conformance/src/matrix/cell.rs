//! The result of a file on a column.

use std::time::Duration;

/// The result of a file on a column.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The comparison with the file's expectations.
    pub verdict: Verdict,
    /// The steps taken; none if that is not known.
    pub steps: Option<u64>,
    /// The duration of the run.
    pub time: Duration,
    /// The line of the file, from 1, that a failure is about, if there is one.
    pub line: Option<usize>,
}

/// The comparison of a column's behaviour with the expectations of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It meets them, or there are none.
    Passed,
    /// It does not meet them: the differences, one or more lines each.
    Failed(Vec<String>),
    /// It does not meet them, or differs from the other engines, as a list of known failures says: the same.
    Known(Vec<String>),
    /// The file cannot be run on this column, for this reason.
    Skipped(String),
}

impl Cell {
    /// A cell without a run.
    pub fn without_run(verdict: Verdict) -> Cell {
        Cell { verdict, steps: None, time: Duration::ZERO, line: None }
    }
}
