//! Moves: changes of a normal form that are made one at a time, and kept if they pay.
//!
//! A [`search`] asks the kinds of moves in the order of [`next`] at each term of a definition. Terms leave loops and are shared
//! ([`motion`]). Loops over halves, and over inputs and outputs, share what they have in common ([`halves`], [`separation`]). Equal
//! turns of two loops are read from tables ([`tables`]). The index of a sparse array is divided into cases ([`index_cases`]), and loops
//! change places for the sake of memory ([`interchange`]).

pub mod halves;
pub mod index_cases;
pub mod interchange;
pub mod motion;
pub mod search;
pub mod separation;
pub mod tables;

use super::derivation::Step;
use super::facts::totality::Context;
use crate::typed::Program;
use search::Search;

/// Returns the next move that has not been refused and adds no more expressions than there is room for.
pub fn next(program: &mut Program, context: &mut Context, search: &mut Search, room: usize) -> Option<Step> {
    search.begin();
    if let Some(step) = next_of_all(program, context, search, room) {
        return Some(step);
    }
    if search.begin_anew() { next_of_all(program, context, search, room) } else { None }
}

fn next_of_all(program: &mut Program, context: &mut Context, search: &mut Search, room: usize) -> Option<Step> {
    motion::moved(program, context, search)
        .or_else(|| motion::scalars_moved(program, context, search))
        .or_else(|| motion::shared(program, search))
        .or_else(|| halves::merged(program, context, search))
        .or_else(|| separation::separated(program, context, search))
        .or_else(|| index_cases::split(program, context, search, room))
        .or_else(|| tables::tabulated(program, context, search))
        .or_else(|| interchange::interchanged(program, context, search))
}
