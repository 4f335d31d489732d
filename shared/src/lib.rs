//! Everything that the engines of VLAD share, in one place: the crates below `shared`, as modules.
//!
//! Crates that use several parts of the system import this one; the engines import the parts that they need. The
//! layers of the front end, lowest first: [`table`]; [`core`] and [`data`]; [`language`]; [`fsmooth`] and [`farfel`]; [`frontend`].
//! The layers of what runs programs: [`table`]; [`core`]; [`cps`] and [`values`]; [`ad`]; [`runtime`]; [`snapshot`]. They do not
//! import the front end.

pub use vlad_ad as ad;
pub use vlad_core as core;
pub use vlad_cps as cps;
pub use vlad_data as data;
pub use vlad_farfel as farfel;
pub use vlad_frontend as frontend;
pub use vlad_fsmooth as fsmooth;
pub use vlad_language as language;
pub use vlad_runtime as runtime;
pub use vlad_snapshot as snapshot;
pub use vlad_table as table;
pub use vlad_table::internal_bug;
pub use vlad_values as values;
