//! The reader of lines: text to statements' lines, without comments and with continuations joined.
//!
//! A line of a statement is one piece of the text, or several that are joined by blanks; [`Line::source`] maps its
//! offsets back to those of the text. The rules accept both printings of fixed form: with statements from column 7, and
//! with statements from column 1.
//!
//! | line | meaning |
//! |---|---|
//! | `*` in column 1; `C` or `c` in column 1, if no statement goes on like the line; blank; only `!...` | a comment |
//! | five blanks and a mark in column 6 that is neither a blank, a letter nor 0 | continues the last line |
//! | first character other than a blank is `+` or `&` | continues the last line |
//! | a line that ends with `&` | is continued by the next, of which only `&` is a mark |
//! | leading digits | the label of the statement |

use std::borrow::Cow;
use vlad_core::source::line_ends;

/// A statement's line.
#[derive(Clone, Debug)]
pub struct Line<'text> {
    /// The label, with its offset and length.
    pub label: Option<(u32, u32, u32)>,
    /// The characters of the statement, without its label.
    pub text: Cow<'text, str>,
    /// The beginnings of pieces: the offset in `text`, and that in the source, ascending.
    pieces: Vec<(u32, u32)>,
}

impl Line<'_> {
    /// Returns the offset in the source of an offset in the line's text; the end of a piece belongs to it.
    pub fn source(&self, offset: u32) -> u32 {
        let after = self.pieces.partition_point(|(at, _)| *at <= offset);
        let (at, source) = after.checked_sub(1).and_then(|index| self.pieces.get(index)).copied().unwrap_or((0, 0));
        source + (offset - at)
    }

    /// Returns the offset in the source of the end of a token, which is that after its last character.
    pub fn source_end(&self, end: u32) -> u32 {
        if end == 0 { self.source(0) } else { self.source(end - 1) + 1 }
    }
}

/// An error of the reader: its range in the source and the message.
pub type LineError = (u32, u32, &'static str);

/// The most digits of a label.
const LABEL_DIGITS: usize = 5;

/// Splits a text into the lines of statements.
pub fn lines(text: &str) -> (Vec<Line<'_>>, Vec<LineError>) {
    let mut reader = Reader { lines: Vec::with_capacity(text.len() / 24), errors: vec![], joins: false, quote: None };
    let mut start = 0;
    for (end, next) in line_ends(text).chain([(text.len(), text.len())]) {
        reader.line(text.get(start..end).unwrap_or(""), start as u32);
        start = next;
    }
    (reader.lines, reader.errors)
}

struct Reader<'text> {
    lines: Vec<Line<'text>>,
    errors: Vec<LineError>,
    /// True if the last line ended with `&`.
    joins: bool,
    /// The quote that is open at the end of the last line.
    quote: Option<char>,
}

impl<'text> Reader<'text> {
    fn line(&mut self, line: &'text str, start: u32) {
        if is_comment(line, self.joins) {
            return;
        }
        let rest = line.trim_start_matches([' ', '\t', '\u{feff}']);
        if rest.is_empty() || rest.starts_with('!') {
            return;
        }
        let column = line.len() - rest.len();
        let mark = rest.chars().next().unwrap_or(' ');
        let is_marked = column == 5 && line.starts_with("     ") && !mark.is_alphabetic() && mark != '0';
        let (continues, skipped) = match mark {
            '&' => (true, 1),
            // Behind `&` a sign belongs to the expression.
            '+' if !self.joins => (true, 1),
            _ if is_marked && !self.joins => (true, mark.len_utf8()),
            '0' if column == 5 && !self.joins => (false, 1),
            _ => (self.joins, 0),
        };
        let at = start + (column + skipped) as u32;
        let piece = rest.get(skipped..).unwrap_or("");
        match (continues, self.lines.last_mut()) {
            (true, Some(last)) => {
                let open = self.quote;
                let (piece, joins, quote) = trimmed(piece, open);
                (self.joins, self.quote) = (joins, quote);
                extend(last, piece, at, open);
            }
            (true, None) => self.errors.push((at - skipped as u32, at.max(1), "there is no statement to continue")),
            (false, _) => self.begin(piece, at),
        }
    }

    /// Begins a statement, of which there is at least one character.
    fn begin(&mut self, piece: &'text str, at: u32) {
        let digits = piece.len() - piece.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let (number, rest) = piece.split_at(digits);
        let statement = rest.trim_start_matches([' ', '\t']);
        let label = match (digits, number.parse::<u32>()) {
            (0, _) => None,
            (..=LABEL_DIGITS, Ok(label @ 1..)) => Some((label, at, digits as u32)),
            _ => {
                self.errors.push((at, at + digits as u32, "a label is a number from 1 to 99999"));
                None
            }
        };
        let start = at + (piece.len() - statement.len()) as u32;
        let (text, joins, quote) = trimmed(statement, None);
        (self.joins, self.quote) = (joins, quote);
        if text.is_empty() && !joins {
            if label.is_some() {
                self.errors.push((at, at + digits as u32, "no statement stands behind this label"));
            }
            return;
        }
        self.lines.push(Line { label, text: Cow::Borrowed(text), pieces: vec![(0, start)] });
    }
}

