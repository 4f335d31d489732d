//! The language with each mathematical function computed from 96 digits, in place of the functions of the archive.
//!
//! Programs that are linked with this crate evaluate `exp`, `sin` and the others by [`Reference::rounded`]: by series and reductions
//! with 320 bits, rounded once. Everything else is the same code, and is exact or rounded as IEEE 754 has it. So what they print is
//! derived from 96 digits and from the rules of the report for the order of operations.
//!
//! - `tests/corpus.rs` runs programs of the corpus so, and checks their expectations.
//! - [`exact`] writes expectations: it replaces those that were compared to some digits by the whole text, where the digits agree.
//!
//! The linker replaces the functions (`build.rs`), so no code of the project knows of it.
//!
//! [`Reference::rounded`]: vlad_derivatives::extended::arithmetic::Reference

pub mod exact;
mod functions;

pub use functions::evaluations;
