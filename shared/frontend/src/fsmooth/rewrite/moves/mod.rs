//! Moves: changes of a normal form that are made one at a time, and kept if they pay.
//!
//! A [`search`] asks the kinds of moves in the order of this list at each term of a definition. Terms leave loops and are shared
//! ([`motion`]). Loops over halves, and over inputs and outputs, share what they have in common ([`halves`], [`separation`]). Sparse
//! rows, opposite tangents and equal turns of two loops are read from tables ([`sparse_rows`], [`opposites`], [`tables`]). The index of
//! a sparse array is divided into cases ([`index_cases`]), and loops change places for the sake of memory ([`interchange`]).

pub mod halves;
pub mod index_cases;
pub mod interchange;
pub mod motion;
pub mod opposites;
pub mod search;
pub mod separation;
pub mod sparse_rows;
pub mod tables;
