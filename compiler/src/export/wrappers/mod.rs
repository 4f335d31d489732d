//! The bindings of a set for other languages than C.

mod fortran;
mod python;

pub use fortran::fortran_files;
pub use python::python_files;
