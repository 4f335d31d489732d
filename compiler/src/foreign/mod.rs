//! The boundary to the runtime in C and to compiled programs: running one, with values, faults and limits of the language
//! on the Rust side.
//!
//! Invariant: a machine of the runtime, and every pointer into its memory, stays within this module; values leave it as
//! [`vlad_shared::value::Value`]s, copied. The runtime notes which fault a program has made and with which operands; what
//! is said about it is said by `vlad_shared`, as in every engine.
//!
//! - [`interface`]: the types and functions of the runtime, as its headers declare them. It is public, as is
//!   [`mathematics`], since tests call the runtime without a program: a second declaration would not follow the headers;
//! - [`mathematics`]: the functions on reals that compiled code is handed;
//! - [`code`]: compiled programs;
//! - [`convert`]: values of the runtime to values of `vlad_shared` and back;
//! - [`host`]: what the runtime calls;
//! - [`machine`]: a run;
//! - [`faults`]: diagnostics of faults.
#![allow(unsafe_code)] // The runtime is C; each block says what makes it sound.

pub mod code;
mod convert;
mod faults;
mod host;
pub mod interface;
mod machine;
pub mod mathematics;

pub use code::{Code, Counting};

use vlad_shared::core::Program;
use vlad_shared::run::{Host, Limits, Report};

/// Runs a compiled program: evaluates its items in order and prints the values of its expressions.
///
/// The code must be that of the program, and must be stoppable if there is a limit of steps.
pub fn run(code: &Code, program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
    machine::run(code, program, host, limits)
}
