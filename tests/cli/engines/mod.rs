//! The engines: their selection, compiled programs, and what every engine reports alike.

mod automatic;
mod build;
mod heap;
mod selection;
mod symbols;
mod traps;

pub use automatic::waiting_compiler;
