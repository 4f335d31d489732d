//! The rows of the table of operations: facts for compilers, evaluation, and the coefficient of each operand (report, part 9.4).
//!
//! Coefficients of a / b and of the square root divide by taking a reciprocal: so every division in their derivatives,
//! of any order, is a reciprocal of the same operand, and code that shares the values of equal operations divides once.
//!
//! Each formula has few errors at all magnitudes, and its derivatives have too: where one formula cannot, two are chosen from by
//! the operand, and both are exact to rounding where they meet. `conformance/src/bin/sweep.rs` compares them with 96 digits.

use super::Effort::{Arithmetic, Choice, Division, Function, Series};
use super::InFortran::{Call, Infix, Operand, Prefix};
use super::Term::{Constant, First, Result, Second, Select};
use super::Zero::{Added, Alike, Distinct, Same};
use super::terms::{
    ANGLE, BELL, COFUNCTION, DIRECTION, FIRST_SIZE, IS_SQUARE_SMALL, ONE, ONE_AND_RESULT, ONE_MINUS_SQUARE,
    ONE_PLUS_SQUARE, RECIPROCAL, RESULT_SQUARED, ZERO,
};
use super::{MachineCode, OperationRow, Term, Test, binary, facts, unary};
use crate::math;
use Operation as O;

/// a - b * floor(a / b), rounded once; a zero is +0.
fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest + 0.0 }
}

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
    /// The guarded product: +0 if either operand is zero, whatever the other, else a * b, which is never -0 (rule 5b).
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

