//! The reference: operations, their partial derivatives in textbook form, and central differences, with 96 digits.
//!
//! Written from the definitions of the functions, not from the table of operations. The two ways to a derivative are
//! checked against each other (`rows`), so that the reference is not believed on its own word.

use astro_float_num::{BigFloat, Consts, RoundingMode};
use vlad_shared::table::Operation;

/// The precision in bits.
const PRECISION: usize = 320;

/// Results are correct to a few units in the last place, which is all that is asked of them.
const ROUNDING: RoundingMode = RoundingMode::None;

/// The step of central differences relative to the coordinate, as a power of two. Three differences in a row lose 3 * 66
/// of the 320 bits; the first term left out is of the order of 2^-132.
const STEP: i32 = -66;

/// Evaluates with 96 digits.
pub struct Reference {
    constants: Consts,
}

/// The result of a central difference.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The derivative.
    pub value: BigFloat,
    /// A bound on what is rounding in it.
    pub noise: BigFloat,
}

fn add(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.add(b, PRECISION, ROUNDING)
}

fn subtract(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.sub(b, PRECISION, ROUNDING)
}

fn multiply(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.mul(b, PRECISION, ROUNDING)
}

fn divide(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.div(b, PRECISION, ROUNDING)
}

fn square(a: &BigFloat) -> BigFloat {
    multiply(a, a)
}

fn root(a: &BigFloat) -> BigFloat {
    a.sqrt(PRECISION, ROUNDING)
}

fn floor(a: &BigFloat) -> BigFloat {
    let fraction = a.fract();
    let whole = subtract(a, &fraction);
    if fraction.is_negative() && !fraction.is_zero() { subtract(&whole, &Reference::number(1.0)) } else { whole }
}

impl Reference {
    /// A new one.
    pub fn new() -> Reference {
        Reference { constants: Consts::new().unwrap() }
    }

    /// A double, exactly.
    pub fn number(real: f64) -> BigFloat {
        BigFloat::from_f64(real, PRECISION)
    }

    fn exp(&mut self, x: &BigFloat) -> BigFloat {
        x.exp(PRECISION, ROUNDING, &mut self.constants)
    }

    fn ln(&mut self, x: &BigFloat) -> BigFloat {
        x.ln(PRECISION, ROUNDING, &mut self.constants)
    }

    fn sin(&mut self, x: &BigFloat) -> BigFloat {
        x.sin(PRECISION, ROUNDING, &mut self.constants)
    }

    fn cos(&mut self, x: &BigFloat) -> BigFloat {
        x.cos(PRECISION, ROUNDING, &mut self.constants)
    }

    fn sinh(&mut self, x: &BigFloat) -> BigFloat {
        x.sinh(PRECISION, ROUNDING, &mut self.constants)
    }

    fn cosh(&mut self, x: &BigFloat) -> BigFloat {
        x.cosh(PRECISION, ROUNDING, &mut self.constants)
    }

    fn atan(&mut self, x: &BigFloat) -> BigFloat {
        x.atan(PRECISION, ROUNDING, &mut self.constants)
    }

    /// The angle of the point (x, y).
    fn angle(&mut self, y: &BigFloat, x: &BigFloat) -> BigFloat {
        let pi = self.constants.pi(PRECISION, ROUNDING);
        let up = !y.is_negative();
        if x.is_zero() {
            let quarter = divide(&pi, &Reference::number(2.0));
            return if up { quarter } else { quarter.neg() };
        }
        let angle = self.atan(&divide(y, x));
        match (x.is_negative(), up) {
            (false, _) => angle,
            (true, true) => add(&angle, &pi),
            (true, false) => subtract(&angle, &pi),
        }
    }

    /// x to the power y: of a negative x only for whole numbers y.
    fn power(&mut self, x: &BigFloat, y: &BigFloat) -> BigFloat {
        let logarithm = self.ln(&x.abs());
        let magnitude = self.exp(&multiply(y, &logarithm));
        if !x.is_negative() {
            return magnitude;
        }
        assert!(y.fract().is_zero(), "the power of a negative number is asked for");
        let half = divide(y, &Reference::number(2.0));
        if half.fract().is_zero() { magnitude } else { magnitude.neg() }
    }

    /// The value of an operation.
    pub fn value(&mut self, operation: Operation, operands: &[BigFloat]) -> BigFloat {
        let x = &operands[0];
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
            Operation::Tangent => x.tan(PRECISION, ROUNDING, &mut self.constants),
            Operation::ArcSine => x.asin(PRECISION, ROUNDING, &mut self.constants),
            Operation::ArcCosine => x.acos(PRECISION, ROUNDING, &mut self.constants),
            Operation::ArcTangent => self.atan(x),
            Operation::ArcTangent2 => self.angle(x, y),
            Operation::HyperbolicSine => self.sinh(x),
            Operation::HyperbolicCosine => self.cosh(x),
            Operation::HyperbolicTangent => x.tanh(PRECISION, ROUNDING, &mut self.constants),
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
            // The samples keep away from the halves, where the nearest whole number is not unique.
            Operation::Round => floor(&add(x, &Reference::number(0.5))),
            Operation::Truncate => subtract(x, &x.fract()),
            Operation::Modulo => subtract(x, &multiply(y, &floor(&divide(x, y)))),
        }
    }

    /// The partial derivative of an operation by its operand of that number, in the form of the textbook.
    pub fn partial(&mut self, operation: Operation, operand: usize, operands: &[BigFloat]) -> BigFloat {
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
            Operation::Exponential => self.exp(x),
            Operation::Logarithm => divide(&one, x),
            Operation::Sine => self.cos(x),
            Operation::Cosine => self.sin(x).neg(),
            Operation::Tangent => divide(&one, &square(&self.cos(x))),
            Operation::ArcSine => divide(&one, &root(&subtract(&one, &square(x)))),
            Operation::ArcCosine => divide(&one, &root(&subtract(&one, &square(x)))).neg(),
            Operation::ArcTangent => divide(&one, &add(&one, &square(x))),
            Operation::ArcTangent2 if first => divide(y, &add(&square(x), &square(y))),
            Operation::ArcTangent2 => divide(&x.neg(), &add(&square(x), &square(y))),
            Operation::HyperbolicSine => self.cosh(x),
            Operation::HyperbolicCosine => self.sinh(x),
            Operation::HyperbolicTangent => divide(&one, &square(&self.cosh(x))),
            Operation::Power if first => multiply(y, &self.power(x, &subtract(y, &one))),
            Operation::Power => multiply(&self.power(x, y), &self.ln(x)),
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
            Operation::Modulo => {
                if first {
                    one
                } else {
                    floor(&divide(x, y)).neg()
                }
            }
        }
    }
}

/// Two to a power, exactly.
fn power_of_two(exponent: i32) -> BigFloat {
    Reference::number(2f64.powi(exponent))
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

/// Whether a double is an estimate within a relative tolerance.
pub fn agrees(actual: f64, estimate: &Estimate, tolerance: f64) -> bool {
    if !actual.is_finite() {
        return false;
    }
    let error = subtract(&Reference::number(actual), &estimate.value).abs();
    error <= add(&multiply(&estimate.value.abs(), &Reference::number(tolerance)), &estimate.noise)
}

/// Whether two numbers agree in that many bits.
pub fn is_close(a: &BigFloat, b: &BigFloat, bits: i32) -> bool {
    subtract(a, b).abs() <= multiply(&b.abs(), &power_of_two(-bits))
}
