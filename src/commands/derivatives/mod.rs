//! Derivatives at a point from the command line: as data, and checked against each other.

pub mod derive;
pub mod gradcheck;
