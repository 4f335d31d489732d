//! Moves: changes of a normal form that are made one at a time, and kept if they pay.
//!
//! A [`search`] tries the kinds of moves in the order of this list at each term: terms leave loops and are shared
//! ([`motion`]), arrays are made otherwise, loops get tables and change places.

pub mod halves;
pub mod index_cases;
pub mod interchange;
pub mod motion;
pub mod opposites;
pub mod search;
pub mod separation;
pub mod sparse_rows;
pub mod tables;
