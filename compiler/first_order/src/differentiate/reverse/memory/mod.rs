//! Accumulators in memory: of elements of arrays, and of reals that cells hold.
//!
//! An accumulator is a variable of the sweep where the trace tells its node. It is in memory where only the execution
//! does: arrays have shadow arrays, and held reals have references. Both are moved by ordinary code, which this folder
//! adds to a function before it is traced.
//!
//! [`shadow_arrays`] prepares code with arrays. For code with cells [`copies`] collects the functions, [`held_reals`]
//! tells which reals need a reference, and [`references`] adds these.

pub mod copies;
pub mod held_reals;
pub mod references;
pub mod shadow_arrays;
