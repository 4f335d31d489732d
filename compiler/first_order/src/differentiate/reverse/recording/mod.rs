//! The choice between recording a value and computing it again, in loops of code with arrays.
//!
//! [`recorded`] decides which loops are recorded, and which of their operations are worth it; [`min_cut`] chooses the
//! other records by their cost.

pub mod min_cut;
pub mod recorded;
