//! The native engine: compiles core to C, compiles that to a shared object, loads it into the process and runs it.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`vlad_cps`] | blocks, with steps, and with the owner of each value |
//! | [`analysis`], [`vlad_first_order`] | first-order code of the items that can be specialised |
//! | [`vlad_first_order::storage`] | that code with its arrays in memory, and loops over integers |
//! | [`tagged`], [`specialised`] | a syntax tree of C ([`c`]), whose functions end in tail calls |
//! | [`c::print()`] | C text, which includes the headers of the runtime |
//! | [`compiled`] | a shared object: compiled now by the [`toolchain`], or found in the cache by its key |
//! | [`foreign`] | code in the process, run with the runtime |
//!
//! The runtime is C in the folder `runtime`, compiled into this crate; programs reach it through pointers only. Its
//! parts that depend on operations and derivatives are generated from the table ([`rules`]).
//!
//! Invariants: the results of a run - values, bits, output, faults, steps - are those of the interpreter; neither
//! running nor freeing needs host stack in proportion to data or calls; every object of the heap is freed with its last
//! reference.

pub mod analysis;
pub mod c;
pub mod compiled;
pub mod explain;
pub mod export;
pub mod foreign;
mod pipeline;
pub mod plain_fortran;
pub mod procedures;
mod reached;
pub mod rules;
pub mod specialised;
pub mod tagged;
pub mod toolchain;

pub use compiled::{
    Loaded, Prepared, Settings, SizePolicy, Task, can_be_specialised, compile, counting_for, generate, loaded, prepare,
};
pub use pipeline::{lowered, specialise};
pub use specialised::Specialise;
pub use vlad_first_order::passes::{PASSES, Passes};
