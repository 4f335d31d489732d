//! Boundary to the runtime in C and to compiled programs: runs a program, with values, faults and limits of the
//! language on the Rust side.
//!
//! Invariant: a machine of the runtime, and every pointer into its memory, stays within this module; values leave it as
//! [`vlad_values::Value`]s, copied. The runtime records the kind of a fault and its operands; the message is made by
//! the crate `vlad-runtime`, as for every engine.
//!
//! - [`interface`]: the types and functions of the runtime, as its headers declare them. It is public, as is
//!   [`mathematics`], since tests call the runtime without a program: a second declaration would not follow the
//!   headers;
//! - [`mathematics`]: the functions on reals that are passed to compiled code;
//! - [`loading`]: the system's dynamic loader; [`code`]: compiled programs;
//! - `convert`: copies values of the runtime to [`vlad_values::Value`]s, and `make` the reverse;
//! - `rows`: the stack frames of computations, flattened among their values;
//! - `host`: the callbacks of the runtime;
//! - `faults`: diagnostics of faults;
//! - `machine`: a machine of the runtime; `parts`: the suspension and resumption of its state;
//! - `run`: a run on a machine.
#![allow(unsafe_code)] // The runtime is C; each block says what makes it sound.

pub mod code;
mod convert;
mod faults;
mod host;
pub mod interface;
pub mod loading;
mod machine;
mod make;
pub mod mathematics;
mod parts;
mod rows;
mod run;

pub use code::{Code, Counting};
pub use machine::UNEXPECTED;
pub use run::{run, run_part};
