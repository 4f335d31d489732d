//! The rows of the table of operations: facts for compilers, evaluation, and the coefficient of each operand (report, part 9.4).
//!
//! Coefficients of a / b and of the square root divide by taking a reciprocal: so every division in their derivatives,
//! of any order, is a reciprocal of the same operand, and code that shares the values of equal operations divides once.
//!
//! Each formula has few errors at all magnitudes, and its derivatives have too: where one formula cannot, two are chosen from by
//! the operand, and both are exact to rounding where they meet. `conformance/src/bin/sweep.rs` compares them with 96 digits.

use super::Effort::{Arithmetic, Choice, Division, Function, Series};
use super::Operation as O;
use super::Term::{self, Constant, First, Result, Second, Select};
use super::Zero::{Added, Alike, Distinct, Same};
use super::{Effort, Evaluation, Facts, InC, MachineCode, OperationRow, Test, Zero};
use crate::math;

const ONE: Term = Constant(1.0);
const ZERO: Term = Constant(0.0);
const FIRST_SQUARED: Term = Term::Binary(O::Multiply, &First, &First);
const RESULT_SQUARED: Term = Term::Binary(O::Multiply, &Result, &Result);
const FIRST_SIZE: Term = Term::Unary(O::Absolute, &First);
/// 1 - x*x. The product has more digits near 1, the difference a derivative with more digits near 0.
const ONE_MINUS_SQUARE: Term = Select(
    Test::Nearer(&First, &Constant(0.5)),
    &Term::Binary(O::Subtract, &ONE, &FIRST_SQUARED),
    &Term::Binary(O::Multiply, &Term::Binary(O::Subtract, &ONE, &First), &Term::Binary(O::Add, &ONE, &First)),
);
/// sqrt(1 - x*x).
const COFUNCTION: Term = Term::Unary(O::SquareRoot, &ONE_MINUS_SQUARE);
/// True where 1 + x*x is not x*x as a double.
const IS_SQUARE_SMALL: Test = Test::Nearer(&First, &Constant(134_217_728.0));
const ONE_PLUS_SQUARE: Term = Term::Binary(O::Add, &ONE, &FIRST_SQUARED);
const RECIPROCAL: Term = Term::Binary(O::Divide, &ONE, &First);
/// True where the angle of the point (x, y), whose operands are y and x, is nearer to a multiple of a half turn than of others.
const IS_FLAT: Test = Test::Nearer(&First, &Second);
/// y / x, and x + y * (y / x): the square of the radius divided by x, which over- and underflows where its reciprocal does.
const SLOPE: Term = Term::Binary(O::Divide, &First, &Second);
const RADIUS_BY_SECOND: Term = Term::Binary(O::Add, &Second, &Term::Binary(O::Multiply, &First, &SLOPE));
/// x / y, and y + x * (x / y).
const INVERSE_SLOPE: Term = Term::Binary(O::Divide, &Second, &First);
/// sqrt(1 + t*t) for these quotients t, and 1 with the sign of an operand.
const SECANT: Term =
    Term::Unary(O::SquareRoot, &Term::Binary(O::Add, &ONE, &Term::Binary(O::Multiply, &SLOPE, &SLOPE)));
const COSECANT: Term =
    Term::Unary(O::SquareRoot, &Term::Binary(O::Add, &ONE, &Term::Binary(O::Multiply, &INVERSE_SLOPE, &INVERSE_SLOPE)));
const FIRST_SIGN: Term = Select(Test::Less(&First, &ZERO), &Constant(-1.0), &ONE);
const SECOND_SIGN: Term = Select(Test::Less(&Second, &ZERO), &Constant(-1.0), &ONE);
const RADIUS_BY_FIRST: Term = Term::Binary(O::Add, &First, &Term::Binary(O::Multiply, &Second, &INVERSE_SLOPE));
/// 1 + abs(r).
const ONE_AND_RESULT: Term = Term::Binary(O::Add, &ONE, &Term::Unary(O::Absolute, &Result));

/// The derivative of the error function, 2/sqrt(pi) * exp(-(x*x)).
const BELL: Term = Term::Binary(
    O::Multiply,
    &Constant(std::f64::consts::FRAC_2_SQRT_PI),
    &Term::Unary(O::Exponential, &Term::Unary(O::Negate, &FIRST_SQUARED)),
);

/// a - b * floor(a / b), rounded once; a zero is +0.
fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest + 0.0 }
}

/// The facts of most operations with these zeros.
const fn facts(effort: Effort, zeros: &'static [Zero]) -> Facts {
    let code = match effort {
        Arithmetic => MachineCode::Instructions,
        Choice | Division | Function | Series => MachineCode::Call,
    };
    Facts { effort, code, zeros, keeps_nan: true, keeps_finite: false }
}

