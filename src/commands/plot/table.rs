//! Tables of numbers in CSV: columns that are drawn as points.
//!
//! An empty cell is a missing point.

use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::{SourceMap, Span};
use vlad_shared::data::{self, DataError, Separator};

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The names of the columns; their numbers from 1 where the text has none.
    pub names: Vec<String>,
    /// The rows, each with a number for each column; a missing one is NaN.
    pub rows: Vec<Vec<f64>>,
}

/// Reads a table.
///
/// # Errors
/// A row with another number of cells, or a cell that is no number, with its place; a table without a row.
pub fn read(name: &str, text: &str, separator: Separator) -> Result<Table, Failure> {
    let data::Table { names, rows } =
        data::Table::with_gaps(text.as_bytes(), separator).map_err(|error| failure(name, text, error))?;
    let columns = rows.first().map_or(0, Vec::len);
    let names = names.unwrap_or_else(|| (1..=columns).map(|number| number.to_string()).collect());
    Ok(Table { names, rows })
}

fn failure(name: &str, text: &str, DataError { message, place, hint }: DataError) -> Failure {
    let mut sources = SourceMap::default();
    let file = sources.add(name, "csv", text);
    let (start, length) = place.unwrap_or_default();
    let span = Span::new(file, start as u32, (start + length) as u32);
    let diagnostic = Diagnostic::new(Kind::Read, span, message);
    let diagnostic = match hint {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    };
    Failure { diagnostics: vec![diagnostic], sources }
}

impl Table {
    /// The column with a name, or with a number from 1.
    pub fn column(&self, name: &str) -> Option<usize> {
        let numbered = || name.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < self.names.len());
        self.names.iter().position(|own| own == name).or_else(numbered)
    }

    /// The numbers of a column.
    pub fn numbers(&self, column: usize) -> impl Iterator<Item = f64> {
        self.rows.iter().map(move |row| row.get(column).copied().unwrap_or(f64::NAN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_names_or_numbers() {
        let table = read("t.csv", "time,height\n0,1.5\n1e-3,\n", Separator::COMMA).unwrap();
        assert_eq!(table.numbers(0).collect::<Vec<f64>>(), [0.0, 1e-3]);
        assert!(table.numbers(1).last().unwrap().is_nan());
        assert_eq!(
            (table.column("time"), table.column("2"), table.column("3"), table.column("0")),
            (Some(0), Some(1), None, None)
        );
        assert_eq!(read("t.csv", "1,2\n3,4", Separator::COMMA).unwrap().names, ["1", "2"]);
    }

    #[test]
    fn errors_have_places() {
        for (text, place, message) in [
            ("1,2\n3\n", (4, 5), "a row of 1 cell, where the first has 2"),
            ("a,b\n1,x\n", (6, 7), "a number is expected in the column `b`, found \"x\""),
            ("", (0, 0), "the table is empty"),
        ] {
            let failure = read("t.csv", text, Separator::COMMA).unwrap_err();
            let diagnostic = &failure.diagnostics[0];
            let span = diagnostic.span.unwrap();
            assert_eq!(
                ((span.start as usize, span.end as usize), diagnostic.message.as_str()),
                (place, message),
                "{text:?}"
            );
        }
    }
}
