//! Tables: rows of numbers with a separator between them (RFC 4180).
//!
//! The first row names the columns if one of its cells is a word. A first row with words in which a cell is missing, or begins
//! like a number and is none, could be data as well, and is an error where that cannot be told: so no row of data is lost. Empty
//! lines and lines that begin with `#` do not count. A table whose cells another character separates is an error that names it, since
//! such a table often has commas in its numbers. A table that is read whole is the array of its rows; one column is the array of its numbers,
//! and several columns are rows of these.

use crate::cell::{Cell, ERRORS};
use crate::datum::{Data, DataError, array};
use crate::request::Separator;
use crate::separators;
use csv::{ByteRecord, ReaderBuilder, Terminator};
use std::borrow::Cow;

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
    /// Reads a whole table, in which numbers may be missing: they are NaN.
    ///
    /// # Errors
    /// A row with another number of cells, or a cell that is no number, with its place; a table without a row.
    pub fn with_gaps(bytes: &[u8], separator: Separator) -> Result<Table, DataError> {
        TableText::new(bytes, separator, Gaps::Missing).read_or_explain(&[])
    }
}

/// Reads a table, or some of its columns, as data.
pub(crate) fn read(bytes: &[u8], separator: Separator, columns: &[String]) -> Result<Data, DataError> {
    let Table { rows, .. } = TableText::new(bytes, separator, Gaps::Refused).read_or_explain(columns)?;
    Ok(match columns.len() {
        1 => Data::Reals(rows.into_iter().flatten().collect()),
        _ => array(rows.into_iter().map(Data::Reals).collect()),
    })
}

/// The meaning of a cell whose number is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gaps {
    /// An error.
    Refused,
    /// The number NaN.
    Missing,
}

/// The text of a table behind a byte order mark, with line ends in the place of comments.
struct TableText<'file> {
    text: Cow<'file, [u8]>,
    /// The bytes of the mark.
    mark: usize,
    separator: u8,
    gaps: Gaps,
}

