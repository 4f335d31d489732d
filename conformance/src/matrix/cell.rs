//! The result of a file on a column.

use std::fmt::Display;
use std::time::Duration;

/// The most reasons of a failure that are kept.
const MOST_REASONS: usize = 12;

/// The most lines that are kept of what a column says of a failure: the first ones, and the last ones, where a tool names
/// the error that ended it.
const MOST_FIRST_LINES: usize = 8;
const MOST_LAST_LINES: usize = 12;

/// The most characters that are kept of a reason or a line.
const MOST_CHARACTERS: usize = 400;

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

impl Verdict {
    /// A failure with its reasons and what the column said of it, shortened for a report. Only those reasons are made
    /// that are kept.
    pub fn failed<R: Display>(reasons: impl IntoIterator<Item = R>, said: Words<'_>) -> Verdict {
        let mut reasons = reasons.into_iter();
        let mut kept: Vec<String> =
            reasons.by_ref().take(MOST_REASONS).map(|reason| shortened(reason.to_string())).collect();
        let left_out = reasons.count();
        if left_out > 0 {
            kept.push(format!("... and {left_out} more"));
        }
        let lines: Vec<&str> = said.text.lines().collect();
        let line = |line: &&str| shortened(format!("{}{line}", said.before));
        match lines.split_at_checked(MOST_FIRST_LINES) {
            Some((first, rest)) if rest.len() > MOST_LAST_LINES => {
                let (left_out, last) = rest.split_at(rest.len() - MOST_LAST_LINES);
                kept.extend(first.iter().map(line));
                kept.push(format!("{}... {} lines ...", said.before, left_out.len()));
                kept.extend(last.iter().map(line));
            }
            Some(_) | None => kept.extend(lines.iter().map(line)),
        }
        Verdict::Failed(kept)
    }

    /// A failure for one reason.
    pub fn failed_because(reason: &str) -> Verdict {
        Verdict::failed([reason], Words::default())
    }
}

/// The words of a column about its failure, such as a tool's standard error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words<'text> {
    /// The mark that stands before each line.
    pub before: &'text str,
    /// The lines.
    pub text: &'text str,
}

/// A text with a mark at the place where it is cut, if it is long.
fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MOST_CHARACTERS) {
        text.truncate(end);
        text.push_str(" ...");
    }
    text
}

impl Cell {
    /// A cell without a run.
    pub fn without_run(verdict: Verdict) -> Cell {
        Cell { verdict, steps: None, time: Duration::ZERO, line: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(reasons: usize, said: usize) -> Vec<String> {
        let text: Vec<String> = (0..said).map(|number| format!("line {number}\n")).collect();
        let said = Words { before: "it said: ", text: &text.concat() };
        match Verdict::failed((0..reasons).map(|_| "é".repeat(1000)), said) {
            Verdict::Failed(kept) => kept,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn reasons_are_bounded() {
        let reasons = kept(1000, 0);
        assert_eq!((reasons.len(), reasons.last().unwrap().as_str()), (MOST_REASONS + 1, "... and 988 more"));
        assert!(reasons.iter().all(|reason| reason.chars().count() <= MOST_CHARACTERS + 4));
    }

    #[test]
    fn words_of_the_column_follow_all_reasons() {
        assert_eq!(kept(1000, 1).last().unwrap(), "it said: line 0");
        assert_eq!(kept(1, 20).len(), 21);
        let long = kept(1, 1000);
        assert_eq!((long.len(), long[9].as_str()), (22, "it said: ... 980 lines ..."));
        assert_eq!((long[1].as_str(), long[21].as_str()), ("it said: line 0", "it said: line 999"));
    }
}
