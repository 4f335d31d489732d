//! What programs in other languages than C call a set with.

mod fortran;
mod python;

pub use fortran::fortran_files;
pub use python::python_files;
