//! The kinds of the results and operands of actions.

use crate::first_order::{Kind, Tape};

/// The kinds of the results and of the operands of an action that has so many.
pub fn kinds(action: Tape, (results, operands): (usize, usize)) -> (Vec<Kind>, Vec<Kind>) {
    let reals = |count| vec![Kind::Real; count];
    match action {
        Tape::Begin | Tape::Sweep | Tape::BeginReads | Tape::EndReads => (Vec::new(), Vec::new()),
        Tape::Independent | Tape::Mark | Tape::Size | Tape::Reads => (reals(1), Vec::new()),
        Tape::Node => (reals(1), reals(if operands > 2 { 4 } else { 2 })),
        Tape::Seed => (Vec::new(), reals(2)),
        Tape::Accumulator => (reals(1), reals(1)),
        Tape::Release | Tape::ReadAgain => (Vec::new(), reals(1)),
        Tape::Allocate => (vec![Kind::Cell], Vec::new()),
        Tape::Refer => (vec![Kind::Cell], vec![Kind::REALS, Kind::Real]),
        Tape::Add => (Vec::new(), vec![Kind::Cell, Kind::Real]),
        Tape::Sum => (reals(1), vec![Kind::Cell]),
        Tape::HandOver => (Vec::new(), vec![Kind::Cell; 2]),
        Tape::Keep => (vec![Kind::Cell; results], [&[Kind::Real][..], &vec![Kind::Cell; results]].concat()),
    }
}