/// Joins a piece to a line; within quotes there is no blank between them.
fn extend<'text>(line: &mut Line<'text>, piece: &'text str, at: u32, quote: Option<char>) {
    let text = line.text.to_mut();
    if quote.is_none() {
        text.push(' ');
    }
    line.pieces.push((text.len() as u32, at));
    text.push_str(piece);
}

/// Returns true if a line is a comment by its first characters. Where it may continue an expression, only a blank behind
/// the first says so.
fn is_comment(line: &str, joins: bool) -> bool {
    let mut characters = line.chars();
    let Some(first @ ('C' | 'c' | '*')) = characters.next() else { return false };
    match characters.next() {
        None | Some(' ' | '\t') => true,
        _ if joins => false,
        _ if first == '*' => true,
        // A name goes on, or a statement that begins with the variable C.
        Some('=') => characters.next() == Some('='),
        Some(character) => !(character.is_alphanumeric() || matches!(character, '_' | '(')),
    }
}

/// Returns the quote that is open at the end of a text, given the one open at its beginning, and calls a function with
/// the offset of each `!` outside of quotes.
fn open_quote(text: &str, open: Option<char>, mut comment: impl FnMut(usize)) -> Option<char> {
    let mut quote = open;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, '!') => comment(at),
            _ => {}
        }
    }
    quote
}

/// Returns a piece without its comment, trailing `&` and blanks; whether it ended with `&`; and the quote that is open
/// at its end.
fn trimmed(piece: &str, open: Option<char>) -> (&str, bool, Option<char>) {
    let mut first = None;
    let is_plain = open.is_none() && !piece.bytes().any(|byte| matches!(byte, b'!' | b'\'' | b'"'));
    let quote = if is_plain { None } else { open_quote(piece, open, |at| first = first.or(Some(at))) };
    let text = piece.get(..first.unwrap_or(piece.len())).unwrap_or(piece);
    let quote = if first.is_some() { None } else { quote };
    let text = if quote.is_some() { text } else { text.trim_end_matches([' ', '\t']) };
    match text.strip_suffix('&') {
        Some(before) => (before, true, quote),
        None => (text, false, quote),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Option<u32>, String)> {
        let (lines, errors) = lines(text);
        assert!(errors.is_empty(), "{errors:?}");
        lines.into_iter().map(|line| (line.label.map(|label| label.0), line.text.into_owned())).collect()
    }

    fn line(label: impl Into<Option<u32>>, text: &str) -> (Option<u32>, String) {
        (label.into(), text.to_owned())
    }

    #[test]
    fn both_printings_give_the_same_lines() {
        let free = "C  a comment\nDO 1669 I=1,N\n  CALL P(X,\n+Y)\n1669  X = 1\nCALL Q\n";
        let fixed = "      DO 1669 I=1,N\n        CALL P(X,\n     +Y)\n*\n 1669 X = 1\nc\n      CALL Q ! last\n";
        let expected =
            [line(None, "DO 1669 I=1,N"), line(None, "CALL P(X, Y)"), line(1669, "X = 1"), line(None, "CALL Q")];
        assert_eq!(read(free), expected);
        assert_eq!(read(fixed), expected);
    }

    #[test]
    fn marks_and_ampersands_continue() {
        assert_eq!(read("X = 1 &\n\n! between\n  + 2"), [line(None, "X = 1  + 2")]);
        assert_eq!(read("X = 1 &\n & + 2\n+ + 3"), [line(None, "X = 1   + 2  + 3")]);
        assert_eq!(read("X = 1 + &  ! why\nC no\n  2"), [line(None, "X = 1 +  2")]);
        assert_eq!(read("      X = 1\n     1 + 2\n     $- 3"), [line(None, "X = 1  + 2 - 3")]);
    }

    #[test]
    fn a_mark_of_comment_within_quotes_is_text() {
        assert_eq!(read("PRINT *, 'a!b' ! c"), [line(None, "PRINT *, 'a!b'")]);
        assert_eq!(read("PRINT *, 'it''s!' ! c"), [line(None, "PRINT *, 'it''s!'")]);
    }

    #[test]
    fn offsets_are_those_of_the_text() {
        let text = "  10 X = A +\n     + B";
        let (lines, _) = lines(text);
        let line = &lines[0];
        assert_eq!(line.text, "X = A +  B");
        assert_eq!(&text[line.source(9) as usize..line.source_end(10) as usize], "B");
        assert_eq!(line.label, Some((10, 2, 2)));
    }

    #[test]
    fn labels_are_checked() {
        assert_eq!(lines("123456 X = 1").1, [(0, 6, "a label is a number from 1 to 99999")]);
        assert_eq!(lines("0 X = 1").1.len(), 1);
        assert_eq!(lines("10\n").1, [(0, 2, "no statement stands behind this label")]);
        assert_eq!(lines("+ 1").1.len(), 1);
    }
}
