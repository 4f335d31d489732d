//! The text of a JSON file for the reader of JSON: without a byte order mark, and with a text in the place of each number
//! that is not finite.
//!
//! RFC 8259 has no such numbers, and programs write them all the same: Python as `NaN`, `Infinity` and `-Infinity`, VLAD as
//! texts. A number beyond the greatest double is an infinity, as in tables and in programs. [`not_finite`] reads the texts.

use crate::datum::DataError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::de::SliceRead;
use serde_json::{Deserializer, Value};
use std::borrow::Cow;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The digits of the greatest double: a number without an exponent is beyond it only if it has more.
const MOST_DIGITS: usize = 308;

/// Returns the number that is not finite whose text this is, as VLAD or another program writes it.
pub fn not_finite(text: &str) -> Option<f64> {
    match text {
        "+inf.0" => Some(f64::INFINITY),
        "-inf.0" => Some(f64::NEG_INFINITY),
        "+nan.0" | "-nan.0" => Some(f64::NAN),
        _ => text.parse().ok().filter(|real: &f64| !real.is_finite()),
    }
}

/// Reads JSON as a tree.
///
/// # Errors
/// The place and the reason if it is no JSON.
pub fn json(bytes: &[u8]) -> Result<Value, DataError> {
    read(bytes, |reader| Value::deserialize(&mut *reader))
}

/// Reads JSON by a function, which is given the whole of it.
pub(crate) fn read<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Deserializer<SliceRead<'_>>) -> serde_json::Result<T>,
) -> Result<T, DataError> {
    let text = Text::of(bytes);
    let mut reader = Deserializer::from_slice(&text.standard);
    let read = read(&mut reader).and_then(|datum| reader.end().map(|()| datum));
    read.map_err(|error| {
        let message = error.to_string();
        // The place is in the message, too, and at its end.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
        let place = text.place(offset(&text.standard, error.line(), error.column()));
        DataError::new(message).at(place.min(bytes.len().saturating_sub(1)), 1)
    })
}

/// The offset of a line and a column, both from 1.
fn offset(bytes: &[u8], line: usize, column: usize) -> usize {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.by_ref().take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    before + column.saturating_sub(1)
}

/// The text of a file in standard JSON.
struct Text<'file> {
    standard: Cow<'file, [u8]>,
    /// The ends of what was replaced, as offsets in the standard text and in the file.
    replaced: Vec<(usize, usize)>,
}

impl Text<'_> {
    fn of(bytes: &[u8]) -> Text<'_> {
        let begin = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
        let (mut standard, mut replaced) = (Vec::new(), vec![(0, begin)]);
        let (mut at, mut copied) = (begin, begin);
        while let Some(byte) = bytes.get(at) {
            let rest = bytes.get(at..).unwrap_or_default();
            if *byte == b'"' {
                at += text_length(rest);
                continue;
            }
            let length = rest.iter().take_while(|byte| is_part_of_word(**byte)).count();
            let end = at + length.max(1);
            if let Some(text) = rest.get(..length).and_then(written_otherwise) {
                standard.extend(bytes.get(copied..at).unwrap_or_default());
                standard.extend(text.bytes());
                replaced.push((standard.len(), end));
                copied = end;
            }
            at = end;
        }
        let rest = bytes.get(copied..).unwrap_or_default();
        if standard.is_empty() {
            return Text { standard: Cow::Borrowed(rest), replaced };
        }
        standard.extend(rest);
        Text { standard: Cow::Owned(standard), replaced }
    }

    /// The offset in the file of one in the standard text.
    fn place(&self, offset: usize) -> usize {
        let before = self.replaced.iter().rev().find(|(standard, _)| *standard <= offset);
        before.map_or(offset, |(standard, file)| file + (offset - standard))
    }
}

/// The length of a text in quotes.
fn text_length(rest: &[u8]) -> usize {
    let mut is_escaped = false;
    let inside = rest.iter().skip(1).take_while(|byte| {
        let is_end = **byte == b'"' && !is_escaped;
        is_escaped = **byte == b'\\' && !is_escaped;
        !is_end
    });
    (inside.count() + 2).min(rest.len())
}

fn is_part_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
}

/// The text in quotes for a number that is not finite; none for other words.
fn written_otherwise(word: &[u8]) -> Option<&'static str> {
    match word {
        b"NaN" => return Some("\"+nan.0\""),
        b"Infinity" => return Some("\"+inf.0\""),
        b"-Infinity" => return Some("\"-inf.0\""),
        _ => {}
    }
    let may_be_beyond = word.len() > MOST_DIGITS || word.iter().any(|byte| matches!(byte, b'e' | b'E'));
    let real = may_be_beyond.then(|| std::str::from_utf8(word).ok()?.parse::<f64>().ok()).flatten()?;
    let is_beyond = real.is_infinite() && serde_json::from_slice::<IgnoredAny>(word).is_ok();
    is_beyond.then_some(if real > 0.0 { "\"+inf.0\"" } else { "\"-inf.0\"" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_numbers_become_texts() {
        let long = format!("-1{}", "0".repeat(309));
        for (text, expected) in [
            ("[NaN, -Infinity,Infinity]", "[\"+nan.0\", \"-inf.0\",\"+inf.0\"]"),
            ("\u{feff}[1e400, -1E+999, 1e308]", "[\"+inf.0\", \"-inf.0\", 1e308]"),
            ("{\"NaN\": \"1e400 \\\" NaN\"}", "{\"NaN\": \"1e400 \\\" NaN\"}"),
            (long.as_str(), "\"-inf.0\""),
            ("[01e400, 1.e400, NaNs, 1e-400]", "[01e400, 1.e400, NaNs, 1e-400]"),
            ("\"open NaN", "\"open NaN"),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8_lossy(&Text::of(text.as_bytes()).standard), expected, "{text}");
        }
    }

    #[test]
    fn errors_have_places_in_the_file() {
        for (text, wrong) in [
            ("[NaN, -Infinity, oops]", "oops"),
            ("\u{feff}[1, oops]", "oops"),
            ("[NaN,\n Infinity,\n 1e400, ?]", "?"),
            ("[oops, NaN]", "oops"),
        ] {
            let error = json(text.as_bytes()).unwrap_err();
            let begin = text.find(wrong).unwrap();
            let place = error.place.unwrap().0;
            assert!((begin..begin + wrong.len()).contains(&place), "{text}: {place}");
        }
    }

    #[test]
    fn texts_are_numbers_that_are_not_finite() {
        assert_eq!(not_finite("-inf.0"), Some(f64::NEG_INFINITY));
        assert_eq!(not_finite("Infinity"), Some(f64::INFINITY));
        assert!(not_finite("+nan.0").unwrap().is_nan() && not_finite("NaN").unwrap().is_nan());
        assert_eq!((not_finite("1"), not_finite("inf.0"), not_finite("")), (None, None, None));
    }
}
