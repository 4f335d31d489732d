//! The operations of the table as tests know them, apart from their rows: domains, points, the coefficients of the report in the language, and
//! derivatives in textbook form.
//!
//! Each `match` is exhaustive: a new operation does not compile before all of these are stated.

use astro_float_num::BigFloat;
use vlad_derivatives::extended::arithmetic::{
    PRECISION, Reference, add, divide, floor, multiply, root, square, subtract,
};
use vlad_shared::table::Operation;

/// The reals at which an operation has a real value of moderate size for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// All of them.
    Reals,
    /// All but 0, where it has a pole or a kink.
    NotZero,
    /// All but poles, of which none is between -1 and 1.
    NoPole,
    /// Those of moderate size, since the function grows fast or has few digits far from 0.
    Moderate,
    /// Those between -1 and 1.
    Inside,
    /// Positive ones.
    Positive,
    /// Those above 1.
    AboveOne,
    /// Whole numbers from 0 on.
    Whole,
}

/// The domain of each operand.
pub fn domains(operation: Operation) -> &'static [Domain] {
    use Domain::{AboveOne, Inside, Moderate, NoPole, NotZero, Positive, Reals, Whole};
    match operation {
        Operation::Negate
        | Operation::Sine
        | Operation::Cosine
        | Operation::ArcTangent
        | Operation::HyperbolicTangent
        | Operation::InverseHyperbolicSine
        | Operation::Absolute
        | Operation::Floor
        | Operation::Ceiling
        | Operation::Round
        | Operation::Truncate
        | Operation::Copy => &[Reals],
        Operation::CubeRoot => &[NotZero],
        Operation::Tangent => &[NoPole],
        Operation::SquareRoot
        | Operation::Logarithm
        | Operation::LogarithmOfOnePlus
        | Operation::LogGamma
        | Operation::BinaryLogarithm
        | Operation::DecimalLogarithm
        | Operation::Gamma => &[Positive],
        Operation::Exponential
        | Operation::ExponentialMinusOne
        | Operation::ErrorFunction
        | Operation::ComplementaryErrorFunction
        | Operation::HyperbolicSine
        | Operation::HyperbolicCosine
        | Operation::BinaryExponential => &[Moderate],
        Operation::ArcSine | Operation::ArcCosine | Operation::InverseHyperbolicTangent => &[Inside],
        Operation::InverseHyperbolicCosine => &[AboveOne],
        Operation::Add
        | Operation::Subtract
        | Operation::Multiply
        | Operation::GuardedMultiply
        | Operation::Maximum
        | Operation::Minimum => &[Reals, Reals],
        Operation::Divide | Operation::ArcTangent2 | Operation::Hypotenuse | Operation::Modulo => &[Reals, NotZero],
        Operation::Power => &[Positive, Reals],
        Operation::Polygamma => &[Whole, Positive],
    }
}

