//! The native engine: compiles core to C, compiles that to a shared object, loads it into the process and runs it.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`vlad_cps`] | blocks, with steps, and with the owner of each value |
//! | [`analysis`], [`first_order`] | first-order code of the items that can be specialised |
//! | [`emit`], [`specialised`] | a syntax tree of C ([`c`]), whose functions end in tail calls |
//! | [`c::print()`] | C text, which includes the headers of the runtime |
//! | [`toolchain`], [`cache`] | a shared object: compiled now, or found by its key |
//! | [`loading`], [`foreign`] | code in the process, run with the runtime |
//!
//! The runtime is C in the folder `runtime`, compiled into this crate; programs reach it through pointers only. Its
//! parts that depend on operations and derivatives are generated from the table ([`rules`]).
//!
//! Invariants: the results of a run - values, bits, output, faults, steps - are those of the interpreter; neither
//! running nor freeing needs host stack in proportion to data or calls; every object of the heap is freed with its last
//! reference.

pub mod analysis;
pub mod c;
pub mod cache;
pub mod doctor;
pub mod emit;
pub mod emitted;
pub mod explain;
pub mod export;
pub mod first_order;
pub mod foreign;
mod loaded;
pub mod loading;
pub mod mathematics;
mod pipeline;
pub mod plain_fortran;
mod prepared;
pub mod procedures;
mod reached;
pub mod rules;
mod settings;
pub mod specialised;
pub mod storage;
mod task;
mod texts;
pub mod toolchain;

pub use first_order::passes::{PASSES, Passes};
pub use loaded::Loaded;
pub use pipeline::{lowered, specialise};
pub use prepared::{Prepared, compile, loaded, prepare};
pub use settings::{Settings, SizePolicy};
pub use specialised::Specialise;
pub use task::{Task, can_be_specialised, counting_for};
pub use texts::generate;

/// The allocator of the command, with which the tests of random units take a fifth less time.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
