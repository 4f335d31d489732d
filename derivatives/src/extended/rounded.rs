//! The mathematical functions of part 10.2 of the report at doubles: the real value rounded to nearest, ties to even, with the special
//! cases of Annex F of C (ISO/IEC 9899:2024, F.10).
//!
//! A value is computed with 128 bits first. If these do not tell how it is rounded, it is computed with 320 bits and rounded to 256 bits before
//! it is rounded to a double. So a value within 2^-257 of a double or of the middle between two, relatively, counts as exactly that. This
//! is right for these reasons:
//!
//! - Beside a double, both sides of it have the same result.
//! - Most values at doubles are transcendental. Such a value is as near to a middle as a random number. For 2^64 operands a distance of
//!   2^-120 is to be expected, for 2^128 pairs of operands one of 2^-190. The worst cases that are known agree with that.
//! - A power, a hypotenuse or a cube root can be algebraic. A hypotenuse or root of a number N is not nearer to a middle m than
//!   |N - m^2| / 2m^2, which is above 2^-230. A power with a rational exponent of few bits has such a bound as well; then it is
//!   exactly a middle or far from it.
//! - An angle whose quotient is a middle between subnormal numbers is a little less than the quotient ([`Reference::rounded`] takes
//!   care of that). All other functions that are near their operand at small operands are near a double.

use super::arithmetic::{Reference, add, divide, multiply, power_of_two, subtract, to_double};
use super::operations::{is_odd, special_value, within_range};
use astro_float_num::{BigFloat, RoundingMode};
use std::f64::consts::PI;
use vlad_shared::table::operations::{InC, OPERATIONS};
use vlad_shared::table::{Arity, Operation};

use Operation as O;

/// The functions of part 10.2 that are rounded, in the order of the table.
pub fn functions() -> impl Iterator<Item = Operation> {
    OPERATIONS.iter().map(|row| row.operation).filter(|operation| is_function(*operation))
}

fn is_function(operation: Operation) -> bool {
    matches!(operation.row().in_c, InC::Function(_))
}

/// The bits of a value that decide how it is rounded.
const DECIDING: usize = 256;

/// The bits with which a value is computed first.
const FEW: usize = 128;

/// The exponent of the relative error of a value that was computed with [`FEW`] bits: more than 20 bits are left for what operands magnify.
const FEW_ERROR: i32 = -100;

/// The binary logarithm beyond which a power over- or underflows.
const BEYOND: f64 = 1200.0;

impl Reference {
    /// The rounded value of one of [`functions`]; none for other operations, and for another number of operands.
    pub fn rounded(&mut self, operation: Operation, operands: &[f64]) -> Option<f64> {
        match (operation, operands) {
            (O::ArcTangent2, &[y, x]) => Some(special_angle(y, x).unwrap_or_else(|| self.rounded_angle(y, x))),
            (O::Power, &[x, y]) => Some(special_power(x, y).unwrap_or_else(|| self.rounded_power(x, y))),
            (O::Hypotenuse, &[x, y]) => Some(match (x.is_infinite() || y.is_infinite(), x.is_nan() || y.is_nan()) {
                (true, _) => f64::INFINITY,
                (false, true) => f64::NAN,
                (false, false) => decided(self.value(operation, &[Reference::number(x), Reference::number(y)])),
            }),
            (_, &[x]) if is_function(operation) && operation.arity() == Arity::One => {
                Some(special_value(operation, x).unwrap_or_else(|| self.rounded_at(operation, x)))
            }
            _ => None,
        }
    }

    /// The value of a function of one operand that is no special case.
    fn rounded_at(&mut self, operation: Operation, x: f64) -> f64 {
        self.rounded_value(operation, &[Reference::number(within_range(operation, x))])
    }

    /// The angle of a point that is on no axis. A quotient below 2^-300 is greater than its arc tangent, by less than the digits tell,
    /// and may be a middle between two subnormal numbers.
    fn rounded_angle(&mut self, y: f64, x: f64) -> f64 {
        let (upper, lower) = (Reference::number(y), Reference::number(x));
        let quotient = divide(&upper, &lower);
        if x > 0.0 && quotient.abs() < power_of_two(-300) {
            return decided(subtract(&quotient, &multiply(&quotient, &power_of_two(-200))));
        }
        self.rounded_value(O::ArcTangent2, &[upper, lower])
    }

    /// A power of a finite number other than zero, with a finite exponent that is whole if the number is negative.
    fn rounded_power(&mut self, x: f64, y: f64) -> f64 {
        let exponent = y * x.abs().log2();
        if exponent.abs() > BEYOND {
            let magnitude = if exponent > 0.0 { f64::INFINITY } else { 0.0 };
            return if x < 0.0 && is_odd(y) { -magnitude } else { magnitude };
        }
        self.rounded_value(O::Power, &[Reference::number(x), Reference::number(y)])
    }

