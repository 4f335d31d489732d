//! Tables: rows of numbers with commas or tabs between them (RFC 4180).
//!
//! If a cell of the first row is no number, that row names the columns. Empty lines do not count. A table that is read
//! whole is the array of its rows; one column is the array of its numbers, and several columns are rows of these.

use crate::datum::{Data, DataError, array};
use csv::{ByteRecord, ReaderBuilder, Terminator};

/// The number of columns that a message names.
const SHOWN: usize = 12;

/// A table of numbers, or some columns of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The names of the columns, if the first row has them.
    pub names: Option<Vec<String>>,
    /// The rows, each with a number for each column.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads a whole table with commas, in which cells may be empty: their numbers are NaN.
    ///
    /// # Errors
    /// A row with another number of cells, or a cell that is no number, with its place; a table without a row.
    pub fn with_gaps(bytes: &[u8]) -> Result<Table, DataError> {
        TableText::new(bytes, b',', Gaps::Missing).read(&[])
    }
}

/// Reads a table, or some of its columns, as data.
pub(crate) fn read(bytes: &[u8], delimiter: u8, columns: &[String]) -> Result<Data, DataError> {
    let Table { rows, .. } = TableText::new(bytes, delimiter, Gaps::Refused).read(columns)?;
    Ok(match columns.len() {
        1 => Data::Reals(rows.into_iter().flatten().collect()),
        _ => array(rows.into_iter().map(Data::Reals).collect()),
    })
}

/// The meaning of an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gaps {
    /// An error.
    Refused,
    /// A number that is missing.
    Missing,
}

/// The text of a table behind a byte order mark.
struct TableText<'file> {
    text: &'file [u8],
    /// The bytes of the mark.
    mark: usize,
    delimiter: u8,
    gaps: Gaps,
}

impl TableText<'_> {
    fn new(bytes: &[u8], delimiter: u8, gaps: Gaps) -> TableText<'_> {
        let (mark, text) = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) => (bytes.len() - rest.len(), rest),
            None => (0, bytes),
        };
        TableText { text, mark, delimiter, gaps }
    }

    /// Reads the columns that are wanted, or all of them.
    fn read(&self, wanted: &[String]) -> Result<Table, DataError> {
        let mut reader = ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(false)
            .flexible(true)
            .terminator(Terminator::CRLF)
            .from_reader(self.text);
        let mut record = ByteRecord::new();
        let mut columns: Option<Vec<usize>> = None;
        let (mut width, mut names, mut rows) = (0, None, Vec::new());
        while reader.read_byte_record(&mut record).map_err(|error| DataError::new(error.to_string()))? {
            if is_blank(&record) {
                continue;
            }
            let columns = match &columns {
                Some(columns) => columns,
                None => {
                    width = record.len();
                    let is_head = record.iter().any(|cell| self.value(cell).is_none());
                    let head = is_head.then(|| record.iter().map(text).collect::<Vec<String>>());
                    let chosen = self.columns(wanted, head.as_deref(), width)?;
                    let chosen = columns.insert(chosen);
                    names = head;
                    if is_head {
                        continue;
                    }
                    chosen
                }
            };
            if record.len() != width {
                let message = format!("a row of {}, where the first has {width}", count(record.len(), "cell"));
                let (begin, end) = (self.cell(&record, 0).0, self.cell(&record, record.len().saturating_sub(1)).1);
                return Err(DataError::new(message).at(begin, end.saturating_sub(begin)));
            }
            let cells = columns.iter().map(|column| self.number(&record, *column, names.as_deref()));
            rows.push(cells.collect::<Result<Vec<f64>, DataError>>()?);
        }
        if columns.is_none() {
            return Err(DataError::new("the table is empty"));
        }
        Ok(Table { names, rows })
    }

    /// The number in a cell.
    fn value(&self, cell: &[u8]) -> Option<f64> {
        match self.gaps {
            Gaps::Missing if cell.trim_ascii().is_empty() => Some(f64::NAN),
            Gaps::Missing | Gaps::Refused => number(cell),
        }
    }

    /// The numbers of the columns that are wanted: all of them if none is named. A column is named by the first row, or by
    /// its number from 1.
    fn columns(&self, wanted: &[String], head: Option<&[String]>, width: usize) -> Result<Vec<usize>, DataError> {
        if wanted.is_empty() {
            return Ok((0..width).collect());
        }
        let one = |name: &String| {
            let mut named = head.into_iter().flatten().enumerate().filter(|(_, cell)| *cell == name);
            match (named.next(), named.next()) {
                (Some((column, _)), None) => return Ok(column),
                (Some(_), Some(_)) => {
                    return Err(DataError::new(format!("there are several columns `{name}`"))
                        .with_hint("a column is also named by its number, from 1"));
                }
                (None, _) => {}
            }
            match name.parse::<usize>() {
                Ok(number) if (1..=width).contains(&number) => Ok(number - 1),
                _ => Err(DataError::new(format!("there is no column `{name}`")).with_hint(columns_hint(head, width))),
            }
        };
        wanted.iter().map(one).collect()
    }

    fn number(&self, record: &ByteRecord, column: usize, names: Option<&[String]>) -> Result<f64, DataError> {
        let cell = record.get(column).unwrap_or(&[]);
        self.value(cell).ok_or_else(|| {
            let found = match text(cell).trim() {
                "" => "an empty cell".to_owned(),
                text => format!("\"{}\"", text.chars().take(40).collect::<String>().escape_debug()),
            };
            let of = names.and_then(|names| names.get(column)).map(|name| format!(" in the column `{name}`"));
            let message = format!("a number is expected{}, found {found}", of.unwrap_or_default());
            let (begin, end) = self.cell(record, column);
            let hint = "columns that are numbers are chosen as in --data x=FILE.csv:first,second";
            DataError::new(message).at(begin, end.saturating_sub(begin).max(1)).with_hint(hint)
        })
    }

    /// The place of a cell in the file.
    fn cell(&self, record: &ByteRecord, column: usize) -> (usize, usize) {
        let from = record.position().map_or(0, |position| position.byte() as usize);
        let rest = self.text.get(from..).unwrap_or(&[]);
        let skipped = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let (mut number, mut is_quoted, mut begin, mut end) = (0, false, skipped, rest.len());
        for (place, byte) in rest.iter().enumerate().skip(skipped) {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b'\r' | b'\n' if !is_quoted => {
                    end = place;
                    break;
                }
                byte if *byte == self.delimiter && !is_quoted => {
                    if number == column {
                        end = place;
                        break;
                    }
                    number += 1;
                    begin = place + 1;
                }
                _ => {}
            }
        }
        (self.mark + from + begin, self.mark + from + end)
    }
}

