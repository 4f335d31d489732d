//! The table as JUnit XML: a test suite a column, a test case a file.
//!
//! Invariant: the text is well-formed XML 1.0, whatever names and outputs hold: characters that XML cannot hold at all
//! stand there as escapes like `\u{1b}`.

use super::{Column, Table, Verdict};
use std::fmt::Write;

/// The report.
pub fn report(table: &Table) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vlad conform\">\n");
    for (number, column) in table.columns.iter().enumerate() {
        suite(&mut out, table, number, column);
    }
    out.push_str("</testsuites>\n");
    out
}

/// Appends a text. Writing to a string cannot fail, so there is no error to hand on.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

fn suite(out: &mut String, table: &Table, number: usize, column: &Column) {
    let cells = || table.rows.iter().filter_map(|row| Some((row, row.cells.get(number)?)));
    let failures = cells().filter(|(row, cell)| !row.complaints(column, cell).is_empty()).count();
    let skipped = table.counts(number).skipped;
    let time: f64 = cells().map(|(_, cell)| cell.time.as_secs_f64()).sum();
    let name = escaped(column.name());
    put(
        out,
        format_args!(
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" \
             time=\"{time:.6}\">\n",
            cells().count()
        ),
    );
    for (row, cell) in cells() {
        let file = escaped(&row.path.to_string_lossy());
        let time = cell.time.as_secs_f64();
        put(out, format_args!("    <testcase classname=\"{name}\" name=\"{file}\" time=\"{time:.6}\""));
        let complaints = row.complaints(column, cell);
        if let Some(first) = complaints.first() {
            let (first, all) = (escaped(first), escaped(&complaints.join("\n")));
            put(out, format_args!(">\n      <failure message=\"{first}\">{all}</failure>\n    </testcase>\n"));
        } else if let Verdict::Skipped(reason) = &cell.verdict {
            put(out, format_args!(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(reason)));
        } else {
            out.push_str("/>\n");
        }
    }
    out.push_str("  </testsuite>\n");
}

/// A text as it may stand in XML, between tags as well as within an attribute.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // White space in attributes is kept only like this.
            '\t' | '\n' | '\r' => put(&mut escaped, format_args!("&#{};", u32::from(character))),
            '\u{fffe}' | '\u{ffff}' => escaped.extend(character.escape_unicode()),
            control if control.is_control() => escaped.extend(control.escape_unicode()),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(escaped("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&apos;");
        assert_eq!(escaped("\n\t"), "&#10;&#9;");
        assert_eq!(escaped("\u{1b}[31m\0\u{ffff}\u{85}"), "\\u{1b}[31m\\u{0}\\u{ffff}\\u{85}");
        assert_eq!(escaped("é\u{10348}"), "é\u{10348}");
    }
}
