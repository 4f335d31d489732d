//! Everything that the engines of VLAD share, in one place: the crates below `shared`, as modules.
//!
//! Crates that use several parts of the system import this one; the engines import the parts that they need. [`table`] is the
//! lowest, then comes [`core`]. On these two stand [`frontend`], [`cps`], and [`values`], [`ad`] and [`runtime`], each on those
//! before it; [`snapshot`] stands on all of them but the front end.

pub use vlad_ad as ad;
pub use vlad_core as core;
pub use vlad_cps as cps;
pub use vlad_frontend as frontend;
pub use vlad_runtime as runtime;
pub use vlad_snapshot as snapshot;
pub use vlad_table as table;
pub use vlad_table::internal_bug;
pub use vlad_values as values;
