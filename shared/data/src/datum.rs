//! Data, and the errors of files that are none.

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
    pub(crate) fn new(message: impl Into<String>) -> DataError {
        DataError { message: message.into(), place: None, hint: None }
    }

    pub(crate) fn at(self, begin: usize, length: usize) -> DataError {
        DataError { place: Some((begin, length)), ..self }
    }

    /// The error in a text that stands behind so many bytes.
    pub(crate) fn behind(self, skipped: usize) -> DataError {
        DataError { place: self.place.map(|(begin, length)| (skipped + begin, length)), ..self }
    }

    pub(crate) fn with_hint(self, hint: impl Into<String>) -> DataError {
        DataError { hint: Some(hint.into()), ..self }
    }
}

/// Returns an array of data, in its compact form if they are numbers.
pub(crate) fn array(elements: Vec<Data>) -> Data {
    let reals = elements.iter().map(|element| match element {
        Data::Real(real) => Some(*real),
        Data::Boolean(_) | Data::Reals(_) | Data::Array(_) => None,
    });
    match reals.collect::<Option<Vec<f64>>>() {
        Some(reals) => Data::Reals(reals),
        None => Data::Array(elements),
    }
}
