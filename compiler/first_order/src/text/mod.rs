//! The text of first-order code: its printer and its reader, which have one notation.

pub mod print;
pub mod read;
