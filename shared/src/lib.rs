//! Everything that the engines of VLAD share, in one place: the crates below `shared`, as modules.
//!
//! Programs that use several parts of the system import this crate; the engines import the crates that they need. The order of the
//! crates, each of which may import those before it: [`table`], [`core`], [`values`], [`ad`], [`runtime`], [`cps`] (of which
//! it imports the first two alone) and [`snapshot`]; [`frontend`] imports the first two.

pub use vlad_ad as ad;
pub use vlad_core as core;
pub use vlad_cps as cps;
pub use vlad_frontend as frontend;
pub use vlad_runtime as runtime;
pub use vlad_snapshot as snapshot;
pub use vlad_table as table;
pub use vlad_table::internal_bug;
pub use vlad_values as values;
