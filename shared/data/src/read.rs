//! The choice of the reader for the format of a file.

use crate::datum::{Data, DataError};
use crate::request::{DataRequest, Format, Separator};
use crate::{csv_file, json_file, npy_file, npz_file};

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
        match self.format {
            Format::Csv(separator) => csv_file::read(bytes, separator, &self.parts),
            Format::Tsv => csv_file::read(bytes, Separator::TAB, &self.parts),
            Format::Json => json_file::read(bytes, &self.parts),
            Format::Npy => npy_file::read(bytes, &self.parts),
            Format::Npz => npz_file::read(bytes, &self.parts),
        }
    }
}
