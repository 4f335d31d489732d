//! Simulated rounding errors on reals of 96 digits: they show how far rounding alone can move a derivative.
//!
//! An engine computes r = op(a, b) and its derivative r' = op_a a' + op_b b' in doubles. The simulation gives relative errors to r and
//! to each of the two products, and leaves the coefficients op_a and op_b as exact as the operation is:
//!
//! - r becomes r (1 + e), with a number e drawn for the operation;
//! - an operand a that a displacement has moved from its value A at the point becomes A + (a - A) (1 + d), with a number d drawn for the
//!   operation and the operand. So its derivative a' becomes a' (1 + d), and the coefficient stays.
//!
//! So an operation whose derivative is small in comparison with its value, as that of the hyperbolic tangent of 19, has a derivative
//! that is known as well as its value. A program that loses digits by cancellation, of values or of derivatives, has not.
//!
//! In nested quotients each of them has its own point A and its own d. The d of an inner one changes with the displacement of the outer ones,
//! linearly and by itself in a sixteenth of their points, because errors vary faster with the point than most
//! procedures do. So a derivative of a derivative is off by a part of itself and by a part of that derivative. All runs that one quotient
//! compares use the same numbers, so the perturbed function is as smooth as the procedure.
//!
//! A result that is a double is left alone, since doubles make no error there: counting down from 3 ends at 0. The
//! first run of an operation, without displacement, decides this; the other runs reuse its decision.
//!
//! A result that is too large for a double gets a relative error like others: its size is no matter of rounding. A sum of which one
//! operand is 2^160 times the other gets an error in each run as large as that of 96 digits.

use super::arithmetic::{PRECISION, Reference, add, is_finite, multiply, power_of_two, subtract, to_double};
use super::refusal::MOST_DIFFERENCES;
use crate::numbers::Numbers;
use astro_float_num::BigFloat;
use vlad_shared::table::Operation;

/// The largest relative error of a real, as a power of two: 2^8 times that of a double.
const SIZE: i32 = -45;

/// The most operands of an operation.
const OPERANDS: usize = 2;

/// The denominator of the part of a point in which the error of an inner derivative changes by itself.
const PART: f64 = 16.0;

/// The relative error of sums with 96 digits that absorb an operand, as a power of two.
const ABSORBED: i32 = 16 - PRECISION as i32;

/// The ratio of two operands, as a power of two, at which their sum keeps too little of the smaller one for a quotient.
const ABSORBING: u32 = PRECISION as u32 / 2;

/// The error of a derivative that comes in by an operand: a constant, and the change with the displacement of outer quotients. Both in units
/// of 2^[`SIZE`].
#[derive(Clone, Copy)]
struct DerivativeError {
    constant: f64,
    change: f64,
}

/// The errors of one operation.
#[derive(Clone)]
struct OperationErrors {
    /// The relative error of the result in units of 2^[`SIZE`]; none until the first result, and 0 if that is a double.
    result: Option<f64>,
    /// The errors of derivatives, by levels of quotients and by operands.
    derivatives: [[DerivativeError; OPERANDS]; MOST_DIFFERENCES],
    /// The operands in the last run in which the quotients of a level and all inside are at their points, by levels.
    points: [Vec<BigFloat>; MOST_DIFFERENCES],
}

/// The position of a run: the number of its next operation, and the displacements in the quotients around it, relative to
/// their points. The runs of a quotient begin with it.
#[derive(Clone)]
pub struct RunPosition {
    next: usize,
    displacements: Vec<BigFloat>,
}

/// The rounding errors of one evaluation, by the number of the operation.
pub struct RoundingErrors {
    numbers: Numbers,
    known: Vec<OperationErrors>,
    place: RunPosition,
}

/// Returns true if 96 digits, too, are too few for a sum.
fn is_absorbing(operation: Operation, operands: &[BigFloat]) -> bool {
    match (operation, operands) {
        (Operation::Add | Operation::Subtract, [x, y]) if !x.is_zero() && !y.is_zero() => {
            x.exponent().zip(y.exponent()).is_some_and(|(x, y)| x.abs_diff(y) > ABSORBING)
        }
        _ => false,
    }
}