/// The points of an operation, each with as many coordinates as the operation has operands. They are ordinary, negative, large, small, and on
/// both sides of branch cuts and kinks. The kinks themselves are in `tests/derivatives/edges.rs`.
pub fn points(operation: Operation) -> &'static [&'static [f64]] {
    match operation {
        Operation::Add | Operation::Subtract => {
            &[&[0.75, 1.25], &[-3.0, 2.5], &[1e8, 3.0], &[1e-8, -2.0], &[5.0, 1e-3], &[2.0, 2.5]]
        }
        Operation::Multiply | Operation::GuardedMultiply => {
            &[&[0.7, 1.3], &[-3.5, 2.25], &[1e8, 0.3], &[1e-8, -2.0], &[-1.5, -7.25], &[123.456, 1e-5]]
        }
        Operation::Divide => &[&[0.7, 1.3], &[-3.5, 2.25], &[1e8, 0.3], &[1e-8, -2.0], &[-1.5, -7.25], &[3.0, 1e5]],
        Operation::Negate | Operation::Absolute | Operation::Copy => &[&[0.7], &[-2.5], &[1e10], &[-1e-10], &[1e-8]],
        Operation::SquareRoot | Operation::Logarithm => {
            &[&[0.7], &[2.0], &[1e-8], &[1e10], &[12345.678], &[0.999], &[1.001]]
        }
        Operation::Exponential => &[&[0.7], &[-2.5], &[0.0], &[1e-8], &[100.25], &[-100.25]],
        Operation::Sine | Operation::Cosine => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1e8], &[1.5625], &[3.0]],
        Operation::Tangent => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1.5], &[-1.6], &[4.0]],
        Operation::ArcSine | Operation::ArcCosine => {
            &[&[0.1], &[0.7], &[-0.6], &[1e-8], &[0.96875], &[-0.9375], &[0.9999], &[-0.999]]
        }
        Operation::ArcTangent => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1e6], &[-1e4], &[1e9], &[-4e12]],
        // y and x: the four quadrants, and both sides of the cut along the negative half of the first axis.
        Operation::ArcTangent2 => &[
            &[0.7, 1.3],
            &[0.7, -1.2],
            &[-0.6, -1.5],
            &[-2.5, 1.2],
            &[1e-3, -2.0],
            &[-1e-3, -2.0],
            &[3.0, 1e-3],
            &[1e4, 300.0],
            &[4e100, 3e100],
            &[3e-100, -4e-100],
        ],
        Operation::HyperbolicSine | Operation::HyperbolicCosine => {
            &[&[0.7], &[-2.5], &[1e-8], &[20.25], &[-100.5], &[1.0]]
        }
        Operation::HyperbolicTangent => &[&[0.7], &[-1.25], &[0.01], &[2.0], &[-0.3], &[19.0], &[-40.5]],
        Operation::Power => {
            &[&[0.7, 1.3], &[2.0, 3.0], &[3.5, -1.5], &[0.25, 0.5], &[1e-3, 2.5], &[10.0, 20.0], &[1.5, 1.25]]
        }
        Operation::Maximum | Operation::Minimum => {
            &[&[0.7, 1.3], &[1.3, 0.7], &[-3.0, 2.0], &[-1.0, -2.0], &[1e-8, 0.0]]
        }
        Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate => {
            &[&[0.7], &[0.3], &[-2.25], &[-2.75], &[1e6 + 0.25], &[1e-8], &[-1e-8]]
        }
        Operation::ErrorFunction | Operation::ComplementaryErrorFunction => {
            &[&[0.7], &[-1.25], &[1e-8], &[2.5], &[-0.3], &[4.0]]
        }
        Operation::LogGamma => &[&[0.7], &[3.25], &[-0.4], &[-2.6], &[12.5], &[60.0], &[0.01]],
        // The order, which is not varied, and the point.
        Operation::Polygamma => &[&[0.0, 0.7], &[1.0, 3.25], &[2.0, -0.4], &[0.0, -2.6], &[3.0, 12.5], &[1.0, 60.0]],
        Operation::LogarithmOfOnePlus => &[&[0.7], &[-0.6], &[1e-8], &[-1e-8], &[1e6], &[2.0]],
        Operation::ExponentialMinusOne => &[&[0.7], &[-2.5], &[1e-8], &[-1e-8], &[20.25], &[-30.5]],
        Operation::InverseHyperbolicSine => &[&[0.7], &[-2.5], &[1e-8], &[100.25], &[1e6], &[-1e10]],
        Operation::InverseHyperbolicCosine => &[&[1.25], &[2.0], &[1.0625], &[100.25], &[1e6], &[3.5]],
        Operation::InverseHyperbolicTangent => &[&[0.1], &[0.7], &[-0.6], &[1e-8], &[0.96875], &[-0.9375]],
        Operation::Hypotenuse => {
            &[&[0.7, 1.3], &[-3.5, 2.25], &[1e4, 3e4], &[-1.5, -7.25], &[123.456, 50.0], &[1e8, 3.0], &[1e-100, 4e-99]]
        }
        Operation::CubeRoot => &[&[0.7], &[-2.0], &[1e-8], &[1e10], &[-12345.678], &[8.0]],
        Operation::BinaryExponential => &[&[0.7], &[-2.5], &[0.0], &[1e-8], &[100.25], &[-100.25]],
        Operation::BinaryLogarithm | Operation::DecimalLogarithm => {
            &[&[0.7], &[2.0], &[1e-8], &[1e10], &[12345.678], &[0.999], &[1.001]]
        }
        Operation::Gamma => &[&[0.7], &[3.25], &[-0.4], &[-2.6], &[12.5], &[60.0], &[0.01]],
        Operation::Modulo => {
            &[&[7.5, 2.0], &[-7.5, 2.0], &[7.5, -2.0], &[-7.5, -2.0], &[0.3, 5.0], &[1e4, 7.0], &[1e17, 3.0]]
        }
    }
}

