//! Conversion of text from programs to printable text whose width in columns is known.

use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// The distance of tab stops.
const TAB: usize = 4;

/// Returns the printable form of a character at a column, and its width in columns.
pub(super) fn shown(character: char, column: usize) -> (Cow<'static, str>, usize) {
    if character == '\t' {
        let width = TAB - column % TAB;
        return (Cow::Owned(" ".repeat(width)), width);
    }
    if is_control_like(character) {
        let escape = match character {
            '\0' => "\\0".to_owned(),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            _ => character.escape_unicode().to_string(),
        };
        let width = escape.len();
        return (Cow::Owned(escape), width);
    }
    (Cow::Owned(character.to_string()), character.width().unwrap_or(0))
}

/// Returns the cost of a character in a bounded space: its width, but at least one, so that characters of no width are
/// bounded too.
pub(super) fn cost(character: char) -> usize {
    shown(character, 0).1.max(1)
}

/// Returns true if a terminal would interpret the character, or hide it, rather than show it: controls, marks of
/// writing direction, invisible spaces and line separators.
fn is_control_like(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns a text on one line; of a long one, some `most` columns from its beginning and its end.
pub(super) fn printable(text: &str, most: usize) -> String {
    let (head, rest) = taken(text.chars(), most);
    if rest.is_none() {
        return head.into_iter().map(|character| shown(character, 0).0).collect();
    }
    let (head, _) = taken(text.chars(), most - most / 3);
    let (mut tail, _) = taken(text.chars().rev(), most / 3);
    tail.reverse();
    let shown_text = |part: Vec<char>| part.into_iter().map(|character| shown(character, 0).0).collect::<String>();
    format!("{} ... {}", shown_text(head), shown_text(tail))
}

/// Returns a text with each run of white space as one blank; of a long one, the first `most` columns.
pub(crate) fn collapsed(text: &str, most: usize) -> String {
    let mut after_blank = true;
    let characters = text.chars().filter_map(move |character| {
        let blank = character.is_whitespace();
        let dropped = blank && after_blank;
        after_blank = blank;
        if dropped { None } else { Some(if blank { ' ' } else { character }) }
    });
    let (head, rest) = taken(characters, most);
    let mut out: String = head.into_iter().map(|character| shown(character, 0).0).collect();
    out.truncate(out.trim_end().len());
    if rest.is_some() {
        out.push_str(" ...");
    }
    out
}

/// Returns the characters that fit, and the first one that does not.
fn taken(characters: impl Iterator<Item = char>, most: usize) -> (Vec<char>, Option<char>) {
    let mut room = most;
    let mut head = Vec::new();
    for character in characters {
        match room.checked_sub(cost(character)) {
            Some(left) => room = left,
            None => return (head, Some(character)),
        }
        head.push(character);
    }
    (head, None)
}
