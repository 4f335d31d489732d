//! The operations on reals: evaluation and linearisation (report, part 9.4).
//!
//! A row gives, for each operand, the coefficient of the linearisation as a [`Term`]: an expression of the operands and
//! the result, made of operations of this same table. Evaluated on plain reals it is the partial derivative; evaluated
//! on lifted reals it is differentiated in turn. The choice of formula fixes bits, so it is part of the language.
//! Coefficients never fail: outside the domain they are what IEEE arithmetic makes of them.
//!
//! Coefficients of a / b and of the square root divide by taking a reciprocal: so every division in their derivatives,
//! of any order, is a reciprocal of the same operand, and code that shares the values of equal operations divides once.
//! The angle divides by the square of the radius, whose reciprocal would overflow near the origin.

use crate::math;

/// The greatest depth of nested differentiations.
pub const MOST_LEVELS: usize = 512;

/// An operation on one or two reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Operation {
    /// a + b.
    Add,
    /// a - b.
    Subtract,
    /// a * b.
    Multiply,
    /// a / b.
    Divide,
    /// The sign flip.
    Negate,
    /// The square root.
    SquareRoot,
    /// e to the power of the operand.
    Exponential,
    /// The natural logarithm.
    Logarithm,
    /// The sine, of radians.
    Sine,
    /// The cosine, of radians.
    Cosine,
    /// The tangent, of radians.
    Tangent,
    /// The arc sine.
    ArcSine,
    /// The arc cosine.
    ArcCosine,
    /// The arc tangent.
    ArcTangent,
    /// The angle of the point (b, a).
    ArcTangent2,
    /// The hyperbolic sine.
    HyperbolicSine,
    /// The hyperbolic cosine.
    HyperbolicCosine,
    /// The hyperbolic tangent.
    HyperbolicTangent,
    /// a to the power b.
    Power,
    /// The absolute value.
    Absolute,
    /// `(if (< a b) b a)`.
    Maximum,
    /// `(if (< b a) b a)`.
    Minimum,
    /// The greatest integer not above.
    Floor,
    /// The least integer not below.
    Ceiling,
    /// The nearest integer, halves to even.
    Round,
    /// The integer part.
    Truncate,
    /// a - b * floor(a / b), each operation rounded.
    Modulo,
    /// The guarded product: +0 if either operand is zero, whatever the other, else a * b (rule 5b).
    GuardedMultiply,
    /// The operand itself, as an element of a vector (rule 5c).
    Copy,
    /// The error function.
    ErrorFunction,
    /// Its complement: 1 - erf(x), without cancellation.
    ComplementaryErrorFunction,
    /// The logarithm of the absolute value of the gamma function.
    LogGamma,
    /// The derivative of that order, the first operand, of the digamma function at the second.
    Polygamma,
    /// log(1 + x), exact near 0.
    LogarithmOfOnePlus,
    /// e^x - 1, exact near 0.
    ExponentialMinusOne,
    /// The inverse of the hyperbolic sine.
    InverseHyperbolicSine,
    /// The inverse of the hyperbolic cosine that is not negative.
    InverseHyperbolicCosine,
    /// The inverse of the hyperbolic tangent.
    InverseHyperbolicTangent,
    /// The distance of the point (a, b) from the origin.
    Hypotenuse,
    /// The cube root.
    CubeRoot,
    /// 2 to the power of the operand.
    BinaryExponential,
    /// The logarithm of base 2.
    BinaryLogarithm,
    /// The logarithm of base 10.
    DecimalLogarithm,
    /// The gamma function.
    Gamma,
}

/// The evaluation of an operation on plain reals.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation {
    /// A function of one operand.
    Unary(fn(f64) -> f64),
    /// A function of two operands.
    Binary(fn(f64, f64) -> f64),
}

/// The number of operands of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// One operand.
    One,
    /// Two operands.
    Two,
}

/// An expression of the operands and the result of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// The first operand, x or a.
    First,
    /// The second operand, b.
    Second,
    /// The result, r.
    Result,
    /// A constant.
    Constant(f64),
    /// An operation on one term.
    Unary(Operation, &'static Term),
    /// An operation on two terms.
    Binary(Operation, &'static Term, &'static Term),
    /// The first term if the test holds, else the second; only the one taken is evaluated.
    Select(Test, &'static Term, &'static Term),
}

