//! The operations of the table on reals with 96 digits, each by the definition of its function, and the special cases of functions of doubles.

use super::arithmetic::{PRECISION, Reference, add, cube_root, divide, floor, multiply, root, round, square, subtract};
use super::special;
use astro_float_num::BigFloat;
use std::f64::consts::PI;
use vlad_shared::table::Operation;

/// The exponent of operands up to which periodic functions are computed. Doubles and products of a few of them are below it.
const MOST_EXPONENT: i32 = 1 << 12;

/// Returns true if the value of an operation is not known: if the operand of a periodic function has no digits behind the point, since
/// it was rounded to 96, or is so large that its remainder takes pi to thousands of digits.
pub fn is_unknown(operation: Operation, operands: &[BigFloat]) -> bool {
    let is_periodic = matches!(operation, Operation::Sine | Operation::Cosine | Operation::Tangent);
    let Some((words, _, _, exponent, _)) = operands.first().filter(|_| is_periodic).and_then(BigFloat::as_raw_parts)
    else {
        return false;
    };
    let has_all_digits = words.len() * 64 >= PRECISION && words.first().is_some_and(|lowest| *lowest != 0);
    exponent > MOST_EXPONENT || (exponent > PRECISION as i32 && has_all_digits)
}

/// The operand beyond which an exponential function over- or underflows.
const BEYOND: f64 = 1200.0;

/// The operand beyond which the gamma function over- or underflows.
const BEYOND_GAMMA: f64 = 200.0;

impl Reference {
    /// The value of an operation.
    pub fn value(&mut self, operation: Operation, operands: &[BigFloat]) -> BigFloat {
        let Some(x) = operands.first() else { return Reference::number(f64::NAN) };
        let y = operands.get(1).unwrap_or(x);
        match operation {
            Operation::Copy => x.clone(),
            Operation::Add => add(x, y),
            Operation::Subtract => subtract(x, y),
            Operation::Multiply | Operation::GuardedMultiply => multiply(x, y),
            Operation::Divide => divide(x, y),
            Operation::Negate => x.neg(),
            Operation::SquareRoot => root(x),
            Operation::Exponential => self.exp(x),
            Operation::Logarithm => self.ln(x),
            Operation::Sine => self.sin(x),
            Operation::Cosine => self.cos(x),
            Operation::Tangent => self.tan(x),
            Operation::ArcSine => self.asin(x),
            Operation::ArcCosine => self.acos(x),
            Operation::ArcTangent => self.atan(x),
            Operation::ArcTangent2 => self.angle(x, y),
            Operation::HyperbolicSine => self.sinh(x),
            Operation::HyperbolicCosine => self.cosh(x),
            Operation::HyperbolicTangent => self.tanh(x),
            Operation::Power => self.power(x, y),
            Operation::Absolute => x.abs(),
            Operation::Maximum => {
                if x < y {
                    y.clone()
                } else {
                    x.clone()
                }
            }
            Operation::Minimum => {
                if y < x {
                    y.clone()
                } else {
                    x.clone()
                }
            }
            Operation::Floor => floor(x),
            Operation::Ceiling => floor(&x.neg()).neg(),
            Operation::Round => round(x),
            Operation::Truncate => subtract(x, &x.fract()),
            Operation::ErrorFunction => special::error_function(self, x),
            Operation::ComplementaryErrorFunction => special::complementary_error_function(self, x),
            Operation::LogGamma => special::log_gamma(self, x),
            Operation::Polygamma => special::polygamma(self, x, y),
            Operation::LogarithmOfOnePlus => self.log_of_one_plus(x),
            Operation::ExponentialMinusOne => self.exp_minus_one(x),
            Operation::InverseHyperbolicSine => self.asinh(x),
            Operation::InverseHyperbolicCosine => self.acosh(x),
            Operation::InverseHyperbolicTangent => self.atanh(x),
            Operation::Hypotenuse => root(&add(&square(x), &square(y))),
            Operation::CubeRoot => cube_root(x),
            Operation::BinaryExponential => self.power(&Reference::number(2.0), x),
            Operation::BinaryLogarithm => self.log2(x),
            Operation::DecimalLogarithm => self.log10(x),
            Operation::Gamma => special::gamma(self, x),
            Operation::Modulo => subtract(x, &multiply(y, &floor(&divide(x, y)))),
        }
    }
}

/// An operand at which a function has the rounded value that it has at x, and which its computation takes little time for: a result that
/// over- or underflows does so from nearer operands on.
pub(super) fn within_range(operation: Operation, x: f64) -> f64 {
    match operation {
        Operation::Exponential
        | Operation::BinaryExponential
        | Operation::ExponentialMinusOne
        | Operation::HyperbolicSine
        | Operation::HyperbolicCosine
        | Operation::HyperbolicTangent => x.clamp(-BEYOND, BEYOND),
        Operation::Gamma => x.min(BEYOND_GAMMA),
        _ => x,
    }
}

