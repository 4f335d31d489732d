//! Conformance of the engines: the corpus runner (one set of programs with their expectations inside, thin adapters for
//! the engines), the matrix of engines and programs, random programs, and the oracles of derivatives.
//!
//! ```text
//! text --case::parse--> expectations --observe--> an engine's behaviour --check::differences--> differences
//! ```
//!
//! Invariant: only `vlad-engines` knows engines. The corpus runner does not know what a program means: an expectation
//! is derived by hand or by other means than an engine; [`bless`] is a convenience for changed wording, not a source of
//! truth.

pub mod bless;
pub mod blocks;
pub mod case;
pub mod check;
pub mod compare;
pub mod farfel;
pub mod fast_build;
pub mod functions;
pub mod large;
pub mod matrix;
pub mod observe;
pub mod parts;
pub mod random;
pub mod readers;
pub mod shard;
pub mod sweep;