/// A condition on the primals of terms.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// The term is zero, of either sign.
    Zero(&'static Term),
    /// The first term is less than the second.
    Less(&'static Term, &'static Term),
    /// Both hold.
    Both(&'static Test, &'static Test),
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OperationRow {
    /// The operation; its number is the number of the row.
    pub operation: Operation,
    /// The name in the printed forms of intermediate representations.
    pub name: &'static str,
    /// Its value on plain reals.
    pub evaluation: Evaluation,
    /// The coefficient of each operand.
    pub coefficients: &'static [Term],
}

use Operation as O;
use Term::{Constant, First, Result, Second, Select};

const ONE: Term = Constant(1.0);
const ZERO: Term = Constant(0.0);
const FIRST_SQUARED: Term = Term::Binary(O::Multiply, &First, &First);
const SECOND_SQUARED: Term = Term::Binary(O::Multiply, &Second, &Second);
const RESULT_SQUARED: Term = Term::Binary(O::Multiply, &Result, &Result);
/// sqrt(1 - x*x).
const COFUNCTION: Term = Term::Unary(O::SquareRoot, &Term::Binary(O::Subtract, &ONE, &FIRST_SQUARED));
/// y*y + x*x, for the angle of the point (x, y), whose operands are y and x.
const RADIUS_SQUARED: Term = Term::Binary(O::Add, &FIRST_SQUARED, &SECOND_SQUARED);

/// The derivative of the error function, 2/sqrt(pi) * exp(-(x*x)).
const BELL: Term = Term::Binary(
    O::Multiply,
    &Constant(std::f64::consts::FRAC_2_SQRT_PI),
    &Term::Unary(O::Exponential, &Term::Unary(O::Negate, &FIRST_SQUARED)),
);

/// The row of an operation on one real.
const fn unary(
    operation: O,
    name: &'static str,
    evaluate: fn(f64) -> f64,
    coefficients: &'static [Term; 1],
) -> OperationRow {
    OperationRow { operation, name, evaluation: Evaluation::Unary(evaluate), coefficients }
}

/// The row of an operation on two reals.
const fn binary(
    operation: O,
    name: &'static str,
    evaluate: fn(f64, f64) -> f64,
    coefficients: &'static [Term; 2],
) -> OperationRow {
    OperationRow { operation, name, evaluation: Evaluation::Binary(evaluate), coefficients }
}

/// The table, in the order of [`Operation`].
pub const OPERATIONS: [OperationRow; 44] = [
    binary(O::Add, "+", |a, b| a + b, &[ONE, ONE]),
    binary(O::Subtract, "-", |a, b| a - b, &[ONE, Constant(-1.0)]),
    binary(O::Multiply, "*", |a, b| a * b, &[Second, First]),
    binary(
        O::Divide,
        "/",
        |a, b| a / b,
        &[
            Term::Binary(O::Divide, &ONE, &Second),
            // Guarded: 0 / b is 0 near b, also where 1/b overflows.
            Term::Unary(O::Negate, &Term::Binary(O::GuardedMultiply, &Result, &Term::Binary(O::Divide, &ONE, &Second))),
        ],
    ),
    unary(O::Negate, "negate", |x| -x, &[Constant(-1.0)]),
    unary(
        O::SquareRoot,
        "sqrt",
        f64::sqrt,
        &[Select(
            Test::Zero(&Result),
            &Constant(f64::INFINITY),
            &Term::Binary(O::Multiply, &Constant(0.5), &Term::Binary(O::Divide, &ONE, &Result)),
        )],
    ),
    unary(O::Exponential, "exp", |x| math::exp(x), &[Result]),
    unary(O::Logarithm, "log", |x| math::log(x), &[Term::Binary(O::Divide, &ONE, &First)]),
    unary(O::Sine, "sin", |x| math::sin(x), &[Term::Unary(O::Cosine, &First)]),
    unary(O::Cosine, "cos", |x| math::cos(x), &[Term::Unary(O::Negate, &Term::Unary(O::Sine, &First))]),
    unary(O::Tangent, "tan", |x| math::tan(x), &[Term::Binary(O::Add, &ONE, &RESULT_SQUARED)]),
    unary(O::ArcSine, "asin", |x| math::asin(x), &[Term::Binary(O::Divide, &ONE, &COFUNCTION)]),
    unary(
        O::ArcCosine,
        "acos",
        |x| math::acos(x),
        &[Term::Unary(O::Negate, &Term::Binary(O::Divide, &ONE, &COFUNCTION))],
    ),
    unary(
        O::ArcTangent,
        "atan",
        |x| math::atan(x),
        &[Term::Binary(O::Divide, &ONE, &Term::Binary(O::Add, &ONE, &FIRST_SQUARED))],
    ),
    binary(
        O::ArcTangent2,
        "atan2",
        |y, x| math::atan2(y, x),
        &[
            Term::Binary(O::Divide, &Second, &RADIUS_SQUARED),
            Term::Unary(O::Negate, &Term::Binary(O::Divide, &First, &RADIUS_SQUARED)),
        ],
    ),
    unary(O::HyperbolicSine, "sinh", |x| math::sinh(x), &[Term::Unary(O::HyperbolicCosine, &First)]),
    unary(O::HyperbolicCosine, "cosh", |x| math::cosh(x), &[Term::Unary(O::HyperbolicSine, &First)]),
    unary(O::HyperbolicTangent, "tanh", |x| math::tanh(x), &[Term::Binary(O::Subtract, &ONE, &RESULT_SQUARED)]),
    binary(
        O::Power,
        "expt",
        |x, y| math::pow(x, y),
        &[
            // Guarded, not chosen: where b is 0 the coefficient is 0, but its own derivative for b is expt(a, -1).
            Term::Binary(
                O::GuardedMultiply,
                &Second,
                &Term::Binary(O::Power, &First, &Term::Binary(O::Subtract, &Second, &ONE)),
            ),
            Select(
                Test::Both(&Test::Zero(&First), &Test::Less(&ZERO, &Second)),
                &ZERO,
                &Term::Binary(O::Multiply, &Result, &Term::Unary(O::Logarithm, &First)),
            ),
        ],
    ),
    unary(
        O::Absolute,
        "abs",
        f64::abs,
        &[Select(Test::Less(&First, &ZERO), &Constant(-1.0), &Select(Test::Less(&ZERO, &First), &ONE, &ZERO))],
    ),
    binary(
        O::Maximum,
        "max",
        |a, b| if a < b { b } else { a },
        &[Select(Test::Less(&First, &Second), &ZERO, &ONE), Select(Test::Less(&First, &Second), &ONE, &ZERO)],
    ),
    binary(
        O::Minimum,
        "min",
        |a, b| if b < a { b } else { a },
        &[Select(Test::Less(&Second, &First), &ZERO, &ONE), Select(Test::Less(&Second, &First), &ONE, &ZERO)],
    ),
    unary(O::Floor, "floor", f64::floor, &[ZERO]),
    unary(O::Ceiling, "ceiling", f64::ceil, &[ZERO]),
    unary(O::Round, "round", f64::round_ties_even, &[ZERO]),
    unary(O::Truncate, "truncate", f64::trunc, &[ZERO]),
    binary(
        O::Modulo,
        "modulo",
        |x, y| x - y * (x / y).floor(),
        &[ONE, Term::Unary(O::Negate, &Term::Unary(O::Floor, &Term::Binary(O::Divide, &First, &Second)))],
    ),
    binary(O::GuardedMultiply, "guarded*", |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b }, &[Second, First]),
    unary(O::Copy, "copy", |x| x, &[ONE]),
    unary(O::ErrorFunction, "erf", |x| math::erf(x), &[BELL]),
    unary(O::ComplementaryErrorFunction, "erfc", |x| math::erfc(x), &[Term::Unary(O::Negate, &BELL)]),
    unary(O::LogGamma, "lgamma", |x| math::log_gamma(x), &[Term::Binary(O::Polygamma, &ZERO, &First)]),
    binary(
        O::Polygamma,
        "polygamma",
        |n, x| math::polygamma(n, x),
        // The function is defined for whole orders alone, so it has no derivative by the order.
        &[Constant(f64::NAN), Term::Binary(O::Polygamma, &Term::Binary(O::Add, &First, &ONE), &Second)],
    ),
    unary(
        O::LogarithmOfOnePlus,
        "log1p",
        |x| math::log1p(x),
        &[Term::Binary(O::Divide, &ONE, &Term::Binary(O::Add, &ONE, &First))],
    ),
    // Not the result plus one, which has few digits left far below zero.
    unary(O::ExponentialMinusOne, "expm1", |x| math::expm1(x), &[Term::Unary(O::Exponential, &First)]),
    // From 2^27 on, 1 + x*x and x*x are one double, and farther on x*x overflows.
    unary(
        O::InverseHyperbolicSine,
        "asinh",
        |x| math::asinh(x),
        &[Select(
            Test::Both(&Test::Less(&First, &Constant(134_217_728.0)), &Test::Less(&Constant(-134_217_728.0), &First)),
            &Term::Binary(O::Divide, &ONE, &Term::Unary(O::SquareRoot, &Term::Binary(O::Add, &ONE, &FIRST_SQUARED))),
            &Term::Binary(O::Divide, &ONE, &Term::Unary(O::Absolute, &First)),
        )],
    ),
    // 1 / sqrt(x*x - 1), without an overflow, and exact near 1.
    unary(
        O::InverseHyperbolicCosine,
        "acosh",
        |x| math::acosh(x),
        &[Term::Binary(
            O::Divide,
            &ONE,
            &Term::Binary(
                O::Multiply,
                &Term::Unary(O::SquareRoot, &Term::Binary(O::Subtract, &First, &ONE)),
                &Term::Unary(O::SquareRoot, &Term::Binary(O::Add, &First, &ONE)),
            ),
        )],
    ),
    unary(
        O::InverseHyperbolicTangent,
        "atanh",
        |x| math::atanh(x),
        // The product has more digits near 1, the difference a derivative with more digits near 0.
        &[Term::Binary(
            O::Divide,
            &ONE,
            &Select(
                Test::Both(&Test::Less(&First, &Constant(0.5)), &Test::Less(&Constant(-0.5), &First)),
                &Term::Binary(O::Subtract, &ONE, &FIRST_SQUARED),
                &Term::Binary(
                    O::Multiply,
                    &Term::Binary(O::Subtract, &ONE, &First),
                    &Term::Binary(O::Add, &ONE, &First),
                ),
            ),
        )],
    ),
    // At the origin 0, as for the absolute value.
    binary(
        O::Hypotenuse,
        "hypot",
        |a, b| math::hypot(a, b),
        &[
            Select(Test::Zero(&Result), &ZERO, &Term::Binary(O::Divide, &First, &Result)),
            Select(Test::Zero(&Result), &ZERO, &Term::Binary(O::Divide, &Second, &Result)),
        ],
    ),
    unary(
        O::CubeRoot,
        "cbrt",
        |x| math::cbrt(x),
        &[Term::Binary(O::Divide, &ONE, &Term::Binary(O::Multiply, &Constant(3.0), &RESULT_SQUARED))],
    ),
    unary(
        O::BinaryExponential,
        "exp2",
        |x| math::exp2(x),
        &[Term::Binary(O::Multiply, &Constant(std::f64::consts::LN_2), &Result)],
    ),
    unary(
        O::BinaryLogarithm,
        "log2",
        |x| math::log2(x),
        &[Term::Binary(O::Divide, &Constant(std::f64::consts::LOG2_E), &First)],
    ),
    unary(
        O::DecimalLogarithm,
        "log10",
        |x| math::log10(x),
        &[Term::Binary(O::Divide, &Constant(std::f64::consts::LOG10_E), &First)],
    ),
    unary(
        O::Gamma,
        "gamma",
        |x| math::gamma(x),
        &[Term::Binary(O::Multiply, &Result, &Term::Binary(O::Polygamma, &ZERO, &First))],
    ),
];

