//! The passes over first-order code, in the order in which they run first. Each folder lists its passes with their postconditions.
//!
//! | module | passes |
//! |---|---|
//! | [`selection`] | their table, their order, and the choice of those that run |
//! | [`shape`] | functions, loops and state; levels stay |
//! | [`sharing`] | equal computations are executed once |
//! | [`bounds`] | tests of lengths and indices |
//! | [`records`] | the records of reverse sweeps |
//! | [`guards`] | guarded products and signs of zeros |
//! | [`in_place`] | no element of a vector is replaced in a copy; it always runs |
//!
//! Passes of [`shape`] keep levels as they are: they move values, so no tape node comes or goes. All others are for code without
//! levels, where an operation is only its value.

pub mod bounds;
pub mod guards;
pub mod in_place;
pub mod records;
pub mod selection;
pub mod shape;
pub mod sharing;

pub use selection::{PASSES, Pass, Passes};

#[cfg(test)]
mod tests;
