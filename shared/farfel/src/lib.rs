//! Farfel: Fortran 77 with blocks of differentiation and nested subprograms, from its text to named core.
//!
//! ```text
//! text --lines--> lines --lexer, words--> tokens --grammar--> statements --nesting--> subprograms and blocks
//!   --check--> entities, meanings, types --flow--> effects, frames, liveness --lower--> named core
//! ```
//!
//! `lifted` prints a program again, after closure conversion and specialisation.
//!
//! A pass runs only if those before it have found no errors.

pub mod check;
mod describe;
pub mod flow;
mod language;
mod lifted;
mod lower;
mod passed_intrinsics;
pub mod program;
mod reading;
pub mod syntax;

pub use language::Farfel;
