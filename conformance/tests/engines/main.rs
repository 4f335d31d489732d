//! Runs on all engines under conditions that programs do not choose: hosts that panic, bail-outs at any point, runs that move between
//! engines through files, forged files, traps, large programs, and the matrix of programs and engines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod bail_outs;
mod broken_host;
mod capsule_files;
mod forged;
mod matrix;
mod size;
mod traps;
