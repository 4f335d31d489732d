//! Tables of numbers in CSV: columns that are drawn as points.
//!
//! Cells are separated by commas, and may stand in double quotes, in which two of them are one. If a cell of the first row
//! is no number, that row has the names of the columns. Blank lines are skipped. An empty cell is a missing point.

use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::report::Failure;
use vlad_shared::core::source::{SourceMap, Span};
use vlad_shared::table::number;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The names of the columns; their numbers from 1 where the text has none.
    pub names: Vec<String>,
    /// The rows, each with a number for each column; a missing one is NaN.
    pub rows: Vec<Vec<f64>>,
}

/// A cell: its text, and its place.
struct Cell {
    text: String,
    start: usize,
    end: usize,
}

/// Reads a table.
///
/// # Errors
/// A row with another number of cells, a cell that is no number, or a quote that is not closed, with its place.
pub fn read(name: &str, text: &str) -> Result<Table, Failure> {
    let mut rows = Vec::new();
    for row in rows_of(text).map_err(|(start, end, message)| failure(name, text, (start, end), message))? {
        let is_blank = matches!(&*row, [only] if only.text.trim().is_empty());
        if !is_blank {
            rows.push(row);
        }
    }
    let parsed = |cell: &Cell| match cell.text.trim() {
        "" => Some(f64::NAN),
        text => number::parse(text),
    };
    let Some(first) = rows.first() else {
        return Err(failure(name, text, (0, 0), "there is no row"));
    };
    let columns = first.len();
    let has_names = first.iter().any(|cell| parsed(cell).is_none());
    let names = match has_names {
        true => first.iter().map(|cell| cell.text.trim().to_owned()).collect(),
        false => (1..=columns).map(|number| number.to_string()).collect(),
    };
    let mut numbers = Vec::new();
    for row in rows.iter().skip(usize::from(has_names)) {
        if row.len() != columns {
            let (start, end) = (row.first().map_or(0, |cell| cell.start), row.last().map_or(0, |cell| cell.end));
            let message = format!("a row has {} cells, and the first one {columns}", row.len());
            return Err(failure(name, text, (start, end), &message));
        }
        let mut own = Vec::new();
        for cell in row {
            let wrong = || failure(name, text, (cell.start, cell.end), "a cell is no number");
            own.push(parsed(cell).ok_or_else(wrong)?);
        }
        numbers.push(own);
    }
    Ok(Table { names, rows: numbers })
}

fn failure(name: &str, text: &str, (start, end): (usize, usize), message: &str) -> Failure {
    let mut sources = SourceMap::default();
    let file = sources.add(name, "csv", text);
    let span = Span::new(file, start as u32, end as u32);
    Failure { diagnostics: vec![Diagnostic::new(Kind::Read, span, message)], sources }
}

/// The rows of a text; or an error with its place.
fn rows_of(text: &str) -> Result<Vec<Vec<Cell>>, (usize, usize, &'static str)> {
    let mut rows = vec![Vec::new()];
    let mut cell = Cell { text: String::new(), start: 0, end: 0 };
    // The place of the quote that is open.
    let mut open = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = at + character.len_utf8();
        match (character, open) {
            ('"', None) => open = Some(at),
            ('"', Some(_)) if characters.next_if(|(_, next)| *next == '"').is_some() => cell.text.push('"'),
            ('"', Some(_)) => open = None,
            (',' | '\n', None) => {
                cell.end = at;
                let done = std::mem::replace(&mut cell, Cell { text: String::new(), start: after, end: after });
                if let Some(row) = rows.last_mut() {
                    row.push(done);
                }
                if character == '\n' {
                    rows.push(Vec::new());
                }
            }
            ('\r' | '\u{feff}', None) => {}
            _ => cell.text.push(character),
        }
    }
    if let Some(at) = open {
        return Err((at, at + 1, "a quote is not closed"));
    }
    cell.end = text.len();
    if let Some(row) = rows.last_mut() {
        row.push(cell);
    }
    Ok(rows)
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
    fn tables_have_names_and_numbers() {
        let table = read("t.csv", "time, \"height \"\"h\"\"\"\r\n0,1.5\r\n\r\n1e-3,\n").unwrap();
        assert_eq!(table.names, ["time", "height \"h\""]);
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.numbers(0).collect::<Vec<f64>>(), [0.0, 1e-3]);
        assert!(table.numbers(1).last().unwrap().is_nan());
        assert_eq!(
            (table.column("time"), table.column("2"), table.column("3"), table.column("0")),
            (Some(0), Some(1), None, None)
        );
        let plain = read("t.csv", "1,2\n3,4").unwrap();
        assert_eq!(
            (plain.names, plain.rows),
            (vec!["1".to_owned(), "2".to_owned()], vec![vec![1.0, 2.0], vec![3.0, 4.0]])
        );
    }

    #[test]
    fn errors_have_places() {
        for (text, place, message) in [
            ("1,2\n3\n", (4, 5), "a row has 1 cells, and the first one 2"),
            ("a,b\n1,x\n", (6, 7), "a cell is no number"),
            ("1,\"2\n", (2, 3), "a quote is not closed"),
            ("", (0, 0), "there is no row"),
            ("\n \n", (0, 0), "there is no row"),
        ] {
            let failure = read("t.csv", text).unwrap_err();
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
