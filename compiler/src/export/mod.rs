//! Exports: procedures of a program as self-contained C, with bindings for other languages (`vlad emit`; report, part
//! 19).
//!
//! | module | |
//! |---|---|
//! | [`request`] | requests for exports |
//! | [`signature`] | the shapes of operands and results |
//! | [`names`] | names of sets and exports in C |
//! | [`parameters`] | names of operands |
//! | [`units`] | from requests to first-order code |
//! | [`outputs`] | from the value of that code to the result of the signature |
//! | [`sizes`] | from that code to code for the sizes of its results |
//! | [`set`] | the exports of a C file |
//! | [`code`], [`leaves`] | their C |
//! | [`functions`] | the operations that the C calls |
//! | [`files`], [`mathematics`] | the written files, and the archive of mathematical functions |
//! | [`text`] | the C file and its header, with the runtime (`compiler/export`) |
//! | [`wrappers`] | the bindings for Python and Fortran |
//!
//! Exported code is specialised code on a machine of its own: it has no global state, and takes memory from an
//! allocator of the caller. Its operations are those of the table. Each is executed by one operator of C or by one call
//! of the archive that is written beside the code ([`mathematics`]). So the bits are those of the engines.

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
