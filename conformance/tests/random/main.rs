//! Random programs and random bytes.
//!
//! [`programs`] runs random programs of VLAD on all engines, [`fsmooth`] and [`farfel`] those of the other languages; [`lifted`] compares
//! programs of Farfel with their lifted forms; [`readers`] gives arbitrary bytes to every reader.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod farfel;
mod fsmooth;
mod lifted;
mod programs;
mod readers;
