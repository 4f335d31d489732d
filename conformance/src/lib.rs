//! Conformance of the engines: the corpus runner (one set of programs with their expectations inside, thin adapters for
//! the engines), the matrix of engines and programs, random programs, and texts that readers have to refuse.
//!
//! The command has [`matrix`] (`vlad conform`) and [`random`] (`vlad fuzz`), with the [`corpus`]; the rest serves tests.
//! Only `vlad-engines` knows engines.

pub mod blocks;
pub mod corpus;
pub mod farfel;
pub mod fast_build;
pub mod functions;
pub mod large;
pub mod matrix;
pub mod observe;
pub mod operations;
pub mod random;
pub mod readers;
pub mod shard;
pub mod sweep;
