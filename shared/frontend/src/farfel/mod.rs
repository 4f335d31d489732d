//! Farfel.

pub mod check;
pub mod program;
pub mod syntax;
