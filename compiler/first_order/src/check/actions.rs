//! The kinds of the results and operands of actions.

use crate::{AccumulatorAction, Action, JournalAction, Kind, MemoryAction, TapeAction};

/// The kinds of the results and of the operands of an action that has so many.
pub fn kinds(action: Action, (results, operands): (usize, usize)) -> (Vec<Kind>, Vec<Kind>) {
    let reals = |count| vec![Kind::Real; count];
    match action {
        Action::Tape(action) => match action {
            TapeAction::Begin | TapeAction::Sweep => (Vec::new(), Vec::new()),
            TapeAction::Independent => (reals(1), Vec::new()),
            TapeAction::Node => (reals(1), reals(if operands > 2 { 4 } else { 2 })),
            TapeAction::Seed => (Vec::new(), reals(2)),
            TapeAction::Accumulator => (reals(1), reals(1)),
        },
        Action::Accumulator(action) => match action {
            AccumulatorAction::Allocate => (vec![Kind::Cell], Vec::new()),
            AccumulatorAction::Refer => (vec![Kind::Cell], vec![Kind::REALS, Kind::Real]),
            AccumulatorAction::Add => (Vec::new(), vec![Kind::Cell, Kind::Real]),
            AccumulatorAction::Sum => (reals(1), vec![Kind::Cell]),
            AccumulatorAction::HandOver => (Vec::new(), vec![Kind::Cell; 2]),
        },
        Action::Memory(action) => match action {
            MemoryAction::Mark | MemoryAction::Size => (reals(1), Vec::new()),
            MemoryAction::Release => (Vec::new(), reals(1)),
            MemoryAction::Keep => (vec![Kind::Cell; results], [&[Kind::Real][..], &vec![Kind::Cell; results]].concat()),
        },
        Action::Journal(action) => match action {
            JournalAction::Begin | JournalAction::End => (Vec::new(), Vec::new()),
            JournalAction::Reads => (reals(1), Vec::new()),
            JournalAction::ReadAgain => (Vec::new(), reals(1)),
        },
    }
}
