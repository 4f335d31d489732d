//! Everything that the engines of VLAD share, in one place: the crates below `shared`, as modules.
//!
//! Crates that use several parts of the system import this one; the engines import the parts that they need. The
//! layers, lowest first: [`table`]; [`core`]; [`data`], [`frontend`], [`cps`] and [`values`]; [`ad`]; [`runtime`]; [`snapshot`].
//! None of the others imports the front end.

pub use vlad_ad as ad;
pub use vlad_core as core;
pub use vlad_cps as cps;
pub use vlad_data as data;
pub use vlad_frontend as frontend;
pub use vlad_runtime as runtime;
pub use vlad_snapshot as snapshot;
pub use vlad_table as table;
pub use vlad_table::internal_bug;
pub use vlad_values as values;
