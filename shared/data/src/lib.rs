//! Data files: their bytes become data of numbers, booleans and arrays, which languages write as constants.
//!
//! - [`csv_file`]: a table of numbers, whole or some of its columns;
//! - [`json_file`]: numbers, booleans and arrays of them, or a member of an object;
//! - [`npy_file`]: an array as NumPy stores it.
//!
//! What is no number is an error with its place in the file, never a value of its own.

mod csv_file;
mod json_file;
mod npy_file;
mod request;

pub use request::{DataRequest, Format};

/// A datum.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// A number.
    Real(f64),
    /// A boolean.
    Boolean(bool),
    /// An array of numbers.
    Reals(Vec<f64>),
    /// An array of other data.
    Array(Vec<Data>),
}

/// The reason why a file is no data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The finding.
    pub message: String,
    /// The first byte in question and the number of bytes, if the error is about a place.
    pub place: Option<(usize, usize)>,
    /// A suggestion.
    pub hint: Option<String>,
}

impl DataError {
    fn new(message: impl Into<String>) -> DataError {
        DataError { message: message.into(), place: None, hint: None }
    }

    fn at(self, begin: usize, length: usize) -> DataError {
        DataError { place: Some((begin, length)), ..self }
    }

    fn with_hint(self, hint: impl Into<String>) -> DataError {
        DataError { hint: Some(hint.into()), ..self }
    }
}

impl DataRequest {
    /// Reads the bytes of the file.
    ///
    /// # Errors
    /// Returns the reason why they are no data, or have not the columns or members that are asked for.
    pub fn read(&self, bytes: &[u8]) -> Result<Data, DataError> {
        match self.format {
            Format::Csv => csv_file::read(bytes, b',', &self.parts),
            Format::Tsv => csv_file::read(bytes, b'\t', &self.parts),
            Format::Json => json_file::read(bytes, &self.parts),
            Format::Npy => npy_file::read(bytes, &self.parts),
        }
    }
}

/// Returns an array of data, in its compact form if they are numbers.
fn array(elements: Vec<Data>) -> Data {
    let reals = elements.iter().map(|element| match element {
        Data::Real(real) => Some(*real),
        Data::Boolean(_) | Data::Reals(_) | Data::Array(_) => None,
    });
    match reals.collect::<Option<Vec<f64>>>() {
        Some(reals) => Data::Reals(reals),
        None => Data::Array(elements),
    }
}