    /// The rounded value of an operation. The logarithm of the gamma function loses digits near its zeros, so it has all digits at once.
    fn rounded_value(&mut self, operation: Operation, operands: &[BigFloat]) -> f64 {
        if operation != O::LogGamma {
            let value = self.with_precision(FEW, |reference| reference.value(operation, operands));
            let error = multiply(&value, &power_of_two(FEW_ERROR));
            let (lower, upper) = (to_double(&subtract(&value, &error)), to_double(&add(&value, &error)));
            if lower.to_bits() == upper.to_bits() && !lower.is_nan() {
                return lower;
            }
        }
        decided(self.value(operation, operands))
    }
}

/// The double of a value that was computed with more bits than decide.
fn decided(mut value: BigFloat) -> f64 {
    match value.set_precision(DECIDING, RoundingMode::ToEven) {
        Ok(()) => to_double(&value),
        Err(_) => f64::NAN,
    }
}

/// The angle of a point on an axis or at an infinity (F.10.1.4).
fn special_angle(y: f64, x: f64) -> Option<f64> {
    if y.is_nan() || x.is_nan() {
        return Some(f64::NAN);
    }
    let is_left = x.is_sign_negative();
    let magnitude = match (y.is_infinite(), x.is_infinite()) {
        (true, true) => {
            if is_left {
                3.0 * (PI / 4.0)
            } else {
                PI / 4.0
            }
        }
        (true, false) => PI / 2.0,
        (false, true) => {
            if is_left {
                PI
            } else {
                0.0
            }
        }
        (false, false) if y == 0.0 => {
            if is_left {
                PI
            } else {
                0.0
            }
        }
        (false, false) if x == 0.0 => PI / 2.0,
        (false, false) => return None,
    };
    Some(magnitude.copysign(y))
}

