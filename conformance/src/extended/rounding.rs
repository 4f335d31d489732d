//! Reals that are off as if operations rounded them: how far rounding alone can move a derivative.
//!
//! The result r of the k-th operation becomes r (1 + e(s)), with a polynomial e of small coefficients drawn for k, and s how far
//! the point is displaced, in sixteenths of itself: what rounding does changes faster than most procedures do. So the value is
//! off by a part of itself, its derivative by as much and by a part of the value, and a derivative of a derivative likewise:
//! what doubles do to primals and tangents. All runs that one quotient compares are off by the same e, so that what they are
//! of is as smooth as the procedure.
//!
//! A result that is a double is left alone, since doubles make no error there: counting down from 3 ends at 0. What the
//! first run of an operation, the one without displacement, finds is kept for the others.
//!
//! A result that is too large for a double is off by a part of itself like others: its size is no matter of rounding.

use super::arithmetic::{PRECISION, Reference, add, multiply, power_of_two, to_double};
use super::machine::MOST_DIFFERENCES;
use crate::numbers::Numbers;
use astro_float_num::BigFloat;
use vlad_shared::table::Operation;

/// By which part of itself a real is off at most, as a power of two: 2^8 times as much as a double.
const SIZE: i32 = -45;

/// One for the value, and one for each of the quotients that may be inside one another.
const COEFFICIENTS: usize = MOST_DIFFERENCES + 1;

/// One operation.
#[derive(Clone)]
enum Rounding {
    /// Its result is a double.
    Exact,
    /// The coefficients, the highest first.
    Off(Box<[BigFloat; COEFFICIENTS]>),
}

/// Which part of a point is the unit of its displacement.
const PART: f64 = 16.0;

/// Where a point is and where it counts on from: what the runs of a quotient begin with.
#[derive(Clone)]
pub struct Place {
    next: usize,
    displacement: BigFloat,
}

/// The roundings of one evaluation.
pub struct Roundings {
    numbers: Numbers,
    known: Vec<Rounding>,
    place: Place,
}

/// The ratio of two operands, as a power of two, at which their sum keeps too little of the smaller one for a quotient.
const ABSORBING: u32 = PRECISION as u32 / 2;

/// Tells if 96 digits, too, are too few for a sum.
fn is_absorbing(operation: Operation, operands: &[BigFloat]) -> bool {
    match (operation, operands) {
        (Operation::Add | Operation::Subtract, [x, y]) if !x.is_zero() && !y.is_zero() => {
            x.exponent().zip(y.exponent()).is_some_and(|(x, y)| x.abs_diff(y) > ABSORBING)
        }
        _ => false,
    }
}

impl Roundings {
    /// Those of a seed.
    pub fn new(seed: u64) -> Roundings {
        let place = Place { next: 0, displacement: Reference::number(0.0) };
        Roundings { numbers: Numbers::new(seed), known: Vec::new(), place }
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        self.place.clone()
    }

    /// Goes back to a place.
    pub fn go_back(&mut self, place: Place) {
        self.place = place;
    }

    /// Goes back to a place, and from there so far in the direction of a quotient.
    pub fn go_aside(&mut self, place: &Place, displacement: &BigFloat) {
        let displacement = multiply(displacement, &Reference::number(PART));
        self.place = Place { next: place.next, displacement: add(&place.displacement, &displacement) };
    }

    /// The result of the next operation, made wrong. What is too small for a double ends as it would there.
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

    /// A number between -1 and 1, and not near 0, times the size.
    fn part(&mut self) -> BigFloat {
        let magnitude = 0.5 + self.numbers.below(1 << 20) as f64 / f64::from(1 << 21);
        let signed = if self.numbers.below(2) == 0 { magnitude } else { -magnitude };
        multiply(&Reference::number(signed), &power_of_two(SIZE))
    }
}
