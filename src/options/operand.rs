//! Operands of procedures and claims about them, as options give them: expressions, and files of JSON.

use super::program::bytes_of;
use clap::ValueEnum;
use std::path::Path;
use vlad_derivatives::appended::point::{Arrays, NoDatum, Point};
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::{MOST_BYTES, SourceMap, Span};
use vlad_shared::data::{self, DataError};

/// The extension of files of JSON.
const JSON: &str = ".json";

/// The structure of arrays in JSON, as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ArraysArgument {
    /// Vectors
    Vectors,
    /// Lists
    Lists,
}

impl ArraysArgument {
    /// Returns the structure.
    pub fn arrays(self) -> Arrays {
        match self {
            ArraysArgument::Vectors => Arrays::Vectors,
            ArraysArgument::Lists => Arrays::Lists,
        }
    }
}

/// Returns the operand that an option gives: the JSON of a file whose name ends with `.json`, else an expression.
///
/// # Errors
/// The file cannot be read, or is no JSON.
pub fn operand(text: &str, arrays: ArraysArgument) -> Result<Point, Failure> {
    if !text.ends_with(JSON) {
        return Ok(Point::Expression(text.to_owned()));
    }
    Ok(Point::Json(json(Path::new(text))?, arrays.arrays()))
}

/// Reads a file of JSON.
///
/// # Errors
/// The file cannot be read, or is no JSON; the error has its place.
pub fn json(path: &Path) -> Result<serde_json::Value, Failure> {
    let mut sources = SourceMap::default();
    let fail = |diagnostic, sources| Err(Failure { diagnostics: vec![diagnostic], sources });
    let name = path.display().to_string();
    let bytes = match bytes_of(path) {
        Ok(bytes) if bytes.len() as u64 > MOST_BYTES => {
            let message = format!("{name} has more than {MOST_BYTES} bytes");
            return fail(Diagnostic::new(Kind::File, None, message), sources);
        }
        Ok(bytes) => bytes,
        Err(diagnostic) => return fail(*diagnostic, sources),
    };
    let DataError { message, place, .. } = match data::json(&bytes) {
        Ok(json) => return Ok(json),
        Err(error) => error,
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let at = place.map_or(0, |(begin, _)| begin).min(text.len());
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let width = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let file = sources.add(name, "json", text.as_str());
    let span = Span::new(file, at as u32, (at + width) as u32);
    fail(Diagnostic::new(Kind::Read, span, format!("no JSON: {message}")), sources)
}

/// The error of an operand that is no datum.
pub fn no_datum(name: &str, wrong: &NoDatum) -> Diagnostic {
    let NoDatum { path, message } = wrong;
    let place = if path.is_empty() { String::new() } else { format!(" at {path}") };
    Diagnostic::new(Kind::Type, None, format!("`{name}`{place}: {message}"))
}