/// A real with a relative error in units of a power of two.
fn off(real: &BigFloat, error: f64, unit: i32) -> BigFloat {
    add(real, &multiply(real, &multiply(&Reference::number(error), &power_of_two(unit))))
}

impl RoundingErrors {
    /// The roundings of a seed.
    pub fn new(seed: u64) -> RoundingErrors {
        let place = RunPosition { next: 0, displacements: Vec::new() };
        RoundingErrors { numbers: Numbers::new(seed), known: Vec::new(), place }
    }

    /// Returns the current position.
    pub fn place(&self) -> RunPosition {
        self.place.clone()
    }

    /// Returns the current position for the run around the innermost quotient.
    pub fn place_outside(&self) -> RunPosition {
        let mut place = self.place.clone();
        place.displacements.pop();
        place
    }

    /// Goes back to a position.
    pub fn go_back(&mut self, place: RunPosition) {
        self.place = place;
    }

    /// Goes back to a position, and from there into a quotient with a displacement, relative to its point.
    pub fn go_aside(&mut self, place: &RunPosition, displacement: BigFloat) {
        self.place = place.clone();
        self.place.displacements.push(displacement);
    }

    /// The operands of the next operation with the errors of their derivatives.
    pub fn operands(&mut self, operands: &[BigFloat]) -> Vec<BigFloat> {
        while self.known.len() <= self.place.next {
            let derivatives = std::array::from_fn(|_| std::array::from_fn(|_| self.derivative_error()));
            let points = std::array::from_fn(|_| Vec::new());
            self.known.push(OperationErrors { result: None, derivatives, points });
        }
        let displacements = &self.place.displacements;
        let moved = displacements.iter().rposition(|displacement| !displacement.is_zero()).map_or(0, |last| last + 1);
        let Some(errors) = self.known.get_mut(self.place.next) else { return operands.to_vec() };
        for point in errors.points.iter_mut().take(displacements.len()).skip(moved) {
            *point = operands.to_vec();
        }
        let mut result = operands.to_vec();
        let mut outside = Reference::number(0.0);
        for (level, displacement) in displacements.iter().enumerate().take(moved) {
            let Some((points, drawn)) = errors.points.get(level).zip(errors.derivatives.get(level)) else { break };
            let inner = if level + 1 < moved { errors.points.get(level + 1) } else { None };
            for (operand, real) in result.iter_mut().enumerate() {
                let reached = inner.map_or(operands, Vec::as_slice).get(operand);
                let (Some(reached), Some(point), Some(error)) = (reached, points.get(operand), drawn.get(operand))
                else {
                    continue;
                };
                if !is_finite(reached) || !is_finite(point) {
                    continue;
                }
                let size =
                    add(&Reference::number(error.constant), &multiply(&Reference::number(error.change), &outside));
                let size = multiply(&size, &power_of_two(SIZE));
                *real = add(real, &multiply(&size, &subtract(reached, point)));
            }
            outside = add(&outside, &multiply(displacement, &Reference::number(PART)));
        }
        result
    }

    /// The result of the next operation with its rounding error. A result too small for a double becomes the double it
    /// rounds to.
    pub fn result(&mut self, operation: Operation, operands: &[BigFloat], result: BigFloat) -> BigFloat {
        let double = to_double(&result);
        let (drawn, noise) = (self.error(), self.error());
        let Some(errors) = self.known.get_mut(self.place.next) else { return result };
        self.place.next += 1;
        let error = *errors.result.get_or_insert(if Reference::number(double) == result { 0.0 } else { drawn });
        match double == 0.0 {
            true => Reference::number(double),
            false if is_absorbing(operation, operands) => off(&off(&result, error, SIZE), noise, ABSORBED),
            false if error == 0.0 => result,
            false => off(&result, error, SIZE),
        }
    }

    /// A random number between -1 and 1, and not near 0.
    fn error(&mut self) -> f64 {
        let magnitude = 0.5 + self.numbers.below(1 << 20) as f64 / f64::from(1 << 21);
        if self.numbers.below(2) == 0 { magnitude } else { -magnitude }
    }

    fn derivative_error(&mut self) -> DerivativeError {
        DerivativeError { constant: self.error(), change: self.error() }
    }
}
