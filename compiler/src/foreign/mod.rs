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
//! - [`convert`]: values of the runtime to values of `vlad_shared`, and [`make`] the way back;
//! - [`rows`]: the frames of computations, among values;
//! - [`host`]: what the runtime calls;
//! - [`machine`]: a run, and [`parts`] what is suspended of one;
//! - [`faults`]: diagnostics of faults.
#![allow(unsafe_code)] // The runtime is C; each block says what makes it sound.

pub mod code;
mod convert;
mod faults;
mod host;
pub mod interface;
mod machine;
mod make;
pub mod mathematics;
mod parts;
mod rows;

pub use code::{Code, Counting};

use vlad_shared::core::Program;
use vlad_shared::internal_bug;
use vlad_shared::run::{Host, Limits, Report};
use vlad_shared::suspended::{Part, PartEnd};

/// Runs a compiled program: evaluates its items in order and prints the values of its expressions.
///
/// The code must be that of the program, and must be stoppable if there is a limit of steps.
pub fn run(code: &Code, program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
    match run_part(code, program, host, limits, Part::default()) {
        PartEnd::Ended(report) => report,
        PartEnd::Suspended(_) => internal_bug!("a run is suspended where that is asked for"),
    }
}

/// Runs a part of a compiled program, whose code must be stoppable unless the part is the whole.
pub fn run_part(code: &Code, program: &Program, host: &mut dyn Host, limits: &Limits, part: Part) -> PartEnd {
    machine::run_part(code, program, host, limits, part)
}