impl TableText<'_> {
    fn new(bytes: &[u8], Separator(separator): Separator, gaps: Gaps) -> TableText<'_> {
        let (mark, text) = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) => (bytes.len() - rest.len(), rest),
            None => (0, bytes),
        };
        TableText { text: without_comments(text, separator), mark, separator, gaps }
    }

    /// Reads the columns that are wanted. If that fails, or there is no row, because another character stands between the cells, the
    /// error says so.
    fn read_or_explain(&self, wanted: &[String]) -> Result<Table, DataError> {
        match self.read(wanted) {
            Ok(table) if !table.rows.is_empty() => Ok(table),
            other => match separators::other(&self.text, self.separator) {
                Some(error) => Err(error.behind(self.mark)),
                None => other,
            },
        }
    }

    /// Reads the columns that are wanted, or all of them.
    fn read(&self, wanted: &[String]) -> Result<Table, DataError> {
        let mut reader = ReaderBuilder::new()
            .delimiter(self.separator)
            .has_headers(false)
            .flexible(true)
            .terminator(Terminator::CRLF)
            .from_reader(&*self.text);
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
                    let names_columns = self.names_columns(&record, wanted)?;
                    let head: Option<Vec<String>> = names_columns.then(|| record.iter().map(text).collect());
                    let chosen = self.columns(wanted, head.as_deref(), width)?;
                    let chosen = columns.insert(chosen);
                    names = head;
                    if names.is_some() {
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

    /// Returns true if the first row names the columns.
    fn names_columns(&self, record: &ByteRecord, wanted: &[String]) -> Result<bool, DataError> {
        let cells: Vec<Cell> = record.iter().map(Cell::of).collect();
        let is_word = |cell: &Cell| matches!(cell, Cell::HalfNumber | Cell::Word);
        let Some(doubtful) = cells.iter().position(|cell| matches!(cell, Cell::HalfNumber | Cell::Missing)) else {
            return Ok(cells.iter().any(is_word));
        };
        let is_wanted = cells.iter().zip(record).any(|(cell, own)| is_word(cell) && wanted.contains(&text(own)));
        let has_numbers = cells.iter().any(|cell| matches!(cell, Cell::Number(_)));
        // Rows of words alone, of which all columns are wanted, are told apart by the rows behind them.
        if !cells.iter().any(is_word) || is_wanted || (wanted.is_empty() && !has_numbers) {
            return Ok(cells.iter().any(is_word));
        }
        let message = format!("the first row has {}: it may be names of columns or data", found(record, doubtful));
        let (begin, end) = self.cell(record, doubtful);
        Err(DataError::new(message).at(begin, end.saturating_sub(begin).max(1)).with_hint(WHERE_A_NUMBER_IS_MISSING))
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
        let own = record.get(column).unwrap_or(&[]);
        let hint = match (Cell::of(own), self.gaps) {
            (Cell::Number(number), _) => return Ok(number),
            (Cell::Missing, Gaps::Missing) => return Ok(f64::NAN),
            (Cell::Missing, Gaps::Refused) => Some(WHERE_A_NUMBER_IS_MISSING),
            (Cell::HalfNumber, _) if text(own).replacen(',', ".", 1).parse::<f64>().is_ok() => {
                Some("a number has a point before its fraction, as in 1.5")
            }
            (Cell::HalfNumber | Cell::Word, Gaps::Refused) => {
                Some("columns that are numbers are chosen as in --data x=FILE.csv:first,second")
            }
            (Cell::HalfNumber | Cell::Word, Gaps::Missing) => None,
        };
        let of = names.and_then(|names| names.get(column)).map(|name| format!(" in the column `{name}`"));
        let message = format!("a number is expected{}, found {}", of.unwrap_or_default(), found(record, column));
        let (begin, end) = self.cell(record, column);
        let error = DataError::new(message).at(begin, end.saturating_sub(begin).max(1));
        Err(match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
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
                byte if *byte == self.separator && !is_quoted => {
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

/// The suggestion for a cell without a number.
const WHERE_A_NUMBER_IS_MISSING: &str =
    "NaN stands for a number that is missing; a first row of words, one for each column, names the columns";

/// The cell in a message.
fn found(record: &ByteRecord, column: usize) -> String {
    match text(record.get(column).unwrap_or(&[])).as_str() {
        "" => "an empty cell".to_owned(),
        text => format!("\"{}\"", text.chars().take(40).collect::<String>().escape_debug()),
    }
}

/// The text with line ends in the place of lines that begin with `#`, so that places stay. A line whose first cell is `#`
/// alone, or an error of a spreadsheet, is a row.
fn without_comments(text: &[u8], separator: u8) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(text);
    let (mut begin, mut is_quoted) = (0, false);
    while begin < text.len() {
        let rest = text.get(begin..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| !matches!(byte, b'\r' | b'\n')).count();
        let line = rest.get(..length).unwrap_or_default();
        if !is_quoted && is_comment(line, separator) {
            text.to_mut().iter_mut().skip(begin).take(length).for_each(|byte| *byte = b'\n');
        } else {
            is_quoted ^= line.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
        }
        begin += length + 1;
    }
    text
}

fn is_comment(line: &[u8], separator: u8) -> bool {
    let line = line.trim_ascii_start();
    let first = line.split(|byte| *byte == separator).next().unwrap_or_default();
    let is_cell = line.contains(&separator) && first == b"#";
    let is_error = std::str::from_utf8(first).is_ok_and(|first| ERRORS.contains(&first.trim()));
    line.starts_with(b"#") && !is_cell && !is_error
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
        read(text.as_bytes(), Separator::COMMA, &columns)
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
        let table = Table::with_gaps(b"time,\"height\"\r\n0,1.5\r\n\r\n1e-3,\n", Separator::COMMA).unwrap();
        assert_eq!(table.names, Some(vec!["time".to_owned(), "height".to_owned()]));
        assert_eq!((table.rows.len(), table.rows[0].as_slice(), table.rows[1][0]), (2, &[0.0, 1.5][..], 1e-3));
        assert!(table.rows[1][1].is_nan());
        let plain = Table::with_gaps(b"1,\n3,4", Separator::COMMA).unwrap();
        assert_eq!((plain.names, plain.rows.len()), (None, 2));
        assert_eq!(Table::with_gaps(b"1,x\n2,NA", Separator::COMMA).unwrap().rows.len(), 1);
    }

    #[test]
    fn no_first_row_of_data_is_lost() {
        let refused = |text: &str, columns: &[&str]| {
            let error = table(text, columns).unwrap_err();
            let at = error.place.map(|(begin, length)| text.get(begin..begin + length).unwrap().to_owned());
            assert!(error.hint.as_deref().unwrap().contains("NaN"), "{text}");
            (error.message, at.unwrap())
        };
        let empty = |text| format!("a number is expected, found {text}");
        for (text, message, at) in [
            ("1,,3\n4,5,6\n", empty("an empty cell"), ","),
            ("1,NA\n4,5\n", empty("\"NA\""), "NA"),
            ("#N/A,1\n4,5\n", empty("\"#N/A\""), "#N/A"),
            (",\n1,2\n", empty("an empty cell"), ","),
        ] {
            assert_eq!(refused(text, &[]), (message, at.to_owned()), "{text}");
        }
        for (text, found) in [
            ("Ann,NA,3\nBob,1,2\n", "\"NA\""),
            ("Ann,NA\nBob,1\n", "\"NA\""),
            ("2x,3\n4,5\n", "\"2x\""),
            ("2024-01-01,3\n2024-01-02,4\n", "\"2024-01-01\""),
        ] {
            let message = format!("the first row has {found}: it may be names of columns or data");
            assert_eq!(refused(text, &["2"]).0, message);
        }
        let names = |text: &str, column: &str| table(text, &[column]).unwrap();
        assert_eq!(names("1,,3\n4,5,6\n", "3"), Data::Reals(vec![3.0, 6.0]));
        assert_eq!(names(",a,b\n0,1,2\n", "b"), Data::Reals(vec![2.0]));
        assert_eq!(names(",a,2000\n0,1,2\n", "a"), Data::Reals(vec![1.0]));
        assert_eq!(names("1st,2nd\n1,2\n", "2nd"), Data::Reals(vec![2.0]));
    }

    #[test]
    fn comments_and_separators() {
        let with = |text: &str, separator: &str| read(text.as_bytes(), separator.parse().unwrap(), &[]);
        let expected = Ok(rows(&[&[1.0, 2.5], &[3.0, 4.0]]));
        for (text, separator) in [
            ("# by hand\n#x;y\n1;2.5\n # \"more\"\n3;4\n#end", ";"),
            ("a|b\r#\r1|2.5\r3|4", "|"),
            ("1\t2.5\n3\t4\n", "tab"),
            ("1 2.5\n3 4\n", " "),
        ] {
            assert_eq!(with(text, separator), expected, "{text}");
        }
        assert_eq!(table("#,a\n1,2\n", &["a"]), Ok(Data::Reals(vec![2.0])));
        assert_eq!(table("\"#\",a\n1,2\n", &["#"]), Ok(Data::Reals(vec![1.0])));
        assert_eq!(table("a,b\n\"x\n# y\",2\n", &["b"]), Ok(Data::Reals(vec![2.0])));
        let error = with("1;2\n1,5;2\n", ";").unwrap_err();
        assert_eq!((error.place, error.hint.is_some_and(|hint| hint.contains("1.5"))), (Some((4, 3)), true));
        let error = read(b"# one\n1,2\n3,x\n", Separator::COMMA, &[]).unwrap_err();
        assert_eq!(error.place, Some((12, 1)));
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
