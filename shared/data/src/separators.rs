//! The separator that a table has where another one is expected: the error of such a table names it. It is not read by a guess,
//! since tables with other separators often have commas in their numbers.

use crate::cell::Cell;
use crate::datum::DataError;

/// The number of lines from which another separator is told.
const MOST_LINES: usize = 100;

/// The separators of other programs, in words, and what reads a table with them.
const SEPARATORS: [(u8, &str, &str); 5] = [
    (b'\t', "tabs", "`--separator tab` reads it, or a name that ends with .tsv"),
    (
        b';',
        "`;`",
        "`--separator ';'` reads a file .csv with these; a number has a point before its fraction, as in 1.5",
    ),
    (b'|', "`|`", "`--separator '|'` reads a file .csv with these"),
    (b',', "`,`", "a file with these has a name that ends with .csv and needs no --separator"),
    (b' ', "blanks", "`--separator ' '` reads a file .csv with one blank between the cells"),
];

/// The error of a table whose cells another character separates; none if there is no such character. The text has no comments.
pub(crate) fn other(text: &[u8], expected: u8) -> Option<DataError> {
    let lines = text.split(|byte| matches!(byte, b'\r' | b'\n')).filter(|line| !line.trim_ascii().is_empty());
    let lines: Vec<&[u8]> = lines.take(MOST_LINES).collect();
    let is_there = lines.iter().any(|line| line.contains(&expected));
    // Commas may be parts of numbers in a table with semicolons or tabs.
    let may_be = |other: u8| other != expected && (!is_there || expected == b',' && matches!(other, b';' | b'\t'));
    let mut others = SEPARATORS.into_iter().filter(|(other, ..)| may_be(*other));
    let (_, shown, hint) = others.find(|(other, ..)| separates(*other, &lines))?;
    let known = SEPARATORS.into_iter().find(|(own, ..)| *own == expected);
    let expected = known.map_or_else(|| format!("`{}`", char::from(expected)), |(_, shown, _)| shown.to_owned());
    let first = lines.first()?;
    let begin = text.windows(first.len()).position(|part| part == *first).unwrap_or(0);
    let message = format!("the cells of this table are separated by {shown}, and not by {expected}");
    Some(DataError::new(message).at(begin, first.len()).with_hint(hint))
}

/// Returns true if a character separates the same number of cells in each line, and some in the last one are numbers: all of
/// them if the character is a blank. Two numbers with a comma between may be one with its fraction.
fn separates(separator: u8, lines: &[&[u8]]) -> bool {
    let is_number = |cell: &[u8]| {
        let text =
            String::from_utf8_lossy(cell).trim().trim_matches('"').replacen(',', ".", usize::from(separator != b','));
        matches!(Cell::of(text.as_bytes()), Cell::Number(_))
    };
    let rows: Vec<Vec<&[u8]>> = lines.iter().map(|line| cells(line, separator)).collect();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    let is_fraction = separator == b',' && first.len() == 2 && first.iter().all(|cell| is_number(cell));
    let mut numbers = last.iter().map(|cell| is_number(cell));
    let has_numbers =
        if separator == b' ' { numbers.all(|is_number| is_number) } else { numbers.any(|is_number| is_number) };
    first.len() > 1 && rows.iter().all(|row| row.len() == first.len()) && has_numbers && !is_fraction
}

/// The cells of a line.
fn cells(line: &[u8], separator: u8) -> Vec<&[u8]> {
    let mut is_quoted = false;
    let parts = line.split(|byte| {
        is_quoted ^= *byte == b'"';
        *byte == separator && !is_quoted
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use crate::csv_file::read;
    use crate::datum::Data;
    use crate::request::Separator;

    #[test]
    fn another_separator_is_told() {
        let with = |text: &str, separator: Separator, columns: &[&str]| {
            let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
            let error = read(text.as_bytes(), separator, &columns).unwrap_err();
            let at = error.place.map(|(begin, length)| text.get(begin..begin + length).unwrap().to_owned());
            (error.message, at.unwrap_or_default(), error.hint.unwrap_or_default())
        };
        let comma = |text: &str, columns: &[&str]| with(text, Separator::COMMA, columns);
        for (text, columns, found, option) in [
            ("a;b\n1;2\n", &[][..], "`;`", "';'"),
            ("a;b\n1;2\n", &["b"], "`;`", "';'"),
            ("1;2\n", &[], "`;`", "';'"),
            ("\u{feff}# x\n\n1,5;2,5\n2,0;3,1\n", &[], "`;`", "';'"),
            ("name;price\n\"a;b\";1,5\n", &["price"], "`;`", "';'"),
            ("a\tb\n1\t2\n", &[], "tabs", "tab"),
            ("1|2\n3|4\n", &[], "`|`", "'|'"),
            ("1.5 2\n3 4e0\n", &[], "blanks", "' '"),
        ] {
            let (message, at, hint) = comma(text, columns);
            assert_eq!(message, format!("the cells of this table are separated by {found}, and not by `,`"));
            assert!(hint.contains(&format!("--separator {option}")), "{text}: {hint}");
            assert_eq!(Some(at.as_str()), text.trim_start_matches('\u{feff}').lines().find(|line| line.contains(&at)));
        }
        assert!(with("a,b\n1,2\n", Separator::TAB, &[]).0.contains("by `,`, and not by tabs"));
        assert!(with("a,b\n1,2\n", Separator(b';'), &["a"]).0.contains("by `,`, and not by `;`"));
        // Errors of tables whose separator is right, and of numbers with a comma.
        for (text, separator, message) in [
            ("1,2\n3,x;y\n", Separator::COMMA, "found \"x;y\""),
            ("a,b\n1,2024-01-01 10:00\n", Separator::COMMA, "found \"2024-01-01 10:00\""),
            ("1,5\n2,5\n", Separator::TAB, "found \"2,5\""),
            ("1,5;2\n", Separator(b';'), "has \"1,5\""),
        ] {
            let found = with(text, separator, &[]).0;
            assert!(found.contains(message), "{text} {found}");
        }
        let rows = Data::Array(vec![Data::Reals(vec![1.0]), Data::Reals(vec![2.0])]);
        assert_eq!(read(b"a;b\n1\n2\n", Separator::COMMA, &[]), Ok(rows));
    }
}
