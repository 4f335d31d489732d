//! Detection of jumps: records the whole numbers that reals are rounded to. A procedure that rounds to different ones
//! on the two sides of a point has a jump between them, which is a kink at the point or close to it.
//!
//! A run leaves a *trail*, a hash of these numbers. The trails of the three runs that a quotient compares are the same
//! unless there is a jump.

use super::arithmetic::{divide, floor};
use astro_float_num::{BigFloat, Sign};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;
use vlad_shared::table::Operation;

/// The whole numbers that one run has rounded to so far, and a flag for jumps in quotients inside.
#[derive(Default)]
pub struct Jumps {
    trail: DefaultHasher,
    jumped: bool,
}

impl Jumps {
    /// Begins the first of the runs that a quotient compares. Returns the state that [`Jumps::end`] restores.
    pub fn begin(&mut self) -> Jumps {
        mem::take(self)
    }

    /// Ends a run, returns its trail, and begins the next run.
    pub fn trail(&mut self) -> u64 {
        mem::take(&mut self.trail).finish()
    }

    /// Ends a quotient over runs with these trails and restores the state before it. Returns true if there was a jump.
    pub fn end(&mut self, before: Jumps, trails: &[u64]) -> bool {
        let jumped = self.jumped || trails.windows(2).any(|pair| matches!(pair, [a, b] if a != b));
        *self = Jumps { jumped: before.jumped || jumped, ..before };
        trails.first().hash(&mut self.trail);
        jumped
    }

    /// Records the value of an operation if it is a whole number or derived from one.
    pub fn note(&mut self, operation: Operation, operands: &[BigFloat], value: &BigFloat) {
        let whole = match (operation, operands) {
            (Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate, _) => value.clone(),
            (Operation::Modulo, [x, y]) => floor(&divide(x, y)),
            _ => return,
        };
        let Some((words, _, sign, exponent, _)) = whole.as_raw_parts() else { return };
        (words, sign == Sign::Neg, exponent).hash(&mut self.trail);
    }
}
