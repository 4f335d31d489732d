//! Printing values: pairs, lists and vectors as Scheme prints them, reals as [`crate::number`] says, procedures as
//! `#<procedure name>`. Any depth of data takes constant host stack.

use crate::core::Program;
use crate::internal_bug;
use crate::number;
use crate::tagged::{Seen, Tag, Tagged};
use crate::value::{Number, Value};
use crate::vector::{Elements, Vector};
use std::io::{self, Write};

/// How reals are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// The shortest decimal that reads back.
    #[default]
    Shortest,
    /// The same followed by the 16 hexadecimal digits in brackets.
    WithBits,
}

/// What is still to be written.
enum Pending<'value> {
    /// A value.
    Value(Seen<'value>),
    /// What follows the first element of a list: more elements, a dotted tail, the closing parenthesis.
    Rest(Seen<'value>),
    /// What follows so many elements of a vector: more of them, the closing parenthesis.
    Elements(Seen<'value>, &'value Vector, usize),
    /// What follows the values of a tag, or stands between them.
    Text(&'static str),
}

/// Writes a value without a line end. Lifted reals are written as their primals.
///
/// # Errors
/// The writer's own.
pub fn write_value(out: &mut dyn Write, program: &Program, value: &Value, notation: Notation) -> io::Result<()> {
    let mut pending = vec![Pending::Value(Seen::as_is(value))];
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
                        Element::Real(real) => write_real(out, real, notation)?,
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
enum Element<'value> {
    Real(f64),
    Value(Seen<'value>),
}

fn element<'value>(seen: Seen<'value>, vector: &'value Vector, index: usize) -> Option<Element<'value>> {
    match vector.elements() {
        Elements::Reals(reals) => {
            let real = reals.base(index)?;
            Some(Element::Real(seen.read(Number::Real(real)).base()))
        }
        Elements::Values(values) => Some(Element::Value(seen.part(values.get(index)?))),
    }
}

/// Writes the beginning of a tagged value, and leaves what follows to be written.
fn open_tagged<'value>(
    out: &mut dyn Write,
    seen: Seen<'value>,
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

/// Writes a value that has no parts that are shown.
fn write_atom(out: &mut dyn Write, program: &Program, seen: Seen<'_>, notation: Notation) -> io::Result<()> {
    match seen.value {
        Value::Nil => out.write_all(b"()"),
        Value::Boolean(boolean) => out.write_all(if *boolean { b"#t" } else { b"#f" }),
        Value::Real(_) | Value::Lifted(_) => {
            write_real(out, seen.number().map_or(0.0, |number| number.base()), notation)
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

fn write_real(out: &mut dyn Write, real: f64, notation: Notation) -> io::Result<()> {
    out.write_all(number::format(real).as_bytes())?;
    match notation {
        Notation::Shortest => Ok(()),
        Notation::WithBits => write!(out, "[{}]", number::bits(real)),
    }
}

/// A value as a short text for messages: cut after some 60 characters.
pub fn summary(program: &Program, value: &Value) -> String {
    let mut cut = Cut { text: Vec::new(), room: 60 };
    let whole = write_value(&mut cut, program, value, Notation::Shortest).is_ok();
    let mut text = String::from_utf8_lossy(&cut.text).into_owned();
    if !whole {
        text.push_str(" ...");
    }
    text
}

/// A writer that refuses to go on after some bytes.
struct Cut {
    text: Vec<u8>,
    room: usize,
}

impl Write for Cut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() + bytes.len() > self.room {
            return Err(io::Error::other("cut"));
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