/// The coefficients of an operation in the language: `a` and `b` are the operands, `r` is the result. They are written from
/// part 9.4 of the report.
pub fn formulas(operation: Operation) -> &'static [&'static str] {
    match operation {
        Operation::Copy => &["1"],
        Operation::Add => &["1", "1"],
        Operation::Subtract => &["1", "-1"],
        // No point has a zero, so guarded products are products here and in the power.
        Operation::Multiply | Operation::GuardedMultiply => &["b", "a"],
        Operation::Divide => &["(/ 1 b)", "(- (* r (/ 1 b)))"],
        Operation::Negate => &["-1"],
        Operation::SquareRoot => &["(* 0.5 (/ 1 r))"],
        Operation::Exponential => &["r"],
        Operation::Logarithm => &["(/ 1 a)"],
        Operation::Sine => &["(cos a)"],
        Operation::Cosine => &["(- (sin a))"],
        Operation::Tangent => &["(+ 1 (* r r))"],
        Operation::ArcSine => &["(/ 1 (sqrt (if (< (abs a) 0.5) (- 1 (* a a)) (* (- 1 a) (+ 1 a)))))"],
        Operation::ArcCosine => &["(- (/ 1 (sqrt (if (< (abs a) 0.5) (- 1 (* a a)) (* (- 1 a) (+ 1 a))))))"],
        Operation::ArcTangent => &["(if (< (abs a) 134217728) (/ 1 (+ 1 (* a a))) (* (/ 1 a) (/ 1 a)))"],
        Operation::ArcTangent2 => &[
            "(if (< (abs a) (abs b)) (/ 1 (+ b (* a (/ a b)))) (/ (/ b a) (+ a (* b (/ b a)))))",
            "(- (if (< (abs a) (abs b)) (/ (/ a b) (+ b (* a (/ a b)))) (/ 1 (+ a (* b (/ b a))))))",
        ],
        Operation::HyperbolicSine => &["(cosh a)"],
        Operation::HyperbolicCosine => &["(sinh a)"],
        Operation::HyperbolicTangent => {
            &["(if (< (abs a) 1) (- 1 (* r r)) (* (exp (* -2 (abs a))) (* (+ 1 (abs r)) (+ 1 (abs r)))))"]
        }
        Operation::Power => &["(* b (expt a (- b 1)))", "(* r (log a))"],
        Operation::Absolute => &["(if (< a 0) -1 1)"],
        Operation::Maximum => &["(if (< a b) 0 1)", "(if (< a b) 1 0)"],
        Operation::Minimum => &["(if (< b a) 0 1)", "(if (< b a) 1 0)"],
        Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate => &["0"],
        Operation::ErrorFunction => &["(* 1.1283791670955126 (exp (- (* a a))))"],
        Operation::ComplementaryErrorFunction => &["(- (* 1.1283791670955126 (exp (- (* a a)))))"],
        Operation::LogGamma => &["(polygamma 0 a)"],
        Operation::Polygamma => &["+nan.0", "(polygamma (+ a 1) b)"],
        Operation::LogarithmOfOnePlus => &["(/ 1 (+ 1 a))"],
        Operation::ExponentialMinusOne => &["(exp a)"],
        Operation::InverseHyperbolicSine => &["(if (< (abs a) 134217728) (/ 1 (sqrt (+ 1 (* a a)))) (/ 1 (abs a)))"],
        Operation::InverseHyperbolicCosine => &["(/ 1 (* (sqrt (- a 1)) (sqrt (+ a 1))))"],
        Operation::InverseHyperbolicTangent => &["(/ 1 (if (< (abs a) 0.5) (- 1 (* a a)) (* (- 1 a) (+ 1 a))))"],
        Operation::Hypotenuse => &[
            "(if (< (abs a) (abs b)) (/ a r) (/ (if (< a 0) -1 1) (sqrt (+ 1 (* (/ b a) (/ b a))))))",
            "(if (< (abs b) (abs a)) (/ b r) (/ (if (< b 0) -1 1) (sqrt (+ 1 (* (/ a b) (/ a b))))))",
        ],
        Operation::CubeRoot => &["(/ 1 (* 3 (* r r)))"],
        Operation::BinaryExponential => &["(* 0.6931471805599453 r)"],
        Operation::BinaryLogarithm => &["(/ 1.4426950408889634 a)"],
        Operation::DecimalLogarithm => &["(/ 0.4342944819032518 a)"],
        Operation::Gamma => &["(* r (polygamma 0 a))"],
        Operation::Modulo => &["1", "(- (round (/ (- a r) b)))"],
    }
}

/// The partial derivative of an operation by its operand of that number, in textbook form, written from the
/// definition of the function, not from the table.
pub fn partial(reference: &mut Reference, operation: Operation, operand: usize, operands: &[BigFloat]) -> BigFloat {
    let (one, two, zero) = (Reference::number(1.0), Reference::number(2.0), Reference::number(0.0));
    let Some(x) = operands.first() else { return Reference::number(f64::NAN) };
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
