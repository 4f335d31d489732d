//! The corpus runner: one set of programs with their expectations inside, thin adapters for the engines.
//!
//! ```text
//! text --case::parse--> expectations --observe--> what an engine does --check::differences--> what differs
//! ```
//!
//! Invariant: only [`engine`] knows engines; nothing here knows what a program means. An expectation is derived by hand
//! or by other means than an engine; [`bless`] is a convenience for changed wording, not a source of truth.

pub mod agreement;
pub mod bless;
pub mod blocks;
pub mod case;
pub mod check;
pub mod compare;
pub mod engine;
pub mod extended;
pub mod gradcheck;
pub mod large;
pub mod matrix;
pub mod numbers;
pub mod observe;
pub mod quick;
pub mod random;
pub mod readers;
pub mod together;
