//! The front ends: from text to core.
//!
//! ```text
//! text --language--> named core --resolve--> core
//! ```
//!
//! [`load`] runs the passes. [`languages`] is the list of the languages, and [`mod@vlad`] the language VLAD, with the prelude
//! that all programs have; the others are crates, and `vlad-language` has their interface. [`transformation`] shows the
//! transformed code of procedures, in VLAD. Engines do not import this crate.

pub mod languages;
pub mod load;
pub mod resolve;
pub mod transformation;
pub mod vlad;
