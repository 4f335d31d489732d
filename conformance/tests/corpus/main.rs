//! Every program of the project: those of the corpus, the examples, and the blocks of the report.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod conversion;
mod engines;
mod examples;
mod report;
mod specialised;
mod warnings;