/// The table, in the order of [`Operation`].
pub const OPERATIONS: [OperationRow; 44] = [
    binary(O::Add, "+", facts(Arithmetic, &[Added, Added]), |a, b| a + b, &[ONE, ONE])
        .formula("(a + b)")
        .fortran(Infix("+")),
    binary(O::Subtract, "-", facts(Arithmetic, &[Added, Added]), |a, b| a - b, &[ONE, Constant(-1.0)])
        .formula("(a - b)")
        .fortran(Infix("-")),
    binary(O::Multiply, "*", facts(Arithmetic, &[Alike, Alike]), |a, b| a * b, &[Second, First])
        .formula("(a * b)")
        .fortran(Infix("*")),
    binary(
        O::Divide,
        "/",
        facts(Division, &[Alike, Distinct]).executed_by(MachineCode::Instructions),
        |a, b| a / b,
        &[
            Term::Binary(O::Divide, &ONE, &Second),
            // Guarded: 0 / b is 0 near b, also where 1/b overflows.
            Term::Unary(O::Negate, &Term::Binary(O::GuardedMultiply, &Result, &Term::Binary(O::Divide, &ONE, &Second))),
        ],
    )
    .formula("(a / b)")
    .fortran(Infix("/")),
    unary(O::Negate, "negate", facts(Arithmetic, &[Alike]).keeping_finite(), |x| -x, &[Constant(-1.0)])
        .formula("(-a)")
        .fortran(Prefix("-")),
    unary(
        O::SquareRoot,
        "sqrt",
        facts(Division, &[Alike]).executed_by(MachineCode::PackedOrCall),
        f64::sqrt,
        &[Select(
            Test::Zero(&Result),
            &Constant(f64::INFINITY),
            &Term::Binary(O::Multiply, &Constant(0.5), &Term::Binary(O::Divide, &ONE, &Result)),
        )],
    )
    .formula("vlad_square_root(m, a)")
    .fortran(Call("DSQRT")),
    unary(O::Exponential, "exp", facts(Function, &[Same]), |x| math::exp(x), &[Result]).fortran(Call("DEXP")),
    unary(O::Logarithm, "log", facts(Function, &[Same]), |x| math::log(x), &[Term::Binary(O::Divide, &ONE, &First)])
        .fortran(Call("DLOG")),
    unary(O::Sine, "sin", facts(Function, &[Alike]), |x| math::sin(x), &[Term::Unary(O::Cosine, &First)])
        .fortran(Call("DSIN")),
    unary(
        O::Cosine,
        "cos",
        facts(Function, &[Same]),
        |x| math::cos(x),
        &[Term::Unary(O::Negate, &Term::Unary(O::Sine, &First))],
    )
    .fortran(Call("DCOS")),
    unary(
        O::Tangent,
        "tan",
        facts(Function, &[Alike]),
        |x| math::tan(x),
        &[Term::Binary(O::Add, &ONE, &RESULT_SQUARED)],
    )
    .fortran(Call("DTAN")),
    unary(
        O::ArcSine,
        "asin",
        facts(Function, &[Alike]),
        |x| math::asin(x),
        &[Term::Binary(O::Divide, &ONE, &COFUNCTION)],
    )
    .fortran(Call("DASIN")),
    unary(
        O::ArcCosine,
        "acos",
        facts(Function, &[Same]),
        |x| math::acos(x),
        &[Term::Unary(O::Negate, &Term::Binary(O::Divide, &ONE, &COFUNCTION))],
    )
    .fortran(Call("DACOS")),
    unary(
        O::ArcTangent,
        "atan",
        facts(Function, &[Alike]),
        |x| math::atan(x),
        &[Select(
            IS_SQUARE_SMALL,
            &Term::Binary(O::Divide, &ONE, &ONE_PLUS_SQUARE),
            &Term::Binary(O::Multiply, &RECIPROCAL, &RECIPROCAL),
        )],
    )
    .fortran(Call("DATAN")),
    binary(O::ArcTangent2, "atan2", facts(Function, &[Distinct, Distinct]), |y, x| math::atan2(y, x), &ANGLE)
        .fortran(Call("DATAN2")),
    unary(
        O::HyperbolicSine,
        "sinh",
        facts(Function, &[Alike]),
        |x| math::sinh(x),
        &[Term::Unary(O::HyperbolicCosine, &First)],
    )
    .fortran(Call("DSINH")),
    unary(
        O::HyperbolicCosine,
        "cosh",
        facts(Function, &[Same]),
        |x| math::cosh(x),
        &[Term::Unary(O::HyperbolicSine, &First)],
    )
    .fortran(Call("DCOSH")),
    // 1 - r*r has few digits left where r is near 1: there 1 - abs(r) is exp(-2 abs(x)) (1 + abs(r)).
    unary(
        O::HyperbolicTangent,
        "tanh",
        facts(Function, &[Alike]),
        |x| math::tanh(x),
        &[Select(
            Test::Nearer(&First, &ONE),
            &Term::Binary(O::Subtract, &ONE, &RESULT_SQUARED),
            &Term::Binary(
                O::Multiply,
                &Term::Unary(O::Exponential, &Term::Binary(O::Multiply, &Constant(-2.0), &FIRST_SIZE)),
                &Term::Binary(O::Multiply, &ONE_AND_RESULT, &ONE_AND_RESULT),
            ),
        )],
    )
    .fortran(Call("DTANH")),
    binary(
        O::Power,
        "expt",
        facts(Function, &[Distinct, Same]).may_lose_nan(),
        |x, y| math::pow(x, y),
        &[
            // Guarded, not chosen: where b is 0 the coefficient is 0, but its own derivative for b is expt(a, -1).
            // At a = 0, b between 0 and 1 both are infinite, and so are their derivatives, with the signs of this logarithm's.
            Select(
                Test::Both(&Test::Zero(&First), &Test::Both(&Test::Less(&ZERO, &Second), &Test::Less(&Second, &ONE))),
                &Term::Binary(
                    O::Multiply,
                    &Term::Binary(O::Subtract, &Second, &ONE),
                    &Term::Unary(O::Logarithm, &First),
                ),
                &Term::Binary(
                    O::GuardedMultiply,
                    &Second,
                    &Term::Binary(O::Power, &First, &Term::Binary(O::Subtract, &Second, &ONE)),
                ),
            ),
            // Guarded: where a is 0 and b > 0 the coefficient is 0, but its derivative for a is infinite if b <= 1.
            Term::Binary(O::GuardedMultiply, &Result, &Term::Unary(O::Logarithm, &First)),
        ],
    )
    .function("pow")
    .fortran(Infix("**")),
    unary(
        O::Absolute,
        "abs",
        facts(Arithmetic, &[Same]).keeping_finite(),
        f64::abs,
        &[Select(Test::Less(&First, &ZERO), &Constant(-1.0), &Select(Test::Less(&ZERO, &First), &ONE, &ZERO))],
    )
    .formula("vlad_absolute(m, a)")
    .fortran(Call("DABS")),
    binary(
        O::Maximum,
        "max",
        facts(Arithmetic, &[Alike, Alike]).may_lose_nan().keeping_finite(),
        |a, b| if a < b { b } else { a },
        &[Select(Test::Less(&First, &Second), &ZERO, &ONE), Select(Test::Less(&First, &Second), &ONE, &ZERO)],
    )
    .formula("(a < b ? b : a)")
    .fortran(Call("VLMAX")),
    binary(
        O::Minimum,
        "min",
        facts(Arithmetic, &[Alike, Alike]).may_lose_nan().keeping_finite(),
        |a, b| if b < a { b } else { a },
        &[Select(Test::Less(&Second, &First), &ZERO, &ONE), Select(Test::Less(&Second, &First), &ONE, &ZERO)],
    )
    .formula("(b < a ? b : a)")
    .fortran(Call("VLMIN")),
    unary(O::Floor, "floor", facts(Choice, &[Alike]).keeping_finite(), f64::floor, &[ZERO])
        .formula("vlad_floor(a)")
        .fortran(Call("VLFLR")),
    unary(O::Ceiling, "ceiling", facts(Choice, &[Alike]).keeping_finite(), f64::ceil, &[ZERO])
        .formula("vlad_ceiling(a)")
        .fortran(Call("VLCEI")),
    unary(O::Round, "round", facts(Choice, &[Alike]).keeping_finite(), f64::round_ties_even, &[ZERO])
        .formula("vlad_round(a)")
        .fortran(Call("VLRND")),
    unary(O::Truncate, "truncate", facts(Choice, &[Alike]).keeping_finite(), f64::trunc, &[ZERO])
        .formula("vlad_truncate(a)")
        .fortran(Call("DINT")),
    binary(
        O::Modulo,
        "modulo",
        facts(Division, &[Alike, Distinct]),
        modulo,
        // (a - r) / b is a whole number but for rounding, where floor(a / b) can be the next one.
        &[
            ONE,
            Term::Unary(
                O::Negate,
                &Term::Unary(O::Round, &Term::Binary(O::Divide, &Term::Binary(O::Subtract, &First, &Result), &Second)),
            ),
        ],
    )
    .formula("vlad_modulo(a, b)")
    .fortran(Call("VLMOD")),
    binary(
        O::GuardedMultiply,
        "guarded*",
        facts(Choice, &[Same, Same]).executed_by(MachineCode::Instructions).may_lose_nan(),
        |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b + 0.0 },
        &[Second, First],
    )
    .formula("(a == 0.0 || b == 0.0 ? 0.0 : a * b + 0.0)")
    .fortran(Call("VLGMUL")),
    unary(O::Copy, "copy", facts(Arithmetic, &[Alike]).keeping_finite(), |x| x, &[ONE]).formula("a").fortran(Operand),
    unary(O::ErrorFunction, "erf", facts(Function, &[Alike]), |x| math::erf(x), &[BELL]).fortran(Call("ERF")),
    unary(
        O::ComplementaryErrorFunction,
        "erfc",
        facts(Function, &[Same]),
        |x| math::erfc(x),
        &[Term::Unary(O::Negate, &BELL)],
    )
    .fortran(Call("ERFC")),
    unary(
        O::LogGamma,
        "lgamma",
        facts(Series, &[Same]),
        |x| math::lgamma(x),
        &[Term::Binary(O::Polygamma, &ZERO, &First)],
    )
    .fortran(Call("LOG_GAMMA")),
    binary(
        O::Polygamma,
        "polygamma",
        facts(Series, &[Distinct, Distinct]),
        |n, x| math::polygamma(n, x),
        // The function is defined for whole orders alone, so it has no derivative by the order.
        &[Constant(f64::NAN), Term::Binary(O::Polygamma, &Term::Binary(O::Add, &First, &ONE), &Second)],
    )
    .defined(math::POLYGAMMA_IN_C, &[O::Logarithm, O::Tangent]),
    unary(
        O::LogarithmOfOnePlus,
        "log1p",
        facts(Function, &[Alike]),
        |x| math::log1p(x),
        &[Term::Binary(O::Divide, &ONE, &Term::Binary(O::Add, &ONE, &First))],
    ),
    // Not the result plus one, which has few digits left far below zero.
    unary(
        O::ExponentialMinusOne,
        "expm1",
        facts(Function, &[Alike]),
        |x| math::expm1(x),
        &[Term::Unary(O::Exponential, &First)],
    ),
    // From 2^27 on, 1 + x*x and x*x are one double, and farther on x*x overflows.
    unary(
        O::InverseHyperbolicSine,
        "asinh",
        facts(Function, &[Alike]),
        |x| math::asinh(x),
        &[Select(
            IS_SQUARE_SMALL,
            &Term::Binary(O::Divide, &ONE, &Term::Unary(O::SquareRoot, &ONE_PLUS_SQUARE)),
            &Term::Binary(O::Divide, &ONE, &FIRST_SIZE),
        )],
    )
    .fortran(Call("ASINH")),
    // 1 / sqrt(x*x - 1), without an overflow, and exact near 1.
    unary(
        O::InverseHyperbolicCosine,
        "acosh",
        facts(Function, &[Same]),
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
    )
    .fortran(Call("ACOSH")),
    unary(
        O::InverseHyperbolicTangent,
        "atanh",
        facts(Function, &[Alike]),
        |x| math::atanh(x),
        &[Term::Binary(O::Divide, &ONE, &ONE_MINUS_SQUARE)],
    )
    .fortran(Call("ATANH")),
    // At the origin 0, as for the absolute value.
    binary(O::Hypotenuse, "hypot", facts(Function, &[Same, Same]).may_lose_nan(), |a, b| math::hypot(a, b), &DIRECTION)
        .fortran(Call("HYPOT")),
    unary(
        O::CubeRoot,
        "cbrt",
        facts(Function, &[Alike]),
        |x| math::cbrt(x),
        &[Term::Binary(O::Divide, &ONE, &Term::Binary(O::Multiply, &Constant(3.0), &RESULT_SQUARED))],
    ),
    unary(
        O::BinaryExponential,
        "exp2",
        facts(Function, &[Same]),
        |x| math::exp2(x),
        &[Term::Binary(O::Multiply, &Constant(std::f64::consts::LN_2), &Result)],
    ),
    unary(
        O::BinaryLogarithm,
        "log2",
        facts(Function, &[Same]),
        |x| math::log2(x),
        &[Term::Binary(O::Divide, &Constant(std::f64::consts::LOG2_E), &First)],
    ),
    unary(
        O::DecimalLogarithm,
        "log10",
        facts(Function, &[Same]),
        |x| math::log10(x),
        &[Term::Binary(O::Divide, &Constant(std::f64::consts::LOG10_E), &First)],
    )
    .fortran(Call("DLOG10")),
    unary(
        O::Gamma,
        "gamma",
        facts(Series, &[Distinct]),
        |x| math::tgamma(x),
        &[Term::Binary(O::Multiply, &Result, &Term::Binary(O::Polygamma, &ZERO, &First))],
    )
    .function("tgamma")
    .fortran(Call("GAMMA")),
];