impl Facts {
    const fn executed_by(self, code: MachineCode) -> Facts {
        Facts { code, ..self }
    }

    const fn may_lose_nan(self) -> Facts {
        Facts { keeps_nan: false, ..self }
    }

    const fn keeping_finite(self) -> Facts {
        Facts { keeps_finite: true, ..self }
    }
}

impl OperationRow {
    /// The row of an operation that is an expression in C, not a function of the operation's name.
    const fn formula(self, text: &'static str) -> OperationRow {
        OperationRow { in_c: InC::Formula(text), ..self }
    }

    /// The row of an operation that is a function of another name in C.
    const fn function(self, name: &'static str) -> OperationRow {
        OperationRow { in_c: InC::Function(name), ..self }
    }
}

/// The row of an operation on one real.
const fn unary(
    operation: O,
    name: &'static str,
    facts: Facts,
    evaluate: fn(f64) -> f64,
    coefficients: &'static [Term; 1],
) -> OperationRow {
    let evaluation = Evaluation::Unary(evaluate);
    OperationRow { operation, name, facts, evaluation, in_c: InC::Function(name), coefficients }
}

/// The row of an operation on two reals.
const fn binary(
    operation: O,
    name: &'static str,
    facts: Facts,
    evaluate: fn(f64, f64) -> f64,
    coefficients: &'static [Term; 2],
) -> OperationRow {
    let evaluation = Evaluation::Binary(evaluate);
    OperationRow { operation, name, facts, evaluation, in_c: InC::Function(name), coefficients }
}

