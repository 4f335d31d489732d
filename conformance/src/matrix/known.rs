//! Known failures: a list of files, or of files on one column, that are expected to fail for now.
//!
//! Invariant: the list hides nothing for longer than it is true. What fails as listed does not count as a failure;
//! what is listed and passes does.

use super::cell::Verdict;
use super::find::is_named;
use super::table::{Column, FileResults, Table};
use vlad_engines::Engine;

/// A list of known failures.
#[derive(Clone, Debug)]
pub struct KnownFailures {
    /// The name of its file.
    name: String,
    entries: Vec<Entry>,
}

/// A line of the list.
#[derive(Clone, Debug)]
struct Entry {
    /// The number of the line, from 1.
    line: usize,
    /// The column; none for all of them.
    column: Option<String>,
    /// The pattern of the paths.
    pattern: String,
}

impl KnownFailures {
    /// Reads a list. A line is `PATTERN` or `COLUMN: PATTERN`; `#` at its beginning or behind a blank begins a comment.
    ///
    /// # Errors
    /// Returns a message with the number of a line that is malformed.
    pub fn parse(name: &str, text: &str) -> Result<KnownFailures, String> {
        let mut entries = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let comment = text.match_indices('#').find(|(at, _)| {
                text.get(..*at).is_some_and(|before| before.chars().next_back().is_none_or(char::is_whitespace))
            });
            let text = comment.map_or(text, |(at, _)| text.get(..at).unwrap_or_default()).trim();
            let (column, pattern) = match text.split_once(": ") {
                Some((column, pattern)) => (Some(column.trim().to_owned()), pattern.trim()),
                None => (None, text),
            };
            if text.is_empty() {
                continue;
            }
            if pattern.is_empty() || pattern.contains(char::is_whitespace) || column.as_deref().is_some_and(is_no_name)
            {
                return Err(format!("line {line} of {name} is neither PATTERN nor COLUMN: PATTERN: `{text}`"));
            }
            entries.push(Entry { line, column, pattern: pattern.to_owned() });
        }
        Ok(KnownFailures { name: name.to_owned(), entries })
    }

    /// Warnings of lines that say nothing: none of the files has a name of the pattern, or there is no column of the name. The files
    /// are all those of a folder or corpus, not only those that are selected; an engine that does not run is a column as well.
    pub fn warnings(&self, files: &[String], columns: &[Column]) -> Vec<String> {
        let is_column =
            |name: &str| Engine::named(name).is_some() || columns.iter().any(|column| column.name() == name);
        let warning = |entry: &Entry| {
            let Entry { line, column, pattern } = entry;
            let place = format!("line {line} of {}", self.name);
            match column.as_deref().filter(|name| !is_column(name)) {
                Some(name) => Some(format!("{place}: there is no column `{name}`")),
                None if files.iter().any(|path| is_named(pattern, path)) => None,
                None => Some(format!("{place}: no file matches `{pattern}`, which is compared with whole paths")),
            }
        };
        self.entries.iter().filter_map(warning).collect()
    }

    /// Marks what fails as listed, and lets fail what is listed and passes.
    pub fn apply(&self, table: &mut Table) {
        for row in &mut table.rows {
            self.apply_to_row(&table.columns, row);
        }
    }

    fn entry(&self, path: &str, column: &Column) -> Option<&Entry> {
        let is_meant = |entry: &Entry| entry.column.as_deref().is_none_or(|name| name == column.name());
        self.entries.iter().find(|entry| is_meant(entry) && is_named(&entry.pattern, path))
    }

    fn apply_to_row(&self, columns: &[Column], row: &mut FileResults) {
        let path = row.path.to_string_lossy().into_owned();
        let mut excused = Vec::new();
        let mut verdicts = Vec::new();
        for (column, cell) in columns.iter().zip(&row.cells) {
            let mut verdict = cell.verdict.clone();
            if let Some(entry) = self.entry(&path, column) {
                let mut reasons = row.complaints(column, cell);
                if let Column::Engine(engine) = column {
                    excused.push(*engine);
                    // The first engine of a disagreement has no complaint of its own.
                    if reasons.is_empty() {
                        let own = row.disagreements.iter();
                        reasons.extend(own.map(|disagreement| format!("{}: other engines differ", disagreement.about)));
                    }
                }
                verdict = match (verdict, reasons.is_empty()) {
                    (Verdict::Skipped(reason), true) => Verdict::Skipped(reason),
                    (_, false) => Verdict::Known(reasons),
                    (_, true) => Verdict::Failed(vec![format!(
                        "it passes, but line {} of {} says that it is known to fail",
                        entry.line, self.name
                    )]),
                };
            }
            verdicts.push(verdict);
        }
        for (cell, verdict) in row.cells.iter_mut().zip(verdicts) {
            cell.verdict = verdict;
        }
        // A disagreement counts while engines that are not listed have different answers.
        row.disagreements.retain(|disagreement| {
            let answers = disagreement.answers.iter();
            answers.filter(|answer| answer.engines.iter().any(|engine| !excused.contains(engine))).count() > 1
        });
    }
}

/// Returns true for a text that names no column.
fn is_no_name(text: &str) -> bool {
    text.is_empty() || text.contains(char::is_whitespace)
}
