//! An oracle for Farfel: an imperative evaluator of its own, a printer to Farfel in varied spellings, and a generator of
//! programs. The front end and the engines are compared with it.
//!
//! ```text
//! generate --> tree --print--> Farfel text --front end, engines--> output
//!                 \--evaluate--> output
//! ```
//!
//! Invariant: nothing here reads Farfel text, uses core or an engine, or knows how the front end lowers a program.
//! Variables are cells of a mutable store, calls pass references, nested subprograms have static links. Both kinds of blocks of
//! differentiation run once, forwards, on numbers that carry a vector of tangents; a gradient is put together from them.
//! Mathematical functions are those of `vlad_table::math`, so programs without such blocks agree to the bit.

pub mod evaluate;
pub mod generate;
pub mod number;
pub mod print;
pub mod shrink;
pub mod tree;
