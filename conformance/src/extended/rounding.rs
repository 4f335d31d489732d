//! Simulated rounding errors on reals of 96 digits: they show how far rounding alone can move a derivative.
//!
//! The result r of the k-th operation becomes r (1 + e(s)), with a polynomial e of small coefficients drawn for k, and
//! s the displacement of the point in sixteenths of the point, because rounding errors vary faster with the point than
//! most procedures do. So the relative error of the value is e, and its derivative is off by a part of itself and by a
//! part of the value, and a derivative of a derivative likewise: the errors of doubles in primals and tangents. All
//! runs that one quotient compares use the same e, so the perturbed function is as smooth as the procedure.
//!
//! A result that is a double is left alone, since doubles make no error there: counting down from 3 ends at 0. The
//! first run of an operation, without displacement, decides this; the other runs reuse its decision.
//!
//! A result that is too large for a double gets a relative error like others: its size is no matter of rounding.

use super::arithmetic::{PRECISION, Reference, add, multiply, power_of_two, to_double};
use super::refusal::MOST_DIFFERENCES;
use crate::numbers::Numbers;
use astro_float_num::BigFloat;
use vlad_shared::table::Operation;

/// The largest relative error of a real, as a power of two: 2^8 times that of a double.
const SIZE: i32 = -45;

/// One coefficient for the value, and one for each of the quotients that may be nested.
const COEFFICIENTS: usize = MOST_DIFFERENCES + 1;

/// The rounding error of one operation.
#[derive(Clone)]
enum Rounding {
    /// Its result is a double.
    Exact,
    /// The coefficients, the highest first.
    Off(Box<[BigFloat; COEFFICIENTS]>),
}

/// The denominator of the part of a point that is the unit of its displacement.
const PART: f64 = 16.0;

/// The position of a run: the number of its next operation and its displacement. The runs of a quotient begin with it.
#[derive(Clone)]
pub struct RunPosition {
    next: usize,
    displacement: BigFloat,
}

/// The rounding errors of one evaluation, by the number of the operation.
pub struct RoundingErrors {
    numbers: Numbers,
    known: Vec<Rounding>,
    place: RunPosition,
}

/// The ratio of two operands, as a power of two, at which their sum keeps too little of the smaller one for a quotient.
const ABSORBING: u32 = PRECISION as u32 / 2;

/// Returns true if 96 digits, too, are too few for a sum.
fn is_absorbing(operation: Operation, operands: &[BigFloat]) -> bool {
    match (operation, operands) {
        (Operation::Add | Operation::Subtract, [x, y]) if !x.is_zero() && !y.is_zero() => {
            x.exponent().zip(y.exponent()).is_some_and(|(x, y)| x.abs_diff(y) > ABSORBING)
        }
        _ => false,
    }
}

impl RoundingErrors {
    /// The roundings of a seed.
    pub fn new(seed: u64) -> RoundingErrors {
        let place = RunPosition { next: 0, displacement: Reference::number(0.0) };
        RoundingErrors { numbers: Numbers::new(seed), known: Vec::new(), place }
    }

    /// Returns the current position.
    pub fn place(&self) -> RunPosition {
        self.place.clone()
    }

    /// Goes back to a position.
    pub fn go_back(&mut self, place: RunPosition) {
        self.place = place;
    }

    /// Goes back to a position, and displaces the point from there in the direction of a quotient.
    pub fn go_aside(&mut self, place: &RunPosition, displacement: &BigFloat) {
        let displacement = multiply(displacement, &Reference::number(PART));
        self.place = RunPosition { next: place.next, displacement: add(&place.displacement, &displacement) };
    }

    /// The result of the next operation with its rounding error. A result too small for a double becomes the double it
    /// rounds to.
    pub fn apply(&mut self, operation: Operation, operands: &[BigFloat], result: BigFloat) -> BigFloat {
        let double = to_double(&result);
        let at = self.place.next;
        self.place.next += 1;
        while self.known.len() <= at {
            let parts = std::array::from_fn(|_| self.part());
            let is_exact = Reference::number(double) == result && !is_absorbing(operation, operands);
            self.known.push(if is_exact { Rounding::Exact } else { Rounding::Off(Box::new(parts)) });
        }
        if double == 0.0 {
            return Reference::number(double);
        }
        match self.known.get(at) {
            Some(Rounding::Off(parts)) => {
                let zero = Reference::number(0.0);
                let off =
                    parts.iter().fold(zero, |so_far, part| add(part, &multiply(&so_far, &self.place.displacement)));
                add(&result, &multiply(&result, &off))
            }
            Some(Rounding::Exact) | None => result,
        }
    }

    /// A random coefficient: a number between -1 and 1, and not near 0, times 2^[`SIZE`].
    fn part(&mut self) -> BigFloat {
        let magnitude = 0.5 + self.numbers.below(1 << 20) as f64 / f64::from(1 << 21);
        let signed = if self.numbers.below(2) == 0 { magnitude } else { -magnitude };
        multiply(&Reference::number(signed), &power_of_two(SIZE))
    }
}
