//! The evaluator: statements on a mutable store, the semantics of Fortran 77 with nested subprograms and blocks of
//! differentiation.
//!
//! - `machine`: the state; `units`: the names that each subprogram declares; `store`: cells, and the observation of aliases;
//! - `frames`: activations, calls and references; `expressions`; `statements`; `blocks`: differentiation.
//!
//! Programs beyond its limits, or whose behaviour Fortran leaves open, have an unknown outcome.

mod behaviour;
mod blocks;
mod expressions;
mod frames;
mod machine;
mod statements;
mod store;
mod units;
mod value;

pub use behaviour::{Behaviour, Ending, LIMITS, Limits, Line, Printed};

use crate::tree::Program;
use machine::Evaluator;
use store::Store;
use units::units;
use value::Halt;

/// Evaluates a program.
pub fn evaluate(program: &Program, limits: Limits) -> Behaviour {
    let units = units(program);
    let mut evaluator = Evaluator {
        units,
        store: Store::default(),
        frames: Vec::new(),
        input: program.input.iter(),
        lines: Vec::new(),
        statements_left: limits.statements,
        depth_left: limits.depth,
        implied: 0,
        level: 0,
        differentiates: false,
    };
    let ending = match evaluator.run() {
        Ok(()) | Err(Halt::Stopped) => Ending::Finished,
        Err(Halt::Failed(reason)) => Ending::Failed(reason),
        Err(Halt::Unknown(reason)) => Ending::Unknown(reason),
        Err(Halt::Broken(reason)) => Ending::Broken(reason),
    };
    Behaviour {
        lines: evaluator.lines,
        ending,
        is_aliased: evaluator.store.is_aliased,
        differentiates: evaluator.differentiates,
    }
}
