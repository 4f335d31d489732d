//! Lines of output: a value in Scheme's notation, a row, or texts with values between them.

use super::print::write_value;
use crate::value::Value;
use crate::{row, template};
use std::io::{self, Write};
use vlad_core::Program;
use vlad_table::number::Notation;

/// The layout of a line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A value in Scheme's notation.
    Datum,
    /// The items of a list, with a blank between them ([`super::row`]).
    Row,
    /// Values in a template of texts ([`super::template`]).
    Text,
}

/// Writes a value in a layout, without a line end. In the layout of a row the value is one ([`row::check`]), in that of a
/// text it is a template with its values ([`template::check`]).
///
/// # Errors
/// The error of the writer.
pub fn write_line(
    out: &mut dyn Write,
    program: &Program,
    value: &Value,
    layout: Layout,
    notation: Notation,
) -> io::Result<()> {
    match layout {
        Layout::Datum => write_value(out, program, value, notation),
        Layout::Row => row::write(out, value, notation),
        Layout::Text => template::write(out, program, value, notation),
    }
}
