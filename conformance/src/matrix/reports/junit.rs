//! The results of the matrix as JUnit XML: one test suite per column, one test case per file.
//!
//! Invariant: the text is well-formed XML 1.0 for all names and outputs: characters that XML does not allow are written
//! as escapes like `\u{1b}`.

use crate::matrix::cell::Verdict;
use crate::matrix::table::{Column, Table};
use std::fmt::Write;
use vlad_shared::core::render::escapes::in_xml;

/// The report.
pub fn report(table: &Table) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vlad conform\">\n");
    for (number, column) in table.columns.iter().enumerate() {
        suite(&mut out, table, number, column);
    }
    out.push_str("</testsuites>\n");
    out
}

/// Appends a text. Writing to a string cannot fail, so there is no error to return.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

fn suite(out: &mut String, table: &Table, number: usize, column: &Column) {
    let cells = || table.rows.iter().filter_map(|row| Some((row, row.cells.get(number)?)));
    let failures = cells().filter(|(row, cell)| !row.complaints(column, cell).is_empty()).count();
    let counts = table.counts(number);
    let skipped = counts.skipped + counts.known;
    let time: f64 = cells().map(|(_, cell)| cell.time.as_secs_f64()).sum();
    let name = in_xml(column.name());
    put(
        out,
        format_args!(
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" \
             time=\"{time:.6}\">\n",
            cells().count()
        ),
    );
    for (row, cell) in cells() {
        let file = in_xml(&row.path.to_string_lossy());
        let time = cell.time.as_secs_f64();
        let line = cell.line.unwrap_or(1);
        put(out, format_args!("    <testcase classname=\"{name}\" name=\"{file}\" file=\"{file}\" line=\"{line}\""));
        put(out, format_args!(" time=\"{time:.6}\""));
        let complaints = row.complaints(column, cell);
        if let Some(first) = complaints.first() {
            let (first, all) = (in_xml(first), in_xml(&complaints.join("\n")));
            put(out, format_args!(">\n      <failure message=\"{first}\">{all}</failure>\n    </testcase>\n"));
            continue;
        }
        let skipped = match &cell.verdict {
            Verdict::Skipped(reason) => Some(reason.clone()),
            Verdict::Known(reasons) => Some(format!("known to fail: {}", reasons.join("\n"))),
            Verdict::Passed | Verdict::Failed(_) => None,
        };
        match skipped {
            Some(reason) => {
                put(out, format_args!(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", in_xml(&reason)));
            }
            None => out.push_str("/>\n"),
        }
    }
    if !table.warnings.is_empty() {
        put(out, format_args!("    <system-err>{}</system-err>\n", in_xml(&table.warnings.join("\n"))));
    }
    out.push_str("  </testsuite>\n");
}