impl Operation {
    /// The row of the operation.
    pub fn row(self) -> &'static OperationRow {
        match OPERATIONS.get(self as usize) {
            Some(row) => row,
            None => crate::internal_bug!("every operation has a row"),
        }
    }

    /// Returns the number of operands.
    pub fn arity(self) -> Arity {
        match self.row().evaluation {
            Evaluation::Unary(_) => Arity::One,
            Evaluation::Binary(_) => Arity::Two,
        }
    }

    /// The time that the operation takes, roughly.
    pub fn effort(self) -> Effort {
        match self {
            O::Add | O::Subtract | O::Multiply | O::Negate | O::Absolute | O::Maximum | O::Minimum | O::Copy => {
                Effort::Arithmetic
            }
            O::GuardedMultiply | O::Floor | O::Ceiling | O::Round | O::Truncate => Effort::Choice,
            O::Divide | O::SquareRoot | O::Modulo => Effort::Division,
            O::Exponential
            | O::Logarithm
            | O::Sine
            | O::Cosine
            | O::Tangent
            | O::ArcSine
            | O::ArcCosine
            | O::ArcTangent
            | O::ArcTangent2
            | O::HyperbolicSine
            | O::HyperbolicCosine
            | O::HyperbolicTangent
            | O::Power
            | O::ErrorFunction
            | O::ComplementaryErrorFunction
            | O::LogarithmOfOnePlus
            | O::ExponentialMinusOne
            | O::InverseHyperbolicSine
            | O::InverseHyperbolicCosine
            | O::InverseHyperbolicTangent
            | O::Hypotenuse
            | O::CubeRoot
            | O::BinaryExponential
            | O::BinaryLogarithm
            | O::DecimalLogarithm => Effort::Function,
            O::LogGamma | O::Polygamma | O::Gamma => Effort::Series,
        }
    }
}

