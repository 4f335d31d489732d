//! The choice of the reader for the format of a file.

use crate::datum::{Data, DataError};
use crate::request::{DataRequest, Format, Separator};
use crate::{csv_file, json_file, npy_file, npz_file};

/// The first bytes of files, what they are, and what reads them.
const FIRST_BYTES: [(&[u8], &str, &str); 4] = [
    (b"\x93NUMPY", "an array of NumPy", "the name of such a file ends with .npy"),
    (
        b"PK\x03\x04",
        "an archive",
        "that of an archive of NumPy ends with .npz; a spreadsheet is saved as a table in CSV",
    ),
    (b"\x1F\x8B", "compressed by gzip", "`gunzip` makes the file itself"),
    (b"\x89HDF", "a file in HDF5", "an array of it is saved by numpy.save"),
];

impl Format {
    /// The format that the first bytes of a file tell, if it is another one, with advice.
    fn other(self, bytes: &[u8]) -> Option<(&'static str, &'static str)> {
        let (first, what, hint) = FIRST_BYTES.into_iter().find(|(first, ..)| bytes.starts_with(first))?;
        let is_own = match self {
            Format::Npy => first == b"\x93NUMPY",
            Format::Npz => first == b"PK\x03\x04",
            Format::Csv(_) | Format::Tsv | Format::Json => false,
        };
        (!is_own).then_some((what, hint))
    }
}

impl DataRequest {
    /// Reads the bytes of the file.
    ///
    /// # Errors
    /// Returns the reason why they are no data, or have not the columns or members that are asked for.
    pub fn read(&self, bytes: &[u8]) -> Result<Data, DataError> {
        let is_binary = matches!(self.format, Format::Npy | Format::Npz);
        if !is_binary && [[0xFF, 0xFE], [0xFE, 0xFF]].iter().any(|mark| bytes.starts_with(mark)) {
            return Err(DataError::new("the text is in UTF-16").with_hint("save the file in UTF-8"));
        }
        if let Some((what, hint)) = self.format.other(bytes) {
            return Err(DataError::new(format!("this is {what}")).with_hint(hint));
        }
        match self.format {
            Format::Csv(separator) => csv_file::read(bytes, separator, &self.parts),
            Format::Tsv => csv_file::read(bytes, Separator::TAB, &self.parts),
            Format::Json => json_file::read(bytes, &self.parts),
            Format::Npy => npy_file::read(bytes, &self.parts),
            Format::Npz => npz_file::read(bytes, &self.parts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_format_are_told() {
        for (file, bytes, found) in [
            ("a.csv", &b"\x93NUMPY\x01\x00"[..], "an array of NumPy"),
            ("a.npz", b"\x93NUMPY\x01\x00", "an array of NumPy"),
            ("a.npy", b"PK\x03\x04", "an archive"),
            ("a.csv", b"PK\x03\x04", "an archive"),
            ("a.json", b"\x1F\x8B\x08", "compressed by gzip"),
            ("a.npy", b"\x89HDF\r\n", "a file in HDF5"),
        ] {
            let request: DataRequest = format!("x={file}").parse().unwrap();
            let error = request.read(bytes).unwrap_err();
            assert_eq!(error.message, format!("this is {found}"), "{file}");
        }
    }
}
