//! Tests of derivatives to the last bit: the formula of each coefficient, and the order in which contributions are
//! added (rule 5a: report, part 9.2). The formulas are written in the language itself, from the report; the sums are
//! computed by hand, with 1e16 + 1 = 1e16 and 2^53 + 1 = 2^53, so that each order gives another number.

use crate::batch::{Batch, Expected};
use crate::expression::{Expression, tuple};
use vlad_conformance::fast_build::observe_text_with;
use vlad_conformance::observe::RunConditions;
use vlad_conformance::operations::{formulas, points};
use vlad_engines::Engine;
use vlad_shared::table::operations::OPERATIONS;

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
