//! Rows: lists whose items are printed on one line, with a blank between them. An item is a real, a boolean, or a text,
//! which is a vector of character codes.
//!
//! A character code is a whole real that is a Unicode scalar value, and no control character but the tab: so a row is one
//! line, and what it prints is text. Lifted reals count as their primals.

use crate::value::{Elements, Value, Vector};
use std::io::{self, Write};
use vlad_table::internal_bug;
use vlad_table::number::{self, Notation};

/// The part of a value for which it is no row.
#[derive(Clone, Copy, Debug)]
pub enum Wrong<'value> {
    /// A value that is no list.
    List(&'value Value),
    /// An item of the list that is neither a real nor a boolean nor a text.
    Item(&'value Value),
}

/// An item of a row.
enum Item<'value> {
    Real(f64),
    Boolean(bool),
    Text(&'value Vector),
}

/// Checks that a value is a row.
///
/// # Errors
/// Returns the value if it is no list; else its first item that is none of a row.
pub fn check(value: &Value) -> Result<(), Wrong<'_>> {
    let mut rest = value;
    let mut wrong_item = None;
    while let Value::Pair(pair) = rest {
        if wrong_item.is_none() && !item(&pair.first).is_some_and(|item| is_printable(&item)) {
            wrong_item = Some(&pair.first);
        }
        rest = &pair.second;
    }
    match (rest, wrong_item) {
        (Value::Nil, None) => Ok(()),
        (Value::Nil, Some(wrong)) => Err(Wrong::Item(wrong)),
        _ => Err(Wrong::List(value)),
    }
}

/// Writes a row without a line end.
///
/// # Errors
/// The error of the writer.
pub fn write(out: &mut dyn Write, row: &Value, notation: Notation) -> io::Result<()> {
    let mut rest = row;
    let mut between: &[u8] = b"";
    while let Value::Pair(pair) = rest {
        out.write_all(between)?;
        match item(&pair.first) {
            Some(Item::Real(real)) => number::write(out, real, notation)?,
            Some(Item::Boolean(boolean)) => out.write_all(if boolean { b"#t" } else { b"#f" })?,
            Some(Item::Text(text)) => write_text(out, text)?,
            None => not_checked(),
        }
        between = b" ";
        rest = &pair.second;
    }
    Ok(())
}

/// Writes the characters of a text.
///
/// # Errors
/// The error of the writer.
pub fn write_text(out: &mut dyn Write, text: &Vector) -> io::Result<()> {
    let mut bytes = [0; 4];
    for code in codes(text) {
        let Some(character) = code.and_then(character) else { not_checked() };
        out.write_all(character.encode_utf8(&mut bytes).as_bytes())?;
    }
    Ok(())
}

fn not_checked() -> ! {
    internal_bug!("a value is printed as a row after it was checked")
}

fn item(value: &Value) -> Option<Item<'_>> {
    match value {
        Value::Real(_) | Value::Lifted(_) => value.base().map(Item::Real),
        Value::Boolean(boolean) => Some(Item::Boolean(*boolean)),
        Value::Vector(vector) => Some(Item::Text(vector)),
        Value::Nil
        | Value::Pair(_)
        | Value::Tagged(_)
        | Value::Capsule(_)
        | Value::Primitive(_)
        | Value::Procedure { .. } => None,
    }
}

fn is_printable(item: &Item<'_>) -> bool {
    match item {
        Item::Real(_) | Item::Boolean(_) => true,
        Item::Text(text) => is_text(text),
    }
}

/// Returns true if the elements of a vector are codes of characters that can be printed.
pub fn is_text(vector: &Vector) -> bool {
    codes(vector).all(|code| code.and_then(character).is_some())
}

/// The elements of a vector as reals; none for each that is no real.
fn codes(text: &Vector) -> impl Iterator<Item = Option<f64>> {
    (0..text.len()).map(|index| match text.elements() {
        Elements::Reals(reals) => reals.base(index),
        Elements::Values(values) => values.get(index).and_then(Value::base),
    })
}

/// The character of a code; none for a code of nothing that can be printed on one line.
fn character(code: f64) -> Option<char> {
    let number = code as u32;
    // A fraction, a negative number and NaN differ from the number that the conversion makes of them.
    let is_whole = f64::from(number) == code;
    char::from_u32(number).filter(|character| is_whole && (!character.is_control() || *character == '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_whole_scalar_values_without_controls() {
        for (code, expected) in
            [(65.0, Some('A')), (9.0, Some('\t')), (955.0, Some('λ')), (1114111.0, Some('\u{10FFFF}'))]
        {
            assert_eq!(character(code), expected);
        }
        for code in [65.5, -65.0, f64::NAN, f64::INFINITY, 55296.0, 1114112.0, 4294967361.0, 10.0, 0.0, 127.0, 155.0] {
            assert_eq!(character(code), None, "{code}");
        }
    }
}