/// The table, in the order of [`Operation`].
pub const OPERATIONS: [OperationRow; 44] = [
    binary(O::Add, "+", facts(Arithmetic, &[Added, Added]), |a, b| a + b, &[ONE, ONE]).formula("(a + b)"),
    binary(O::Subtract, "-", facts(Arithmetic, &[Added, Added]), |a, b| a - b, &[ONE, Constant(-1.0)])
        .formula("(a - b)"),
    binary(O::Multiply, "*", facts(Arithmetic, &[Alike, Alike]), |a, b| a * b, &[Second, First]).formula("(a * b)"),
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
    .formula("(a / b)"),
    unary(O::Negate, "negate", facts(Arithmetic, &[Alike]).keeping_finite(), |x| -x, &[Constant(-1.0)]).formula("(-a)"),
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
    .formula("vlad_square_root(m, a)"),
    unary(O::Exponential, "exp", facts(Function, &[Same]), |x| math::exp(x), &[Result]),
    unary(O::Logarithm, "log", facts(Function, &[Same]), |x| math::log(x), &[Term::Binary(O::Divide, &ONE, &First)]),
    unary(O::Sine, "sin", facts(Function, &[Alike]), |x| math::sin(x), &[Term::Unary(O::Cosine, &First)]),
    unary(
        O::Cosine,
        "cos",
        facts(Function, &[Same]),
        |x| math::cos(x),
        &[Term::Unary(O::Negate, &Term::Unary(O::Sine, &First))],
    ),
    unary(
        O::Tangent,
        "tan",
        facts(Function, &[Alike]),
        |x| math::tan(x),
        &[Term::Binary(O::Add, &ONE, &RESULT_SQUARED)],
    ),
    unary(
        O::ArcSine,
        "asin",
        facts(Function, &[Alike]),
        |x| math::asin(x),
        &[Term::Binary(O::Divide, &ONE, &COFUNCTION)],
    ),
    unary(
        O::ArcCosine,
        "acos",
        facts(Function, &[Same]),
        |x| math::acos(x),
        &[Term::Unary(O::Negate, &Term::Binary(O::Divide, &ONE, &COFUNCTION))],
    ),
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
    ),
    binary(
        O::ArcTangent2,
        "atan2",
        facts(Function, &[Distinct, Distinct]),
        |y, x| math::atan2(y, x),
        &[
            Select(
                IS_FLAT,
                &Term::Binary(O::Divide, &ONE, &RADIUS_BY_SECOND),
                &Term::Binary(O::Divide, &INVERSE_SLOPE, &RADIUS_BY_FIRST),
            ),
            Term::Unary(
                O::Negate,
                &Select(
                    IS_FLAT,
                    &Term::Binary(O::Divide, &SLOPE, &RADIUS_BY_SECOND),
                    &Term::Binary(O::Divide, &ONE, &RADIUS_BY_FIRST),
                ),
            ),
        ],
    ),
    unary(
        O::HyperbolicSine,
        "sinh",
        facts(Function, &[Alike]),
        |x| math::sinh(x),
        &[Term::Unary(O::HyperbolicCosine, &First)],
    ),
    unary(
        O::HyperbolicCosine,
        "cosh",
        facts(Function, &[Same]),
        |x| math::cosh(x),
        &[Term::Unary(O::HyperbolicSine, &First)],
    ),
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
    ),
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
    .function("pow"),
    unary(
        O::Absolute,
        "abs",
        facts(Arithmetic, &[Same]).keeping_finite(),
        f64::abs,
        &[Select(Test::Less(&First, &ZERO), &Constant(-1.0), &Select(Test::Less(&ZERO, &First), &ONE, &ZERO))],
    )
    .formula("vlad_absolute(m, a)"),
    binary(
        O::Maximum,
        "max",
        facts(Arithmetic, &[Alike, Alike]).may_lose_nan().keeping_finite(),
        |a, b| if a < b { b } else { a },
        &[Select(Test::Less(&First, &Second), &ZERO, &ONE), Select(Test::Less(&First, &Second), &ONE, &ZERO)],
    )
    .formula("(a < b ? b : a)"),
    binary(
        O::Minimum,
        "min",
        facts(Arithmetic, &[Alike, Alike]).may_lose_nan().keeping_finite(),
        |a, b| if b < a { b } else { a },
        &[Select(Test::Less(&Second, &First), &ZERO, &ONE), Select(Test::Less(&Second, &First), &ONE, &ZERO)],
    )
    .formula("(b < a ? b : a)"),
    unary(O::Floor, "floor", facts(Choice, &[Alike]).keeping_finite(), f64::floor, &[ZERO]).formula("vlad_floor(a)"),
    unary(O::Ceiling, "ceiling", facts(Choice, &[Alike]).keeping_finite(), f64::ceil, &[ZERO])
        .formula("vlad_ceiling(a)"),
    unary(O::Round, "round", facts(Choice, &[Alike]).keeping_finite(), f64::round_ties_even, &[ZERO])
        .formula("vlad_round(a)"),
    unary(O::Truncate, "truncate", facts(Choice, &[Alike]).keeping_finite(), f64::trunc, &[ZERO])
        .formula("vlad_truncate(a)"),
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
    .formula("vlad_modulo(a, b)"),
    binary(
        O::GuardedMultiply,
        "guarded*",
        facts(Choice, &[Same, Same]).executed_by(MachineCode::Instructions).may_lose_nan(),
        |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b + 0.0 },
        &[Second, First],
    )
    .formula("(a == 0.0 || b == 0.0 ? 0.0 : a * b + 0.0)"),
    unary(O::Copy, "copy", facts(Arithmetic, &[Alike]).keeping_finite(), |x| x, &[ONE]).formula("a"),
    unary(O::ErrorFunction, "erf", facts(Function, &[Alike]), |x| math::erf(x), &[BELL]),
    unary(
        O::ComplementaryErrorFunction,
        "erfc",
        facts(Function, &[Same]),
        |x| math::erfc(x),
        &[Term::Unary(O::Negate, &BELL)],
    ),
    unary(
        O::LogGamma,
        "lgamma",
        facts(Series, &[Same]),
        |x| math::lgamma(x),
        &[Term::Binary(O::Polygamma, &ZERO, &First)],
    ),
    binary(
        O::Polygamma,
        "polygamma",
        facts(Series, &[Distinct, Distinct]),
        |n, x| math::polygamma(n, x),
        // The function is defined for whole orders alone, so it has no derivative by the order.
        &[Constant(f64::NAN), Term::Binary(O::Polygamma, &Term::Binary(O::Add, &First, &ONE), &Second)],
    ),
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
    ),
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
    ),
    unary(
        O::InverseHyperbolicTangent,
        "atanh",
        facts(Function, &[Alike]),
        |x| math::atanh(x),
        &[Term::Binary(O::Divide, &ONE, &ONE_MINUS_SQUARE)],
    ),
    // At the origin 0, as for the absolute value. Of the longer side the quotient by the result has a derivative that cancels.
    binary(
        O::Hypotenuse,
        "hypot",
        facts(Function, &[Same, Same]).may_lose_nan(),
        |a, b| math::hypot(a, b),
        &[
            Select(
                Test::Zero(&Result),
                &ZERO,
                &Select(
                    Test::Nearer(&First, &Second),
                    &Term::Binary(O::Divide, &First, &Result),
                    &Term::Binary(O::Divide, &FIRST_SIGN, &COSECANT),
                ),
            ),
            Select(
                Test::Zero(&Result),
                &ZERO,
                &Select(
                    Test::Nearer(&Second, &First),
                    &Term::Binary(O::Divide, &Second, &Result),
                    &Term::Binary(O::Divide, &SECOND_SIGN, &SECANT),
                ),
            ),
        ],
    ),
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
    ),
    unary(
        O::Gamma,
        "gamma",
        facts(Series, &[Distinct]),
        |x| math::tgamma(x),
        &[Term::Binary(O::Multiply, &Result, &Term::Binary(O::Polygamma, &ZERO, &First))],
    )
    .function("tgamma"),
];
