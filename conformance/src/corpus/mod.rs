//! Programs with their expectations inside.
//!
//! ```text
//! text --case::parse--> expectations --observe--> an engine's behaviour --check::differences--> differences
//! ```
//!
//! Invariant: this does not know what a program means. An expectation is derived by hand or by other means than an
//! engine; [`bless`] is a convenience for changed wording, not a source of truth.

pub mod case;
pub mod parts;

pub mod check;
pub mod compare;
pub mod errors;

pub mod bless;