/// A power with a zero, an infinity, a one or no number in it, and of a negative number with an exponent that is not whole
/// (F.10.4.5).
fn special_power(x: f64, y: f64) -> Option<f64> {
    if y == 0.0 || x == 1.0 {
        return Some(1.0);
    }
    if x.is_nan() || y.is_nan() {
        return Some(f64::NAN);
    }
    let size = x.abs();
    if y.is_infinite() {
        return Some(match size == 1.0 {
            true => 1.0,
            false => {
                if (size > 1.0) == (y > 0.0) {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
        });
    }
    if size == 0.0 || size.is_infinite() {
        let magnitude = if (size == 0.0) == (y > 0.0) { 0.0 } else { f64::INFINITY };
        return Some(if x.is_sign_negative() && is_odd(y) { -magnitude } else { magnitude });
    }
    (x < 0.0 && y.fract() != 0.0).then_some(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFINITY: f64 = f64::INFINITY;
    const LEAST: f64 = f64::from_bits(1);

    /// Checks values with the signs of zeros.
    fn check(operation: Operation, cases: &[(&[f64], f64)]) {
        let mut reference = Reference::new().unwrap();
        for (operands, expected) in cases {
            let found = reference.rounded(operation, operands).unwrap();
            let is_same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
            assert!(is_same, "{operation:?} {operands:?}: {found:e}, not {expected:e}");
        }
    }

    #[test]
    fn other_operations_are_exact_or_defined_by_their_order() {
        let mut reference = Reference::new().unwrap();
        let operands = [0.5, 0.5];
        for row in &OPERATIONS {
            let count = match row.operation.arity() {
                Arity::One => 1,
                Arity::Two => 2,
            };
            let rounded = reference.rounded(row.operation, &operands[..count]);
            assert_eq!(rounded.is_some(), is_function(row.operation), "{}", row.name);
        }
    }

    #[test]
    fn special_cases_of_one_operand_are_those_of_annex_f() {
        const NAN: f64 = f64::NAN;
        for operation in [O::Sine, O::Tangent] {
            check(operation, &[(&[0.0], 0.0), (&[-0.0], -0.0), (&[INFINITY], NAN), (&[-INFINITY], NAN)]);
        }
        check(O::Cosine, &[(&[0.0], 1.0), (&[-0.0], 1.0), (&[INFINITY], NAN), (&[-INFINITY], NAN)]);
        check(O::ArcSine, &[(&[-0.0], -0.0), (&[1.5], NAN), (&[-INFINITY], NAN), (&[1.0], PI / 2.0)]);
        check(O::ArcCosine, &[(&[1.0], 0.0), (&[-1.0], PI), (&[0.0], PI / 2.0), (&[-1.5], NAN), (&[INFINITY], NAN)]);
        check(O::ArcTangent, &[(&[-0.0], -0.0), (&[INFINITY], PI / 2.0), (&[-INFINITY], -PI / 2.0)]);
        for operation in [O::HyperbolicSine, O::InverseHyperbolicSine, O::CubeRoot] {
            check(operation, &[(&[0.0], 0.0), (&[-0.0], -0.0), (&[INFINITY], INFINITY), (&[-INFINITY], -INFINITY)]);
        }
        check(O::HyperbolicCosine, &[(&[-0.0], 1.0), (&[INFINITY], INFINITY), (&[-INFINITY], INFINITY)]);
        for operation in [O::HyperbolicTangent, O::ErrorFunction] {
            check(operation, &[(&[0.0], 0.0), (&[-0.0], -0.0), (&[INFINITY], 1.0), (&[-INFINITY], -1.0)]);
        }
        check(
            O::InverseHyperbolicCosine,
            &[(&[1.0], 0.0), (&[0.5], NAN), (&[-INFINITY], NAN), (&[INFINITY], INFINITY)],
        );
        check(
            O::InverseHyperbolicTangent,
            &[(&[-0.0], -0.0), (&[1.0], INFINITY), (&[-1.0], -INFINITY), (&[1.5], NAN), (&[INFINITY], NAN)],
        );
        for operation in [O::Exponential, O::BinaryExponential] {
            check(operation, &[(&[-0.0], 1.0), (&[-INFINITY], 0.0), (&[INFINITY], INFINITY)]);
        }
        check(O::ExponentialMinusOne, &[(&[-0.0], -0.0), (&[-INFINITY], -1.0), (&[INFINITY], INFINITY)]);
        for operation in [O::Logarithm, O::BinaryLogarithm, O::DecimalLogarithm] {
            let zeros: [(&[f64], f64); 2] = [(&[0.0], -INFINITY), (&[-0.0], -INFINITY)];
            check(operation, &zeros);
            check(operation, &[(&[1.0], 0.0), (&[-1.0], NAN), (&[-INFINITY], NAN), (&[INFINITY], INFINITY)]);
        }
        check(
            O::LogarithmOfOnePlus,
            &[(&[0.0], 0.0), (&[-0.0], -0.0), (&[-1.0], -INFINITY), (&[-2.0], NAN), (&[INFINITY], INFINITY)],
        );
        check(O::ComplementaryErrorFunction, &[(&[0.0], 1.0), (&[-INFINITY], 2.0), (&[INFINITY], 0.0)]);
        check(O::LogGamma, &[(&[1.0], 0.0), (&[2.0], 0.0), (&[-0.0], INFINITY), (&[-3.0], INFINITY)]);
        check(O::LogGamma, &[(&[-INFINITY], INFINITY), (&[INFINITY], INFINITY)]);
        check(O::Gamma, &[(&[0.0], INFINITY), (&[-0.0], -INFINITY), (&[-3.0], NAN), (&[-INFINITY], NAN)]);
        check(O::Gamma, &[(&[-250.5], -0.0), (&[-251.5], 0.0), (&[-190.5], -0.0), (&[-191.5], 0.0)]);
        for operation in functions().filter(|operation| operation.arity() == Arity::One) {
            check(operation, &[(&[NAN], NAN)]);
        }
    }

    #[test]
    fn special_cases_of_two_operands_are_those_of_annex_f() {
        const NAN: f64 = f64::NAN;
        check(O::ArcTangent2, &[(&[0.0, -0.0], PI), (&[-0.0, -0.0], -PI), (&[0.0, 0.0], 0.0), (&[-0.0, 0.0], -0.0)]);
        check(O::ArcTangent2, &[(&[0.0, -1.0], PI), (&[-0.0, -1.0], -PI), (&[0.0, 1.0], 0.0), (&[-0.0, 1.0], -0.0)]);
        check(O::ArcTangent2, &[(&[-1.0, 0.0], -PI / 2.0), (&[1.0, -0.0], PI / 2.0), (&[1.0, -INFINITY], PI)]);
        check(O::ArcTangent2, &[(&[-1.0, INFINITY], -0.0), (&[INFINITY, 1.0], PI / 2.0), (&[NAN, 0.0], NAN)]);
        let three_quarters = 2.356_194_490_192_345;
        check(O::ArcTangent2, &[(&[-INFINITY, -INFINITY], -three_quarters), (&[INFINITY, INFINITY], PI / 4.0)]);
        check(O::Hypotenuse, &[(&[INFINITY, NAN], INFINITY), (&[NAN, -INFINITY], INFINITY), (&[NAN, 0.0], NAN)]);
        check(O::Hypotenuse, &[(&[-0.0, -0.0], 0.0), (&[-0.0, -3.0], 3.0)]);
        check(O::Power, &[(&[0.0, -3.0], INFINITY), (&[-0.0, -3.0], -INFINITY), (&[-0.0, -2.0], INFINITY)]);
        check(O::Power, &[(&[-0.0, -INFINITY], INFINITY), (&[-0.0, 3.0], -0.0), (&[-0.0, 2.5], 0.0)]);
        check(
            O::Power,
            &[(&[-1.0, INFINITY], 1.0), (&[-1.0, -INFINITY], 1.0), (&[1.0, NAN], 1.0), (&[NAN, -0.0], 1.0)],
        );
        check(O::Power, &[(&[-2.0, 0.5], NAN), (&[0.5, -INFINITY], INFINITY), (&[-2.0, -INFINITY], 0.0)]);
        check(O::Power, &[(&[0.5, INFINITY], 0.0), (&[-2.0, INFINITY], INFINITY), (&[NAN, 1.0], NAN)]);
        check(O::Power, &[(&[-INFINITY, -3.0], -0.0), (&[-INFINITY, -2.0], 0.0), (&[-INFINITY, 3.0], -INFINITY)]);
        check(O::Power, &[(&[-INFINITY, 2.0], INFINITY), (&[INFINITY, -0.5], 0.0), (&[INFINITY, 0.5], INFINITY)]);
        check(
            O::Power,
            &[(&[-2.0, 1e17], INFINITY), (&[-3.0, 4_294_967_295.0], -INFINITY), (&[-3.0, -4_294_967_295.0], -0.0)],
        );
    }

    #[test]
    fn ties_go_to_even_doubles() {
        // (2^27 + 1)^2 has 55 bits, of which the last is 1: 2^54 + 2^28 + 1 lies between two multiples of 4.
        let odd = 134_217_729.0;
        check(O::Power, &[(&[odd, 2.0], 18_014_398_777_917_440.0), (&[2.0, -1075.0], 0.0), (&[-2.0, -1075.0], -0.0)]);
        // 94906267^2 has 54 bits: 9007199515875289 is odd and above 2^53.
        check(
            O::Power,
            &[(&[94_906_267.0, 2.0], 9_007_199_515_875_288.0), (&[3.0, 34.0], 3f64.powi(17) * 3f64.powi(17))],
        );
        check(O::BinaryExponential, &[(&[-1075.0], 0.0), (&[-1074.0], LEAST), (&[-1074.5], LEAST)]);
        // A quotient of one and a half units is a tie, and its arc tangent is less.
        check(O::ArcTangent2, &[(&[3.0 * LEAST, 2.0], LEAST), (&[-3.0 * LEAST, 2.0], -LEAST), (&[LEAST, 2.0], 0.0)]);
        check(O::ArcTangent2, &[(&[4.0 * LEAST, 2.0], 2.0 * LEAST), (&[5.0 * LEAST, 2.0], 2.0 * LEAST)]);
    }

    #[test]
    fn values_at_the_ends_of_the_range_have_all_digits() {
        let tiny = 1e-300;
        for operation in
            [O::LogarithmOfOnePlus, O::ExponentialMinusOne, O::Sine, O::ArcTangent, O::InverseHyperbolicTangent]
        {
            check(operation, &[(&[tiny], tiny), (&[-tiny], -tiny), (&[LEAST], LEAST)]);
        }
        check(O::LogGamma, &[(&[-tiny], 690.775_527_898_213_7), (&[tiny], 690.775_527_898_213_7)]);
        check(
            O::Gamma,
            &[(&[-tiny], -9.999_999_999_999_999e299), (&[171.0], 7.257_415_615_307_999e306), (&[172.0], INFINITY)],
        );
        // The double that is nearest to a multiple of pi / 2 (Muller, Elementary Functions, 11.3.2).
        let near_multiple = 6_381_956_970_095_103.0 * 2f64.powi(797);
        check(O::Cosine, &[(&[near_multiple], -4.687_165_924_254_628e-19)]);
        check(O::Sine, &[(&[near_multiple], 1.0), (&[1e308], 0.453_396_490_501_649_1)]);
        check(
            O::Exponential,
            &[(&[-745.133_219_101_941_1], LEAST), (&[-745.133_219_101_941_2], 0.0), (&[1e308], INFINITY)],
        );
        check(O::Hypotenuse, &[(&[3.0 * LEAST, 4.0 * LEAST], 5.0 * LEAST), (&[f64::MAX, f64::MAX], INFINITY)]);
    }
}
