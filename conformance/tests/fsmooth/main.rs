//! Derivatives of F-smooth: what D makes of programs against `jvp`, to the bit, and against central differences.
//!
//! [`operations`] has every operation of the language at ordinary and special points, [`functions`] random functions
//! of numbers and vectors, written by [`generator`], and [`programs`] the examples. Of rewriting, [`growth`] and [`reductions`] measure the
//! steps, and [`corpus`] compares the results.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod corpus;
mod functions;
mod generator;
mod growth;
mod operations;
mod programs;
mod reductions;
mod running;
