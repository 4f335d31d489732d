//! Printing of values as literals of F-smooth: `[| 1; 2 |]`, `(1, true)`.
//!
//! A text of numbers, booleans, arrays and pairs reads back as the same value; infinities and NaN, which have no literals, as quotients.
//! Values of other kinds are printed as everywhere. The host stack is constant for any depth of data.

use super::print::{self, Element};
use crate::tagged::ValueView;
use crate::value::{Value, Vector};
use std::io::{self, Write};
use vlad_core::Program;
use vlad_table::number::{self, Notation};

/// A pending part of the text.
enum Pending<'value> {
    /// A value.
    Value(ValueView<'value>),
    /// The rest of an array after so many elements: more elements, the closing bracket.
    Elements(ValueView<'value>, &'value Vector, usize),
    /// The text between or after values.
    Text(&'static str),
}

/// Writes a value without a line end.
///
/// # Errors
/// The error of the writer.
pub fn write_literal(out: &mut dyn Write, program: &Program, value: &Value, notation: Notation) -> io::Result<()> {
    let mut pending = vec![Pending::Value(ValueView::as_is(value))];
    while let Some(next) = pending.pop() {
        match next {
            Pending::Value(seen) => match seen.value {
                Value::Pair(pair) => {
                    out.write_all(b"(")?;
                    pending.push(Pending::Text(")"));
                    pending.push(Pending::Value(seen.part(&pair.second)));
                    pending.push(Pending::Text(", "));
                    pending.push(Pending::Value(seen.part(&pair.first)));
                }
                Value::Vector(vector) => {
                    out.write_all(b"[|")?;
                    pending.push(Pending::Elements(seen, vector, 0));
                }
                Value::Boolean(boolean) => out.write_all(if *boolean { b"true" } else { b"false" })?,
                Value::Real(_) | Value::Lifted(_) => {
                    write_number(out, seen.number().map_or(0.0, |number| number.base()), notation)?;
                }
                Value::Nil | Value::Tagged(_) | Value::Capsule(_) | Value::Primitive(_) | Value::Procedure { .. } => {
                    print::write_value(out, program, seen.value, notation)?;
                }
            },
            Pending::Elements(seen, vector, index) => match print::element(seen, vector, index) {
                Some(element) => {
                    out.write_all(if index > 0 { b"; " } else { b" " })?;
                    pending.push(Pending::Elements(seen, vector, index + 1));
                    match element {
                        Element::Real(real) => write_number(out, real, notation)?,
                        Element::Value(value) => pending.push(Pending::Value(value)),
                    }
                }
                None => out.write_all(b" |]")?,
            },
            Pending::Text(text) => out.write_all(text.as_bytes())?,
        }
    }
    Ok(())
}

/// Writes a number, with its bits if they are wanted.
fn write_number(out: &mut dyn Write, real: f64, notation: Notation) -> io::Result<()> {
    if real.is_finite() {
        return number::write(out, real, notation);
    }
    let quotient: &[u8] = match (real.is_nan(), real > 0.0) {
        (true, _) => b"(0.0 / 0.0)",
        (false, true) => b"(1.0 / 0.0)",
        (false, false) => b"(-1.0 / 0.0)",
    };
    out.write_all(quotient)?;
    number::write_bits(out, real, notation)
}
