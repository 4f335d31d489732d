//! The front ends: from text to core.
//!
//! ```text
//! text --language--> named core --resolve--> core
//! ```
//!
//! [`load`] runs the passes. [`language`] is the interface of a language, [`languages`] the list of them, and
//! [`mod@vlad`] the language VLAD, with the prelude that all programs have. [`transformation`] shows the transformed
//! code of procedures, in VLAD. Engines do not import this crate.

pub mod farfel;
pub mod fsmooth;
pub mod interface;
mod invisible;
pub mod language;
pub mod languages;
pub mod library;
pub mod load;
pub mod named;
pub mod names;
pub mod resolve;
pub mod suggest;
pub mod transformation;
pub mod vlad;
