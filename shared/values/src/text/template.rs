//! Templates: lines of texts with values between them, for `(write "x = " x)` and `(error "no root of " x)`.
//!
//! Such a line is a pair. Its first part, the template, is a list: an item is a text, a vector of character codes as in a
//! row ([`super::row`]), or `#t` in the place of a value. Its second part is the tuple of these values: the empty list
//! for none, the value itself for one. Texts are printed as they are, values as `write` prints them; two values that follow
//! each other have a blank between them.

use super::print::{summary, write_value};
use super::row;
use crate::value::{Value, Vector};
use std::io::{self, Write};
use vlad_core::Program;
use vlad_table::internal_bug;
use vlad_table::number::Notation;

/// An item of a line.
enum Item<'value> {
    Text(&'value Vector),
    Value(&'value Value),
}

/// Splits a line into the items and the tuple of the values; none if the value is no such line.
fn items(line: &Value) -> Option<(Vec<Item<'_>>, &Value)> {
    let Value::Pair(line) = line else { return None };
    let tuple = &line.second;
    let mut template = &line.first;
    let mut texts = Vec::new();
    while let Value::Pair(pair) = template {
        match &pair.first {
            Value::Boolean(true) => texts.push(None),
            Value::Vector(text) if row::is_text(text) => texts.push(Some(text)),
            _ => return None,
        }
        template = &pair.second;
    }
    if !matches!(template, Value::Nil) {
        return None;
    }
    let mut missing = texts.iter().filter(|text| text.is_none()).count();
    if missing == 0 && !matches!(tuple, Value::Nil) {
        return None;
    }
    let mut values = tuple;
    let mut items = Vec::new();
    for text in texts {
        items.push(match text {
            Some(text) => Item::Text(text),
            None if missing == 1 => Item::Value(values),
            None => {
                let Value::Pair(pair) = values else { return None };
                missing -= 1;
                values = &pair.second;
                Item::Value(&pair.first)
            }
        });
    }
    Some((items, tuple))
}

/// Returns the tuple of the values of a line; none if the value is no template with its values.
pub fn check(line: &Value) -> Option<&Value> {
    items(line).map(|(_, tuple)| tuple)
}

/// Writes a line without its end.
///
/// # Errors
/// The error of the writer.
pub fn write(out: &mut dyn Write, program: &Program, line: &Value, notation: Notation) -> io::Result<()> {
    each(out, line, |out, value| write_value(out, program, value, notation))
}

/// Returns a line as the text of a message, with a summary of each value.
pub fn message(program: &Program, line: &Value) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = each(&mut text, line, |out, value| out.write_all(summary(program, value).as_bytes()));
    String::from_utf8_lossy(&text).into_owned()
}

fn each(
    out: &mut dyn Write,
    line: &Value,
    mut write_value: impl FnMut(&mut dyn Write, &Value) -> io::Result<()>,
) -> io::Result<()> {
    let Some((items, _)) = items(line) else { internal_bug!("a line is printed after it was checked") };
    let mut follows_value = false;
    for item in items {
        match item {
            Item::Text(text) => row::write_text(out, text)?,
            Item::Value(value) => {
                if follows_value {
                    out.write_all(b" ")?;
                }
                write_value(out, value)?;
            }
        }
        follows_value = matches!(item, Item::Value(_));
    }
    Ok(())
}
