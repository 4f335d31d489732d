//! Printing values: pairs and lists as Scheme prints them, reals as [`crate::number`] says, procedures as
//! `#<procedure name>`. Any depth of data takes constant host stack.

use crate::core::Program;
use crate::number;
use crate::value::Value;
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
    Value(&'value Value),
    /// What follows the first element of a list: more elements, a dotted tail, the closing parenthesis.
    Rest(&'value Value),
}

/// Writes a value without a line end. Lifted reals are written as their primals.
///
/// # Errors
/// The writer's own.
pub fn write_value(out: &mut dyn Write, program: &Program, value: &Value, notation: Notation) -> io::Result<()> {
    let mut pending = vec![Pending::Value(value)];
    while let Some(next) = pending.pop() {
        match next {
            Pending::Value(Value::Pair(pair)) => {
                out.write_all(b"(")?;
                pending.push(Pending::Rest(&pair.second));
                pending.push(Pending::Value(&pair.first));
            }
            Pending::Value(value) => write_atom(out, program, value, notation)?,
            Pending::Rest(Value::Pair(pair)) => {
                out.write_all(b" ")?;
                pending.push(Pending::Rest(&pair.second));
                pending.push(Pending::Value(&pair.first));
            }
            Pending::Rest(Value::Nil) => out.write_all(b")")?,
            Pending::Rest(value) => {
                out.write_all(b" . ")?;
                write_atom(out, program, value, notation)?;
                out.write_all(b")")?;
            }
        }
    }
    Ok(())
}

/// Writes a value that is not a pair.
fn write_atom(out: &mut dyn Write, program: &Program, value: &Value, notation: Notation) -> io::Result<()> {
    match value {
        Value::Nil | Value::Pair(_) => out.write_all(b"()"),
        Value::Boolean(boolean) => out.write_all(if *boolean { b"#t" } else { b"#f" }),
        Value::Real(real) => write_real(out, *real, notation),
        Value::Lifted(lifted) => write_real(out, lifted.primal.base(), notation),
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
