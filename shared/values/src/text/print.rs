//! Printing of values: pairs, lists and vectors in Scheme's notation, reals by [`vlad_table::number`], procedures as
//! `#<procedure name>`. The host stack is constant for any depth of data.

use crate::lifted::Number;
use crate::tagged::ValueView;
use crate::value::{Elements, Tagged, Value, Vector};
use std::io::{self, Write};
use vlad_core::Program;
use vlad_core::summary::summary_of;
use vlad_table::number::{self, Notation};
use vlad_table::{Tag, internal_bug};

pub use super::line::{Layout, write_line};

/// A pending part of the text.
enum Pending<'value> {
    /// A value.
    Value(ValueView<'value>),
    /// The rest of a list after its first element: more elements, a dotted tail, the closing parenthesis.
    Rest(ValueView<'value>),
    /// The rest of a vector after so many elements: more elements, the closing parenthesis.
    Elements(ValueView<'value>, &'value Vector, usize),
    /// The text between or after the values of a tag.
    Text(&'static str),
}

/// Writes a value without a line end. Lifted reals are written as their primals.
///
/// # Errors
/// The error of the writer.
pub fn write_value(out: &mut dyn Write, program: &Program, value: &Value, notation: Notation) -> io::Result<()> {
    let mut pending = vec![Pending::Value(ValueView::as_is(value))];
    while let Some(next) = pending.pop() {
        match next {
            Pending::Value(seen) => match seen.value {
                Value::Pair(pair) => {
                    out.write_all(b"(")?;
                    pending.push(Pending::Rest(seen.part(&pair.second)));
                    pending.push(Pending::Value(seen.part(&pair.first)));
                }
                Value::Tagged(tagged) => open_tagged(out, seen, tagged, &mut pending)?,
                Value::Vector(vector) => {
                    out.write_all(b"#(")?;
                    pending.push(Pending::Elements(seen, vector, 0));
                }
                _ => write_atom(out, program, seen, notation)?,
            },
            Pending::Rest(seen) => match seen.value {
                Value::Pair(pair) => {
                    out.write_all(b" ")?;
                    pending.push(Pending::Rest(seen.part(&pair.second)));
                    pending.push(Pending::Value(seen.part(&pair.first)));
                }
                Value::Nil => out.write_all(b")")?,
                _ => {
                    out.write_all(b" . ")?;
                    pending.push(Pending::Text(")"));
                    pending.push(Pending::Value(seen));
                }
            },
            Pending::Elements(seen, vector, index) => match element(seen, vector, index) {
                Some(element) => {
                    if index > 0 {
                        out.write_all(b" ")?;
                    }
                    pending.push(Pending::Elements(seen, vector, index + 1));
                    match element {
                        Element::Real(real) => number::write(out, real, notation)?,
                        Element::Value(value) => pending.push(Pending::Value(value)),
                    }
                }
                None => out.write_all(b")")?,
            },
            Pending::Text(text) => out.write_all(text.as_bytes())?,
        }
    }
    Ok(())
}

/// An element of a vector.
pub(crate) enum Element<'value> {
    Real(f64),
    Value(ValueView<'value>),
}

pub(crate) fn element<'value>(
    seen: ValueView<'value>,
    vector: &'value Vector,
    index: usize,
) -> Option<Element<'value>> {
    match vector.elements() {
        Elements::Reals(reals) => {
            let real = reals.base(index)?;
            Some(Element::Real(seen.read(Number::Real(real)).base()))
        }
        Elements::Values(values) => Some(Element::Value(seen.part(values.get(index)?))),
    }
}

/// Writes the beginning of a tagged value and schedules the rest.
fn open_tagged<'value>(
    out: &mut dyn Write,
    seen: ValueView<'value>,
    tagged: &'value Tagged,
    pending: &mut Vec<Pending<'value>>,
) -> io::Result<()> {
    let (begin, between, end) = match tagged.tag() {
        Tag::Perturbation => ("(perturbation ", "", ")"),
        Tag::Sensitivity => ("(sensitivity ", "", ")"),
        Tag::Reverse => ("(reverse ", "", ")"),
        Tag::Bundle => ("(forward ", " (perturbation ", "))"),
        Tag::Backpropagator => return out.write_all(b"#<procedure backpropagator>"),
    };
    pending.push(Pending::Text(end));
    let mut parts = seen.parts_of(tagged).into_iter().rev().peekable();
    while let Some(part) = parts.next() {
        pending.push(Pending::Value(part));
        if parts.peek().is_some() {
            pending.push(Pending::Text(between));
        }
    }
    out.write_all(begin.as_bytes())
}

/// Writes a value without visible parts.
fn write_atom(out: &mut dyn Write, program: &Program, seen: ValueView<'_>, notation: Notation) -> io::Result<()> {
    match seen.value {
        Value::Nil => out.write_all(b"()"),
        Value::Boolean(boolean) => out.write_all(if *boolean { b"#t" } else { b"#f" }),
        Value::Real(_) | Value::Lifted(_) => {
            number::write(out, seen.number().map_or(0.0, |number| number.base()), notation)
        }
        Value::Pair(_) | Value::Tagged(_) | Value::Vector(_) => internal_bug!("what has parts is opened"),
        Value::Capsule(_) => out.write_all(b"#<capsule>"),
        Value::Primitive(primitive) => write!(out, "#<procedure {}>", primitive.name()),
        Value::Procedure { code, .. } => match &program.lambda(*code).name {
            Some(name) => write!(out, "#<procedure {name}>"),
            None => out.write_all(b"#<procedure>"),
        },
    }
}

/// Returns a value as a short text for messages: cut after some 60 characters.
pub fn summary(program: &Program, value: &Value) -> String {
    summary_of(|out| write_value(out, program, value, Notation::Shortest))
}
