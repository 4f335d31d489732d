//! The reference: partial derivatives of operations in textbook form, and central differences, with 96 digits.
//!
//! They are written from the definitions of the functions, not from the table of operations. The two forms of a
//! derivative are checked against each other (`rows`), so that neither is taken on trust.

use astro_float_num::BigFloat;
pub use vlad_derivatives::extended::arithmetic::Reference;
use vlad_derivatives::extended::arithmetic::{
    PRECISION, add, divide, floor, multiply, power_of_two, root, square, subtract,
};
use vlad_shared::table::Operation;

/// The step of central differences relative to the coordinate, as a power of two. Three nested differences lose 3 * 66
/// of the 320 bits; the truncation error is of the order of 2^-132.
const STEP: i32 = -66;

/// The result of a central difference.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The derivative.
    pub value: BigFloat,
    /// A bound on its rounding error.
    pub noise: BigFloat,
}

/// The partial derivative of an operation by its operand of that number, in textbook form.
pub fn partial(reference: &mut Reference, operation: Operation, operand: usize, operands: &[BigFloat]) -> BigFloat {
    let (one, two, zero) = (Reference::number(1.0), Reference::number(2.0), Reference::number(0.0));
    let x = &operands[0];
    let y = operands.get(1).unwrap_or(x);
    let first = operand == 0;
    match operation {
        Operation::Add | Operation::Copy => one,
        Operation::Subtract => {
            if first {
                one
            } else {
                one.neg()
            }
        }
        Operation::Multiply | Operation::GuardedMultiply => {
            if first {
                y.clone()
            } else {
                x.clone()
            }
        }
        Operation::Divide if first => divide(&one, y),
        Operation::Divide => divide(&x.neg(), &square(y)),
        Operation::Negate => one.neg(),
        Operation::SquareRoot => divide(&one, &multiply(&two, &root(x))),
        Operation::Exponential => reference.exp(x),
        Operation::Logarithm => divide(&one, x),
        Operation::Sine => reference.cos(x),
        Operation::Cosine => reference.sin(x).neg(),
        Operation::Tangent => divide(&one, &square(&reference.cos(x))),
        Operation::ArcSine => divide(&one, &root(&subtract(&one, &square(x)))),
        Operation::ArcCosine => divide(&one, &root(&subtract(&one, &square(x)))).neg(),
        Operation::ArcTangent => divide(&one, &add(&one, &square(x))),
        Operation::ArcTangent2 if first => divide(y, &add(&square(x), &square(y))),
        Operation::ArcTangent2 => divide(&x.neg(), &add(&square(x), &square(y))),
        Operation::HyperbolicSine => reference.cosh(x),
        Operation::HyperbolicCosine => reference.sinh(x),
        Operation::HyperbolicTangent => divide(&one, &square(&reference.cosh(x))),
        Operation::Power if first => multiply(y, &reference.power(x, &subtract(y, &one))),
        Operation::Power => multiply(&reference.power(x, y), &reference.ln(x)),
        Operation::Absolute => {
            if x.is_negative() {
                one.neg()
            } else {
                one
            }
        }
        Operation::Maximum => {
            if first == (x > y) {
                one
            } else {
                zero
            }
        }
        Operation::Minimum => {
            if first == (x < y) {
                one
            } else {
                zero
            }
        }
        Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate => zero,
        Operation::ErrorFunction | Operation::ComplementaryErrorFunction => {
            let bell = divide(&multiply(&two, &reference.exp(&square(x).neg())), &root(&reference.pi(PRECISION)));
            if operation == Operation::ErrorFunction { bell } else { bell.neg() }
        }
        Operation::LogGamma => reference.value(Operation::Polygamma, &[zero, x.clone()]),
        Operation::Polygamma if first => Reference::number(f64::NAN),
        Operation::Polygamma => reference.value(Operation::Polygamma, &[add(x, &one), y.clone()]),
        Operation::LogarithmOfOnePlus => divide(&one, &add(&one, x)),
        Operation::ExponentialMinusOne => reference.exp(x),
        Operation::InverseHyperbolicSine => divide(&one, &root(&add(&square(x), &one))),
        Operation::InverseHyperbolicCosine => divide(&one, &root(&subtract(&square(x), &one))),
        Operation::InverseHyperbolicTangent => divide(&one, &subtract(&one, &square(x))),
        Operation::Hypotenuse => divide(if first { x } else { y }, &root(&add(&square(x), &square(y)))),
        Operation::CubeRoot => {
            let root = reference.value(operation, std::slice::from_ref(x));
            divide(&root, &multiply(&Reference::number(3.0), x))
        }
        Operation::BinaryExponential => {
            let natural = reference.ln(&two);
            multiply(&natural, &reference.value(operation, std::slice::from_ref(x)))
        }
        Operation::BinaryLogarithm => divide(&one, &multiply(x, &reference.ln(&two))),
        Operation::DecimalLogarithm => divide(&one, &multiply(x, &reference.ln(&Reference::number(10.0)))),
        Operation::Gamma => {
            let slope = reference.value(Operation::Polygamma, &[zero, x.clone()]);
            multiply(&slope, &reference.value(operation, std::slice::from_ref(x)))
        }
        Operation::Modulo => {
            if first {
                one
            } else {
                floor(&divide(x, y)).neg()
            }
        }
    }
}

/// The derivative of a function at a point along some coordinates in turn, by nested central differences.
pub fn difference(point: &[f64], along: &[usize], function: &mut dyn FnMut(&[BigFloat]) -> BigFloat) -> Estimate {
    let mut corners = vec![(point.iter().map(|x| Reference::number(*x)).collect::<Vec<_>>(), false)];
    let mut divisor = Reference::number(1.0);
    for &coordinate in along {
        let scale = if point[coordinate] == 0.0 { 1.0 } else { point[coordinate].abs() };
        let step = multiply(&Reference::number(scale), &power_of_two(STEP));
        divisor = multiply(&divisor, &multiply(&step, &Reference::number(2.0)));
        let shifted = |(corner, negative): &(Vec<BigFloat>, bool), down: bool| {
            let mut corner = corner.clone();
            corner[coordinate] =
                if down { subtract(&corner[coordinate], &step) } else { add(&corner[coordinate], &step) };
            (corner, *negative != down)
        };
        corners = corners.iter().flat_map(|corner| [shifted(corner, false), shifted(corner, true)]).collect();
    }
    let mut sum = Reference::number(0.0);
    let mut magnitude = Reference::number(0.0);
    for (corner, negative) in &corners {
        let value = function(corner);
        magnitude = add(&magnitude, &value.abs());
        sum = if *negative { subtract(&sum, &value) } else { add(&sum, &value) };
    }
    let noise = multiply(&divide(&magnitude, &divisor), &power_of_two(16 - PRECISION as i32));
    Estimate { value: divide(&sum, &divisor), noise }
}

/// Returns true if a double agrees with an estimate within a relative tolerance.
pub fn agrees(actual: f64, estimate: &Estimate, tolerance: f64) -> bool {
    if !actual.is_finite() {
        return false;
    }
    let error = subtract(&Reference::number(actual), &estimate.value).abs();
    error <= add(&multiply(&estimate.value.abs(), &Reference::number(tolerance)), &estimate.noise)
}

/// Returns true if two numbers agree in that many bits.
pub fn is_close(a: &BigFloat, b: &BigFloat, bits: i32) -> bool {
    subtract(a, b).abs() <= multiply(&b.abs(), &power_of_two(-bits))
}
