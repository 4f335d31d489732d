//! The corpus where there are neither files nor processes: programs as bytes, their results as a digest.
//!
//! ```text
//! programs with their texts --PackedProgram--> JSON --run--> results --digest--> one line
//! ```
//!
//! The crate uses the front end and the two evaluators, which need no system, so that it can be built for WebAssembly
//! ([`webassembly`]). The matrix of `vlad-conformance` takes the digest from here: both compute it by the same code.

pub mod digest;
pub mod packed;
#[cfg(target_family = "wasm")]
pub mod webassembly;
