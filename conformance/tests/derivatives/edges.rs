//! The edge cases that the report fixes (part 9): exact derivatives where a function is not smooth or not defined,
//! where a coefficient is infinite, and where a tangent is zero. They are derived by hand from the formulas of the
//! report, IEEE arithmetic, and the rules "a (x) b is +0 if either is zero" and "a zero is given back as +0".

use crate::batch::{Batch, Expected};
use crate::modes::{Mode, definitions};
use rstest::rstest;

/// A procedure of one real, a point, and the derivative there.
type UnaryEdge = (&'static str, &'static str, &'static str);

/// A procedure of two reals, a point, and the two partial derivatives there.
type BinaryEdge = (&'static str, [&'static str; 2], [&'static str; 2]);

const UNARY: &[UnaryEdge] = &[
    // 0.5 * (1/r), but +inf at either zero; of a NaN result, NaN.
    ("sqrt", "0", "+inf.0"),
    ("sqrt", "-0.", "+inf.0"),
    ("sqrt", "-1", "+nan.0"),
    ("sqrt", "+inf.0", "0"),
    // 1/x, also if the logarithm itself is no finite real.
    ("log", "0", "+inf.0"),
    ("log", "-0.", "-inf.0"),
    ("log", "-2", "-0.5"),
    ("log", "+inf.0", "0"),
    ("abs", "0", "0"),
    ("abs", "-0.", "0"),
    ("abs", "+nan.0", "0"),
    ("abs", "+inf.0", "1"),
    ("abs", "-inf.0", "-1"),
    ("asin", "1", "+inf.0"),
    ("asin", "-1", "+inf.0"),
    ("asin", "2", "+nan.0"),
    ("acos", "1", "-inf.0"),
    ("acos", "-1", "-inf.0"),
    ("acos", "0", "-1"),
    ("atan", "0", "1"),
    ("atan", "+inf.0", "0"),
    ("atan", "-inf.0", "0"),
    ("atan", "1", "0.5"),
    ("exp", "0", "1"),
    ("exp", "1000", "+inf.0"),
    ("exp", "-1000", "0"),
    ("sin", "0", "1"),
    ("sin", "+inf.0", "+nan.0"),
    ("cos", "0", "0"),
    ("cos", "-0.", "0"),
    ("cos", "-inf.0", "+nan.0"),
    ("tan", "0", "1"),
    ("sinh", "0", "1"),
    ("sinh", "1000", "+inf.0"),
    ("cosh", "0", "0"),
    ("cosh", "-1000", "-inf.0"),
    ("tanh", "0", "1"),
    ("tanh", "1000", "0"),
    ("tanh", "-1000", "0"),
    ("floor", "2", "0"),
    ("ceiling", "-2", "0"),
    ("round", "0.5", "0"),
    ("round", "2.5", "0"),
    ("truncate", "-0.5", "0"),
    ("floor", "+nan.0", "0"),
    ("truncate", "+inf.0", "0"),
    ("-", "0", "-1"),
    ("+", "0", "1"),
    ("*", "0", "1"),
    ("max", "-0.", "1"),
    ("min", "+nan.0", "1"),
    // (/ 1 x): -(r (x) (1/b)).
    ("/", "0", "-inf.0"),
    ("/", "-0.", "-inf.0"),
    ("/", "2", "-0.25"),
    ("/", "+inf.0", "0"),
    // With a constant operand only the other operand's coefficient counts.
    ("(lambda (x) (/ x 0))", "1", "+inf.0"),
    ("(lambda (x) (/ 0 x))", "0", "+nan.0"),
    ("(lambda (x) (* x 0))", "+inf.0", "0"),
    ("(lambda (x) (* 0 x))", "+nan.0", "0"),
    ("(lambda (x) (* x +inf.0))", "0", "+inf.0"),
    ("(lambda (x) (expt x 2))", "-3", "-6"),
    ("(lambda (x) (expt x 0))", "0", "0"),
    ("(lambda (x) (expt x 0))", "+nan.0", "0"),
    ("(lambda (x) (expt x 1))", "0", "1"),
    ("(lambda (x) (expt 0 x))", "2", "0"),
    ("(lambda (x) (expt -2 x))", "3", "+nan.0"),
    // The tangent of x*x is zero at 0, and an infinite coefficient leaves it zero; in reverse, 0 (x) inf is 0.
    ("(lambda (x) (sqrt (* x x)))", "0", "0"),
    ("(lambda (x) (* 0 (sqrt x)))", "0", "0"),
    ("(lambda (x) (* 0 (log x)))", "0", "0"),
    ("(lambda (x) (+ x (* 0 (sqrt (- x x)))))", "3", "1"),
    ("(lambda (x) (expt (* x x) 0.5))", "0", "0"),
    // A discrete operation has derivative zero.
    ("(lambda (x) (* x (floor x)))", "2.5", "2"),
    ("(lambda (x) 7)", "2", "0"),
    // Comparisons with NaN are false.
    ("(lambda (x) (if (< x 1) (* 2 x) (* 3 x)))", "+nan.0", "3"),
    ("(lambda (x) (if (> x 1) (* 2 x) (* 3 x)))", "+nan.0", "3"),
    ("(lambda (x) (if (<= x 1) (* 2 x) (* 3 x)))", "+nan.0", "3"),
    ("(lambda (x) (if (>= x 1) (* 2 x) (* 3 x)))", "+nan.0", "3"),
    ("(lambda (x) (if (= x x) (* 2 x) (* 3 x)))", "+nan.0", "3"),
    ("(lambda (x) (if (zero? x) (* 2 x) (* 3 x)))", "+nan.0", "3"),
    ("(lambda (x) (if (zero? x) (* 2 x) (* 3 x)))", "-0.", "2"),
    ("(lambda (x) (if (positive? x) (* 2 x) (* 3 x)))", "-0.", "3"),
    ("(lambda (x) (if (negative? x) (* 2 x) (* 3 x)))", "-0.", "3"),
    ("(lambda (x) (if (equal? x x) (* 2 x) (* 3 x)))", "+nan.0", "3"),
];

const BINARY: &[BinaryEdge] = &[
    // The guarded products of y and expt(x,y-1), and of r and log x.
    ("expt", ["0", "0"], ["0", "-inf.0"]),
    ("expt", ["0", "1"], ["1", "0"]),
    ("expt", ["0", "2"], ["0", "0"]),
    ("expt", ["-0.", "2"], ["0", "0"]),
    ("expt", ["0", "0.5"], ["+inf.0", "0"]),
    ("expt", ["0", "-1"], ["-inf.0", "-inf.0"]),
    ("expt", ["-2", "3"], ["12", "+nan.0"]),
    ("expt", ["-2", "0"], ["0", "+nan.0"]),
    ("expt", ["-2", "-0."], ["0", "+nan.0"]),
    ("expt", ["+inf.0", "0"], ["0", "+inf.0"]),
    ("expt", ["+nan.0", "0"], ["0", "+nan.0"]),
    // inf and 0.5^(inf - 1) = 0, guarded; 0 * log 0.5 is a zero.
    ("expt", ["0.5", "+inf.0"], ["0", "0"]),
    ("expt", ["1", "+nan.0"], ["+nan.0", "0"]),
    ("expt", ["1", "5"], ["5", "0"]),
    ("expt", ["-8", "0.5"], ["+nan.0", "+nan.0"]),
    // A tie chooses the first, as does NaN.
    ("max", ["2", "2"], ["1", "0"]),
    ("min", ["2", "2"], ["1", "0"]),
    ("max", ["-0.", "0"], ["1", "0"]),
    ("min", ["0", "-0."], ["1", "0"]),
    ("max", ["+nan.0", "1"], ["1", "0"]),
    ("max", ["1", "+nan.0"], ["1", "0"]),
    ("min", ["+nan.0", "1"], ["1", "0"]),
    ("min", ["1", "+nan.0"], ["1", "0"]),
    ("max", ["-inf.0", "+inf.0"], ["0", "1"]),
    // 1 and -round((x-r)/y).
    ("modulo", ["6", "2"], ["1", "-3"]),
    ("modulo", ["-7", "2"], ["1", "4"]),
    ("modulo", ["7", "-2"], ["1", "4"]),
    ("modulo", ["0", "2"], ["1", "0"]),
    ("modulo", ["1", "2"], ["1", "0"]),
    ("modulo", ["5.5", "0"], ["1", "+nan.0"]),
    ("modulo", ["0", "0"], ["1", "+nan.0"]),
    ("modulo", ["5", "+inf.0"], ["1", "0"]),
    // 1/(x+y*(y/x)) and -((y/x)/(x+y*(y/x))), and the same with the operands exchanged.
    ("atan", ["0", "1"], ["1", "0"]),
    ("atan", ["1", "0"], ["0", "-1"]),
    ("atan", ["0", "-1"], ["-1", "0"]),
    ("atan", ["-0.", "-1"], ["-1", "0"]),
    ("atan", ["-1", "0"], ["0", "1"]),
    ("atan", ["3", "4"], ["0.16", "-0.12"]),
    ("atan", ["3", "-4"], ["-0.16", "-0.12"]),
    ("atan", ["-3", "-4"], ["-0.16", "0.12"]),
    ("atan", ["-3", "4"], ["0.16", "0.12"]),
    ("atan", ["0", "0"], ["+nan.0", "+nan.0"]),
    ("atan", ["1", "+inf.0"], ["0", "0"]),
    ("atan", ["-inf.0", "1"], ["0", "0"]),
    ("atan", ["+inf.0", "-inf.0"], ["+nan.0", "+nan.0"]),
    // 1/b and -(r (x) (1/b)); the reciprocal of 1e-309 overflows, that of an infinity is zero.
    ("/", ["0", "1e-309"], ["+inf.0", "0"]),
    ("/", ["-0.", "-1e-309"], ["-inf.0", "0"]),
    ("/", ["1e-319", "1e-309"], ["+inf.0", "-inf.0"]),
    ("/", ["1e-319", "-1e-309"], ["-inf.0", "-inf.0"]),
    ("/", ["-1", "1e-309"], ["+inf.0", "+inf.0"]),
    ("/", ["+nan.0", "1e-309"], ["+inf.0", "+nan.0"]),
    ("/", ["+inf.0", "+inf.0"], ["0", "0"]),
    ("/", ["+nan.0", "-inf.0"], ["0", "0"]),
    ("/", ["1", "+nan.0"], ["+nan.0", "+nan.0"]),
    // 2^1023 has the reciprocal 2^-1023, a subnormal number that is exact.
    ("/", ["8.98846567431158e+307", "8.98846567431158e+307"], ["1.1125369292536007e-308", "-1.1125369292536007e-308"]),
    ("/", ["1", "0"], ["+inf.0", "-inf.0"]),
    ("/", ["1", "-0."], ["-inf.0", "-inf.0"]),
    ("/", ["0", "0"], ["+inf.0", "+nan.0"]),
    ("/", ["0", "2"], ["0.5", "0"]),
    ("/", ["1", "+inf.0"], ["0", "0"]),
    ("*", ["0", "+inf.0"], ["+inf.0", "0"]),
    ("*", ["+nan.0", "0"], ["0", "+nan.0"]),
    ("+", ["+inf.0", "-inf.0"], ["1", "1"]),
    ("-", ["+nan.0", "0"], ["1", "-1"]),
    ("guarded*", ["0", "+inf.0"], ["+inf.0", "0"]),
    ("guarded*", ["+nan.0", "0"], ["0", "+nan.0"]),
    ("guarded*", ["-2", "3"], ["3", "-2"]),
];

/// Whole expressions and their printed values.
const WHOLE: &[(&str, &str)] = &[
    // A zero tangent or cotangent is multiplied by an infinite or undefined coefficient.
    ("(j* sqrt 0 0)", "(0 . 0)"),
    ("(*j sqrt 0 0)", "(0 . 0)"),
    ("(j* log 0 0)", "(-inf.0 . 0)"),
    ("(*j log 0 0)", "(-inf.0 . 0)"),
    ("(j* sin +inf.0 0)", "(+nan.0 . 0)"),
    ("(*j sin +inf.0 0)", "(+nan.0 . 0)"),
    ("(j* / (cons 1 0) (cons 0 0))", "(+inf.0 . 0)"),
    ("(j* expt (cons -3 2) (cons 1 0))", "(9 . -6)"),
    ("(*j / (cons 1 0) 0)", "(+inf.0 0 . 0)"),
    // A zero is returned as +0: the user's own, a computed one, one that underflows.
    ("(j* (lambda (x) x) 1 -0.)", "(1 . 0)"),
    ("(*j (lambda (x) x) 1 -0.)", "(1 . 0)"),
    ("(j* - 3 0)", "(-3 . 0)"),
    ("(*j - 3 0)", "(-3 . 0)"),
    ("(j* (lambda (x) (* x -1e-200)) 1 1e-200)", "(-1e-200 . 0)"),
    ("(*j (lambda (x) (* x -1e-200)) 1 1e-200)", "(-1e-200 . 0)"),
    ("(j* (lambda (x) (- x)) 0 1)", "(-0 . -1)"),
    ("(j* cos 0 1)", "(1 . 0)"),
    ("(*j cos 0 1)", "(1 . 0)"),
    ("(j* - (cons 1 1) (cons 2 2))", "(0 . 0)"),
    ("(*j (lambda (x) (- x x)) 1 1)", "(0 . 0)"),
    ("(j* (lambda (x) (cons x (- x))) 1 -0.)", "((1 . -1) 0 . 0)"),
    // An infinite tangent through a zero coefficient, and NaN through a zero one.
    ("(j* (lambda (x) (* 0 x)) 1 +inf.0)", "(0 . 0)"),
    ("(j* (lambda (x) (* 0 x)) 1 +nan.0)", "(0 . 0)"),
    ("(*j (lambda (x) (* 0 x)) 1 +inf.0)", "(0 . 0)"),
    ("(*j floor 1.5 +nan.0)", "(1 . 0)"),
    // Reverse may still cancel infinities where forward gives 0.
    ("(cdr (j* (lambda (x) (sqrt (- x x))) 1 1))", "0"),
    ("(cdr (*j (lambda (x) (sqrt (- x x))) 1 1))", "+nan.0"),
    // The chosen operand of a fold: the first of equals.
    ("(cdr (*j max (cons* 1 1 1) 1))", "(1 0 . 0)"),
    ("(cdr (*j min (cons* 2 1 1 3) 1))", "(0 1 0 . 0)"),
    ("(cdr (*j max (cons* 1 3 2 3) 1))", "(0 1 0 . 0)"),
    ("(cdr (j* (lambda (x) (+)) 1 1))", "0"),
    ("(cdr (j* (lambda (x) (*)) 1 1))", "0"),
    // The derivative of a constant choice is zero: sqrt's +inf, the sign of abs, the powers.
    ("((forward (forward sqrt)) 0)", "0"),
    ("((reverse (reverse sqrt)) 0)", "0"),
    ("((forward (reverse abs)) 0)", "0"),
    ("((reverse (forward abs)) -2)", "0"),
    ("((forward (forward (lambda (x) (expt x 2)))) 0)", "2"),
    ("((reverse (forward (lambda (x) (expt x 2)))) 0)", "2"),
    ("((forward (reverse (lambda (x) (expt x 2)))) 0)", "2"),
    ("((reverse (reverse (lambda (x) (expt x 2)))) 0)", "2"),
    ("((forward (forward (lambda (x) (expt x 1)))) 0)", "0"),
    ("((forward (forward cos)) 0)", "-1"),
    ("((reverse (reverse cos)) 0)", "-1"),
    ("((forward (forward sin)) 0)", "0"),
    ("((reverse (forward sin)) -0.)", "0"),
    // x*x*x at zero: a product of zeros has a derivative of its own.
    ("((forward (forward (forward (lambda (x) (* x x x))))) 0)", "6"),
    ("((reverse (reverse (reverse (lambda (x) (* x x x))))) 0)", "6"),
    ("((forward (reverse (forward (lambda (x) (* x x x))))) 0)", "6"),
    ("((reverse (forward (reverse (lambda (x) (* x x x))))) 0)", "6"),
];

#[rstest]
fn edges_of_one_operand(
    #[values(Mode::Forward, Mode::Reverse, Mode::Checkpointed, Mode::Bundled, Mode::Pulled)] mode: Mode,
) {
    let mut batch = Batch::new(&definitions(&[mode]));
    for (procedure, point, derivative) in UNARY {
        let text = format!("(({} {procedure}) {point})", mode.name());
        batch.expect("edge", &text, Expected::Exactly((*derivative).to_owned()));
    }
    batch.check();
}

#[rstest]
fn edges_of_two_operands(
    #[values(Mode::Forward, Mode::Reverse, Mode::Checkpointed, Mode::Bundled, Mode::Pulled)] mode: Mode,
) {
    let mut batch = Batch::new(&definitions(&[mode]));
    for (procedure, [first, second], derivatives) in BINARY {
        for (number, derivative) in derivatives.iter().enumerate() {
            let text = format!("(({}{} {procedure}) (cons {first} {second}))", mode.name(), number + 1);
            batch.expect("edge", &text, Expected::Exactly((*derivative).to_owned()));
        }
    }
    batch.check();
}

#[test]
fn whole_results() {
    let mut batch = Batch::new(&definitions(&Mode::OPERATORS));
    for (text, result) in WHOLE {
        batch.expect("result", text, Expected::Exactly((*result).to_owned()));
    }
    batch.check();
}