/// Classes of operations by the time that they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// One instruction or two.
    Arithmetic,
    /// A rounding to whole numbers, or a product that is chosen by a test.
    Choice,
    /// A division or a square root.
    Division,
    /// A function of the module [`math`].
    Function,
    /// One that takes as long as several of these.
    Series,
}

/// The values that coefficients read, and therefore the values that a tape record must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reads {
    /// The first operand.
    pub first: bool,
    /// The second operand.
    pub second: bool,
    /// The result.
    pub result: bool,
}

impl Reads {
    /// Nothing is read.
    pub const NOTHING: Reads = Reads { first: false, second: false, result: false };

    /// Returns the union of two sets of reads.
    #[must_use]
    pub const fn and(self, other: Reads) -> Reads {
        Reads {
            first: self.first || other.first,
            second: self.second || other.second,
            result: self.result || other.result,
        }
    }
}

impl Term {
    /// Returns the values that the term reads.
    pub const fn reads(&self) -> Reads {
        match self {
            Term::First => Reads { first: true, ..Reads::NOTHING },
            Term::Second => Reads { second: true, ..Reads::NOTHING },
            Term::Result => Reads { result: true, ..Reads::NOTHING },
            Term::Constant(_) => Reads::NOTHING,
            Term::Unary(_, term) => term.reads(),
            Term::Binary(_, left, right) => left.reads().and(right.reads()),
            Term::Select(test, yes, no) => test.reads().and(yes.reads()).and(no.reads()),
        }
    }
}

