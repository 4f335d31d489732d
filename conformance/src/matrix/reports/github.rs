//! The results of the matrix as annotations of GitHub: a command for each file and column with a fault, which the forge
//! shows beside the line that it is about, and then the report as text.
//!
//! Invariant: a command is one line, whatever names and outputs have in them: what would end it or a part of it is
//! written in per cent, as the forge's documentation of workflow commands says.

use super::text;
use crate::matrix::table::Table;
use std::fmt::Write;

/// The report.
pub fn report(table: &Table) -> String {
    let mut out = String::new();
    for row in &table.rows {
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            let complaints = row.complaints(column, cell);
            if complaints.is_empty() {
                continue;
            }
            let (file, line) = (property(&row.path.to_string_lossy()), cell.line.unwrap_or(1));
            let (title, message) = (property(column.name()), value(&complaints.join("\n")));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "::error file={file},line={line},title={title}::{message}");
        }
    }
    for warning in &table.warnings {
        let _ = writeln!(out, "::warning title=vlad conform::{}", value(warning));
    }
    out + &text::report(table)
}

/// A text behind the last colons of a command.
fn value(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text between commas.
fn property(text: &str) -> String {
    value(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(value("100%\r\na: b"), "100%25%0D%0Aa: b");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
