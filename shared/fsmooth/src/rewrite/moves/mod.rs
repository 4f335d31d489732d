//! Moves: changes of a normal form that are made one at a time, and kept if they pay.
//!
//! A [`search`] asks the kinds of moves in the order of [`next`] at each term of a definition. Terms leave loops and are shared
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

use super::derivation::Step;
use super::facts::totality::Context;
use super::rules::Class;
use crate::typed::Program;
use search::Search;

/// The moves that are allowed.
pub struct Allowed {
    /// The greatest class of moves.
    pub class: Class,
    /// The number of expressions that may be added.
    pub room: usize,
}

/// Returns the next move that has not been refused.
pub fn next(
    program: &mut Program,
    context: &mut Context,
    search: &mut Search,
    Allowed { class, room }: &Allowed,
) -> Option<Step> {
    motion::moved(program, context, search)
        .or_else(|| motion::scalars_moved(program, context, search))
        .or_else(|| motion::shared(program, search))
        .or_else(|| halves::merged(program, context, search))
        .or_else(|| separation::separated(program, context, search))
        .or_else(|| sparse_rows::tabulated(program, context, search))
        .or_else(|| (Class::ZeroSigns <= *class).then(|| opposites::read(program, context, search)).flatten())
        .or_else(|| index_cases::split(program, context, search, *room))
        .or_else(|| tables::tabulated(program, context, search))
        .or_else(|| interchange::interchanged(program, context, search))
}