impl Test {
    const fn reads(&self) -> Reads {
        match self {
            Test::Zero(term) => term.reads(),
            Test::Less(left, right) => left.reads().and(right.reads()),
            Test::Both(left, right) => left.reads().and(right.reads()),
        }
    }
}

/// The values that each coefficient reads, by operation and operand.
const READS: [[Reads; 2]; OPERATIONS.len()] = tabulate_reads();

#[allow(clippy::indexing_slicing)] // evaluated at compile time: an index out of range does not compile
const fn tabulate_reads() -> [[Reads; 2]; OPERATIONS.len()] {
    let mut reads = [[Reads::NOTHING; 2]; OPERATIONS.len()];
    let mut row = 0;
    while row < OPERATIONS.len() {
        let coefficients = OPERATIONS[row].coefficients;
        let mut operand = 0;
        while operand < coefficients.len() {
            reads[row][operand] = coefficients[operand].reads();
            operand += 1;
        }
        row += 1;
    }
    reads
}

impl Operation {
    /// Returns the values read by the coefficients of those operands that are active.
    #[inline]
    pub fn reads(self, first_active: bool, second_active: bool) -> Reads {
        let Some([first, second]) = READS.get(self as usize) else {
            crate::internal_bug!("every operation has a row");
        };
        match (first_active, second_active) {
            (true, true) => first.and(*second),
            (true, false) => *first,
            (false, true) => *second,
            (false, false) => Reads::NOTHING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_the_number_of_their_operation() {
        for (number, row) in OPERATIONS.iter().enumerate() {
            assert_eq!(row.operation as usize, number, "row of {}", row.name);
            let arity = match row.evaluation {
                Evaluation::Unary(_) => 1,
                Evaluation::Binary(_) => 2,
            };
            assert_eq!(row.coefficients.len(), arity, "coefficients of {}", row.name);
        }
    }

    #[test]
    fn linear_operations_read_nothing() {
        for operation in [O::Add, O::Subtract, O::Negate, O::Floor, O::Copy] {
            assert_eq!(operation.reads(true, true), Reads::NOTHING);
        }
        assert_eq!(O::Exponential.reads(true, false), Reads { result: true, ..Reads::NOTHING });
        assert_eq!(O::Multiply.reads(true, false), Reads { second: true, ..Reads::NOTHING });
    }
}
