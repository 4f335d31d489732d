//! The derivative oracle: derivatives from `j*` and `*j`, in every nesting, against references that do not use the
//! table of operations.
//!
//! [`reference`] evaluates the operations with 96 digits, by its own closed forms and by central differences; [`rows`]
//! enumerates the operations and [`primitives`] the primitives, [`modes`] the forms of differentiation; [`edges`]
//! states the exact results at the edges that the report fixes, [`bits`] the formulas of coefficients and the order of
//! sums; [`random`] composes operations at random. A row of either table without a reference does not compile or fails. [`libraries`]
//! does the same for each definition of the libraries, against quotients of whole programs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod batch;
mod bits;
mod edges;
mod expression;
mod libraries;
mod modes;
mod primitives;
mod random;
mod reference;
mod rows;
mod sweep;
