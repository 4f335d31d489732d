//! Random programs as typed trees: their text, the names and operations in them, and their mutation.

pub mod tree;
pub mod types;

pub mod print;

pub mod coverage;
pub mod names;

pub mod mutation;
