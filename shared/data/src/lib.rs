//! Data files: their bytes become data of numbers, booleans and arrays, which languages write as constants.
//!
//! - [`csv_file`]: a table of numbers, whole or some of its columns; [`separators`]: what separates its cells;
//! - [`json_file`]: numbers, booleans and arrays of them, or a member of an object;
//! - [`npy_file`]: an array as NumPy stores it;
//! - [`npz_file`]: several of these in one archive.
//!
//! What is no number is an error with its place in the file, never a value of its own.

mod cell;
mod csv_file;
mod datum;
mod json_file;
mod json_text;
mod npy_file;
mod npz_file;
mod read;
mod request;
mod separators;

pub use csv_file::Table;
pub use datum::{Data, DataError};
pub use json_text::{json, not_finite};
pub use request::{DataRequest, Format, Separator};
