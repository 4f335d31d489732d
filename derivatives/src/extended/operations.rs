//! The operations of the table on reals with 96 digits, each by the definition of its function.

use super::arithmetic::{PRECISION, Reference, add, cube_root, divide, floor, multiply, root, round, square, subtract};
use super::special;
use astro_float_num::BigFloat;
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