/// Returns true for a line without cells, or with blanks alone.
fn is_blank(record: &ByteRecord) -> bool {
    record.len() <= 1 && record.iter().all(|cell| cell.trim_ascii().is_empty())
}

/// The number in a cell, with blanks around it.
fn number(cell: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(cell).ok()?.trim();
    match text {
        "+inf.0" => return Some(f64::INFINITY),
        "-inf.0" => return Some(f64::NEG_INFINITY),
        "+nan.0" | "-nan.0" => return Some(f64::NAN),
        _ => {}
    }
    // Rust's notation is that of other programs: 1, -1.5, .5, 1e-3, inf, NaN. It rounds correctly.
    text.parse().ok()
}

fn text(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell).trim().to_owned()
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn columns_hint(head: Option<&[String]>, width: usize) -> String {
    match head {
        None => format!("the columns have no names, but numbers from 1 to {width}"),
        Some(names) => {
            let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let more = if names.len() > SHOWN { " and others" } else { "" };
            format!("the columns are {shown}{more}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str, columns: &[&str]) -> Result<Data, DataError> {
        let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
        read(text.as_bytes(), b',', &columns)
    }

    fn rows(rows: &[&[f64]]) -> Data {
        Data::Array(rows.iter().map(|row| Data::Reals(row.to_vec())).collect())
    }

    #[test]
    fn tables_with_and_without_names_are_read() {
        let expected = rows(&[&[1.0, -2.5], &[1e-3, f64::INFINITY]]);
        assert_eq!(table("1,-2.5\n1e-3,inf\n", &[]), Ok(expected.clone()));
        assert_eq!(table("\u{feff}a, b\r\n\r\n 1 ,-2.5\r\n1e-3,+inf.0", &[]), Ok(expected));
        assert_eq!(table("a,b,c\n1,x,2\n3,y,4\n", &["c"]), Ok(Data::Reals(vec![2.0, 4.0])));
        assert_eq!(table("a,b,c\n1,x,2\n3,y,4\n", &["c", "a"]), Ok(rows(&[&[2.0, 1.0], &[4.0, 3.0]])));
        assert_eq!(table("1,2\n3,4\n", &["2"]), Ok(Data::Reals(vec![2.0, 4.0])));
        assert_eq!(
            table("a,\"b, with \"\"quotes\"\"\"\n1,\"2\"\n", &["b, with \"quotes\""]),
            Ok(Data::Reals(vec![2.0]))
        );
        assert_eq!(table("a,b\n", &[]), Ok(Data::Reals(vec![])));
        assert_eq!(table("5\n", &[]), Ok(rows(&[&[5.0]])));
    }

    #[test]
    fn numbers_may_be_missing() {
        let table = Table::with_gaps(b"time,\"height\"\r\n0,1.5\r\n\r\n1e-3,\n").unwrap();
        assert_eq!(table.names, Some(vec!["time".to_owned(), "height".to_owned()]));
        assert_eq!((table.rows.len(), table.rows[0].as_slice(), table.rows[1][0]), (2, &[0.0, 1.5][..], 1e-3));
        assert!(table.rows[1][1].is_nan());
        let plain = Table::with_gaps(b"1,\n3,4").unwrap();
        assert_eq!((plain.names, plain.rows.len()), (None, 2));
        assert_eq!(Table::with_gaps(b"1,x\n2,").unwrap().rows.len(), 1);
    }

    #[test]
    fn errors_have_a_place() {
        let of = |text: &str, columns: &[&str]| {
            let error = table(text, columns).unwrap_err();
            let at = error.place.map(|(begin, length)| text.get(begin..begin + length).unwrap().to_owned());
            (error.message, at)
        };
        let (message, at) = of("a,b\n1,2\n3,\"x,y\"\n", &[]);
        assert_eq!(
            (message.as_str(), at.as_deref()),
            ("a number is expected in the column `b`, found \"x,y\"", Some("\"x,y\""))
        );
        let (message, at) = of("\u{feff}1,2\n\n\n3,,\n", &[]);
        assert_eq!((message.as_str(), at.as_deref()), ("a row of 3 cells, where the first has 2", Some("3,,")));
        let (message, at) = of("a,b\n1,\n", &["b"]);
        assert_eq!(
            (message.as_str(), at.as_deref()),
            ("a number is expected in the column `b`, found an empty cell", Some("\n"))
        );
        assert_eq!(of("a,b\n1,2\n", &["c"]).0, "there is no column `c`");
        assert_eq!(of("a,a\n1,2\n", &["a"]).0, "there are several columns `a`");
        assert_eq!(of("1,2\n", &["3"]).0, "there is no column `3`");
        assert_eq!(of("\n \n", &[]).0, "the table is empty");
    }
}