/// The value of a function of one operand at a zero, at an infinity, at what is no number, and where the sign of a zero is
/// to be stated (F.10.1 to F.10.8).
pub(super) fn special_value(operation: Operation, x: f64) -> Option<f64> {
    if x.is_nan() {
        return Some(x);
    }
    let is_zero = x == 0.0;
    match operation {
        Operation::Sine | Operation::Tangent => match x.is_infinite() {
            true => Some(f64::NAN),
            false => is_zero.then_some(x),
        },
        Operation::Cosine => x.is_infinite().then_some(f64::NAN),
        Operation::ArcTangent => match x.is_infinite() {
            true => Some((PI / 2.0).copysign(x)),
            false => is_zero.then_some(x),
        },
        Operation::HyperbolicTangent | Operation::ErrorFunction => match x.is_infinite() {
            true => Some(1f64.copysign(x)),
            false => is_zero.then_some(x),
        },
        Operation::HyperbolicSine | Operation::InverseHyperbolicSine | Operation::CubeRoot => {
            (is_zero || x.is_infinite()).then_some(x)
        }
        Operation::HyperbolicCosine => x.is_infinite().then_some(f64::INFINITY),
        Operation::ArcSine => match x.abs() > 1.0 {
            true => Some(f64::NAN),
            false => is_zero.then_some(x),
        },
        Operation::ArcCosine => match x.abs() > 1.0 {
            true => Some(f64::NAN),
            false => (x == 1.0).then_some(0.0),
        },
        Operation::InverseHyperbolicCosine => match x < 1.0 {
            true => Some(f64::NAN),
            false if x == 1.0 => Some(0.0),
            false => x.is_infinite().then_some(x),
        },
        Operation::InverseHyperbolicTangent => match x.abs() > 1.0 {
            true => Some(f64::NAN),
            false if x.abs() == 1.0 => Some(f64::INFINITY.copysign(x)),
            false => is_zero.then_some(x),
        },
        Operation::Exponential | Operation::BinaryExponential => match x.is_infinite() {
            true => Some(if x > 0.0 { x } else { 0.0 }),
            false => None,
        },
        Operation::ExponentialMinusOne => match x.is_infinite() {
            true => Some(if x > 0.0 { x } else { -1.0 }),
            false => is_zero.then_some(x),
        },
        Operation::Logarithm | Operation::BinaryLogarithm | Operation::DecimalLogarithm => match x < 0.0 {
            true => Some(f64::NAN),
            false if is_zero => Some(f64::NEG_INFINITY),
            false if x == 1.0 => Some(0.0),
            false => x.is_infinite().then_some(x),
        },
        Operation::LogarithmOfOnePlus => match x < -1.0 {
            true => Some(f64::NAN),
            false if x == -1.0 => Some(f64::NEG_INFINITY),
            false => (is_zero || x.is_infinite()).then_some(x),
        },
        Operation::ComplementaryErrorFunction => match x.is_infinite() {
            true => Some(if x > 0.0 { 0.0 } else { 2.0 }),
            false => None,
        },
        Operation::LogGamma => match x.is_infinite() || (x <= 0.0 && x.fract() == 0.0) {
            true => Some(f64::INFINITY),
            false => (x == 1.0 || x == 2.0).then_some(0.0),
        },
        Operation::Gamma => match x.is_infinite() {
            true => Some(if x > 0.0 { x } else { f64::NAN }),
            false if is_zero => Some(f64::INFINITY.copysign(x)),
            false if x < 0.0 && x.fract() == 0.0 => Some(f64::NAN),
            // The sign is that of the number of negative factors.
            false => (x < -BEYOND_GAMMA).then(|| if is_odd(x.floor()) { -0.0 } else { 0.0 }),
        },
        // These have two operands.
        Operation::Power | Operation::ArcTangent2 | Operation::Hypotenuse => None,
        // These are not rounded functions.
        Operation::Add
        | Operation::Subtract
        | Operation::Multiply
        | Operation::Divide
        | Operation::Negate
        | Operation::SquareRoot
        | Operation::Absolute
        | Operation::Maximum
        | Operation::Minimum
        | Operation::Floor
        | Operation::Ceiling
        | Operation::Round
        | Operation::Truncate
        | Operation::Modulo
        | Operation::GuardedMultiply
        | Operation::Copy
        | Operation::Polygamma => None,
    }
}

pub(super) fn is_odd(y: f64) -> bool {
    (y % 2.0).abs() == 1.0
}
