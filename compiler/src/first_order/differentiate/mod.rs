//! Differentiation of first-order code: the removal of levels.

pub mod coefficients;
