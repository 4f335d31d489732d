//! Exports: procedures of a program as self-contained C, and what other languages call it with (`vlad emit`; report,
//! part 19).
//!
//! | module | |
//! |---|---|
//! | [`request`] | exports as they are asked for |
//! | [`signature`] | the shapes of operands and results |
//! | [`names`] | names in C |
//! | [`parameters`] | names of operands |
//! | [`units`] | from requests to first-order code |
//! | [`outputs`] | from the value of that code to the result of the signature |
//! | [`sizes`] | from that code to code for the sizes of its results |
//! | [`set`] | the exports of a C file |
//! | [`code`], [`leaves`] | their C |
//! | [`functions`] | the operations that it calls, and the library that has the mathematical functions |
//! | [`files`], [`mathematics`] | the files that are written, with the archive of the mathematical functions |
//! | [`text`] | the C file and its header, with the runtime (`compiler/export`) |
//! | [`wrappers`] | what programs in Python and Fortran call it with |
//!
//! Exported code is specialised code, with the machine of a call in place of that of the engine: it has no global state
//! and takes memory from an allocator of the caller. The operations are those of the table, each executed by one
//! operator or one call of the archive that goes with it ([`mathematics`]), so the bits are those of the engines.

mod code;
pub mod files;
mod functions;
mod leaves;
pub mod mathematics;
pub mod names;
mod outputs;
mod parameters;
pub mod request;
pub mod set;
pub mod signature;
mod sizes;
pub mod text;
pub mod units;
mod wrappers;

pub use request::{Appended, Asked, Request};
pub use set::{Arithmetic, ExportSet};
pub use text::c_files;
pub use units::Refusal;
pub use wrappers::{fortran_files, python_files};
