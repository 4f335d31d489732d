//! The choice of the reader for the format of a file.

use crate::datum::{Data, DataError};
use crate::request::{DataRequest, Format};
use crate::{csv_file, json_file, npy_file};

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
