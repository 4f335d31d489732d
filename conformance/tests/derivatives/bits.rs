//! Tests of derivatives to the last bit: the formula of each coefficient, and the order in which contributions are
//! added (rule 5a: report, part 9.2). The formulas are written in the language itself, from the report; the sums are
//! computed by hand, with 1e16 + 1 = 1e16 and 2^53 + 1 = 2^53, so that each order gives another number.

use crate::batch::{Batch, Expected};
use crate::expression::{Expression, tuple};
use crate::samples::points;
use vlad_conformance::fast_build::observe_text_with;
use vlad_conformance::observe::RunConditions;
use vlad_engines::Engine;
use vlad_shared::table::Operation;
use vlad_shared::table::operations::OPERATIONS;

/// The coefficients of an operation in the language: `a` and `b` are the operands, `r` is the result. Exhaustive: a new
/// operation has to state its coefficients.
fn formulas(operation: Operation) -> &'static [&'static str] {
    match operation {
        Operation::Copy => &["1"],
        Operation::Add => &["1", "1"],
        Operation::Subtract => &["1", "-1"],
        Operation::Multiply | Operation::GuardedMultiply => &["b", "a"],
        // No sample has a zero, so guarded products are products here and in the power.
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

/// Pairs of an expression for a derivative and an expression for its expected value, to the bit.
fn coefficient_pairs() -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for row in &OPERATIONS {
        let formulas = formulas(row.operation);
        let arity = formulas.len();
        let expression = Expression::Apply(row.operation, (0..arity).map(Expression::Variable).collect());
        let procedure = expression.procedure(arity);
        for point in points(row.operation) {
            let argument = tuple(point);
            // The letters of the formulas are bound to the operands and the result.
            let letters = ["a", "b"].iter().zip(*point).map(|(letter, x)| format!("({letter} {})", tuple(&[*x])));
            let bound = format!("{} (r ({procedure} {argument}))", letters.collect::<String>());
            let gradient = format!("(cdr (*j {procedure} {argument} 0.3))");
            for (number, formula) in formulas.iter().enumerate() {
                let expected = format!("(let* ({bound}) (+ 0 (* {formula} 0.3)))");
                let mut basis = vec![0.0; arity];
                basis[number] = 0.3;
                pairs.push((format!("(cdr (j* {procedure} {argument} {}))", tuple(&basis)), expected.clone()));
                let reverse = match (arity, number) {
                    (1, _) => gradient.clone(),
                    (_, 0) => format!("(car {gradient})"),
                    _ => format!("(cdr {gradient})"),
                };
                pairs.push((reverse, expected));
            }
        }
    }
    pairs
}

#[test]
fn coefficients_have_the_bits_of_their_formulas() {
    let pairs = coefficient_pairs();
    let program: String = pairs.iter().map(|(actual, expected)| format!("{actual}\n{expected}\n")).collect();
    for engine in Engine::ALL {
        let observation = observe_text_with(engine, &program, &RunConditions::default());
        assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
        assert_eq!(observation.output.len(), 2 * pairs.len());
        for ((actual, expected), printed) in pairs.iter().zip(observation.output.chunks(2)) {
            assert_eq!(printed[0], printed[1], "{engine}: {actual} is {expected}");
        }
    }
}

const ORDERS: &[(&str, &str)] = &[
    // Output cotangents, left to right over the result as a tree.
    ("(cdr (*j (lambda (x) (list x x x)) 1 (list 1e16 -1e16 1)))", "1"),
    ("(cdr (*j (lambda (x) (list x x x)) 1 (list 1 1e16 -1e16)))", "0"),
    ("(cdr (*j (lambda (x) (cons (cons x x) x)) 1 (cons (cons 1e16 -1e16) 1)))", "1"),
    ("(cdr (*j (lambda (x) (cons (cons x x) x)) 1 (cons (cons 1 1e16) -1e16)))", "0"),
    // The tape nodes are a x, b x, c x and two sums. The reverse sweep reaches c, b, a; forward mode adds a, b, c.
    ("(cdr (*j (lambda (x) (+ (* 1 x) (* 1e16 x) (* -1e16 x))) 1 1))", "1"),
    ("(cdr (j* (lambda (x) (+ (* 1 x) (* 1e16 x) (* -1e16 x))) 1 1))", "0"),
    ("(cdr (*j (lambda (x) (+ (* -1e16 x) (* 1e16 x) (* 1 x))) 1 1))", "0"),
    ("(cdr (j* (lambda (x) (+ (* -1e16 x) (* 1e16 x) (* 1 x))) 1 1))", "1"),
    // A sum nested the other way has the same products, executed in the same order; only forward mode adds differently:
    // 1 + (1e16 - 1e16).
    ("(cdr (*j (lambda (x) (+ (* 1 x) (+ (* 1e16 x) (* -1e16 x)))) 1 1))", "1"),
    ("(cdr (j* (lambda (x) (+ (* 1 x) (+ (* 1e16 x) (* -1e16 x)))) 1 1))", "1"),
    // The order is that of execution, not of the text: here the products are executed c, b, a.
    ("(cdr (*j (lambda (x) (let* ((c (* -1e16 x)) (b (* 1e16 x)) (a (* 1 x))) (+ a b c))) 1 1))", "0"),
    // The operands of one tape node, first to last: x/x contributes 1 and then -1, to 2^53 from the product.
    ("(cdr (*j (lambda (x) (+ (/ x x) (* 9007199254740992 x))) 1 1))", "9007199254740991"),
    ("(cdr (j* (lambda (x) (+ (/ x x) (* 9007199254740992 x))) 1 1))", "9007199254740992"),
    // Moving a value makes no tape node: the copies of y share one accumulator, in which 0.1 + 0.2 + 0.3 =
    // 0.6000000000000001 is summed; with tape nodes of their own, 3 * 0.3 + 3 * 0.2 + 3 * 0.1 is another number.
    ("(cdr (*j (lambda (x) (let ((y (* 3 x))) (list y y y))) 1 (list 0.1 0.2 0.3)))", "1.8000000000000003"),
    ("(cdr (*j (lambda (x) (list (* 3 x) (* 3 x) (* 3 x))) 1 (list 0.1 0.2 0.3)))", "1.8"),
    (
        "(cdr (*j (lambda (x) (let ((y (* 3 x))) (list (car (cons y y)) ((lambda () y)) (if #t y 0)))) 1 (list 0.1 0.2 0.3)))",
        "1.8000000000000003",
    ),
    (
        "(cdr (*j (lambda (x) (let loop ((y (* 3 x)) (i 2) (l (list x))) (if (= i 0) (list y y y) (loop y (- i 1) (cons y l))))) 1 (list 0.1 0.2 0.3)))",
        "1.8000000000000003",
    ),
    // Each execution makes a tape node, in a loop as well: the sum of x, 1e16 x, -1e16 x over a list is swept from its
    // end.
    (
        "(cdr (*j (lambda (x) (let loop ((l (list 1 1e16 -1e16)) (s 0)) (if (null? l) s (loop (cdr l) (+ s (* (car l) x)))))) 1 1))",
        "1",
    ),
    // (+ x) and (* x) are x itself: no tape node, so 0.1 + 0.2 + 0.3 again.
    (
        "(cdr (*j (lambda (x) (let ((y (* 3 x))) (list (+ y) (* y) (max y)))) 1 (list 0.1 0.2 0.3)))",
        "1.8000000000000003",
    ),
    // `real` and `write` return the value itself: no tape node.
    ("(cdr (*j (lambda (x) (let ((y (* 3 x))) (list (real y) y y))) 1 (list 0.1 0.2 0.3)))", "1.8000000000000003"),
    // Forward: the sum of the products of an operation, first operand first; of a fold, from the left.
    ("(cdr (j* + (cons* 1 1 1) (cons* 1e16 -1e16 1)))", "1"),
    ("(cdr (j* + (cons* 1 1 1) (cons* 1 1e16 -1e16)))", "0"),
    ("(cdr (j* * (cons* 1 1 1) (cons* 1 1e16 -1e16)))", "0"),
    ("(cdr (j* - (cons* 1 1 1) (cons* 1 1e16 -1e16)))", "0"),
    // plus adds component by component.
    ("(plus (plus 1 1e16) -1e16)", "0"),
    ("(plus 1 (plus 1e16 -1e16))", "1"),
];

#[test]
fn contributions_are_added_in_order() {
    let mut batch = Batch::new("");
    for (text, result) in ORDERS {
        batch.expect("order", text, Expected::Exactly((*result).to_owned()));
    }
    batch.check_optimised();
}
