//! The native engine: from core to C, to a shared object, loaded into the process and run.
//!
//! | pass | holds afterwards |
//! |---|---|
//! | [`vlad_shared::cps`] | blocks, with steps, and with who owns each value |
//! | [`emit`] | a syntax tree of C ([`c`]), whose functions end in tail calls |
//! | [`c::print()`] | C text, which includes the headers of the runtime |
//! | [`toolchain`], [`cache`] | a shared object: compiled now, or found by its key |
//! | [`loading`], [`foreign`] | code in the process, run with the runtime |
//!
//! The runtime is C in the folder `runtime`, compiled into this crate; programs reach it through pointers only. What it
//! knows of operations and derivatives is generated from the table ([`rules`]).
//!
//! Invariants: what a run gives - values, bits, output, faults, steps - is what the interpreter gives; neither running nor
//! freeing needs host stack in proportion to data or calls; every object of the heap is freed when the last reference goes.

pub mod c;
pub mod cache;
pub mod doctor;
pub mod emit;
mod engine;
pub mod foreign;
pub mod loading;
mod prepared;
mod reached;
pub mod rules;
pub mod toolchain;

pub use engine::{Loaded, Settings, Task, Willingness, compile, counting_for, generate, run};
pub use prepared::{Prepared, loaded, prepare};
