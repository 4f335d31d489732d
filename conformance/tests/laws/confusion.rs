//! Tests of perturbation confusion: nested derivatives that use a variable of an outer one, in every combination of
//! modes. The expected values are derivatives of polynomials, by hand.

use crate::check_all;

/// Derivatives of procedures of one real, by both modes.
const DEFINITIONS: &str = "
(define (forward f x) (cdr (j* f x 1)))
(define (reverse f x) (cdr (*j f x 1)))";

/// Expressions with placeholders for modes - OUTER, INNER, and MIDDLE - and their values.
const CASES: &[(&str, &str)] = &[
    // Siskind and Pearlmutter: d/dx (x d/dy (x + y)) is 1, not 2.
    ("(OUTER (lambda (x) (* x (INNER (lambda (y) (+ x y)) 7))) 3)", "1"),
    ("(OUTER (lambda (x) (* x (INNER (lambda (y) (+ x y)) x))) 3)", "1"),
    // x d/dy (x y) = x^2.
    ("(OUTER (lambda (x) (* x (INNER (lambda (y) (* x y)) 7))) 3)", "6"),
    // x d/dy (x y^2) at y = 7 is 14 x^2; at y = x it is 2 x^3.
    ("(OUTER (lambda (x) (* x (INNER (lambda (y) (* x y y)) 7))) 3)", "84"),
    ("(OUTER (lambda (x) (* x (INNER (lambda (y) (* x y y)) x))) 3)", "54"),
    // The inner derivative of a procedure that does not use its variable is zero, independent of the outer one.
    ("(OUTER (lambda (x) (INNER (lambda (y) x) 7)) 3)", "0"),
    ("(OUTER (lambda (x) (INNER (lambda (y) (* x x)) x)) 3)", "0"),
    // The point of the inner derivative moves: d/dx 3 x^2 = 6 x.
    ("(OUTER (lambda (x) (INNER (lambda (y) (* y y y)) x)) 5)", "30"),
    // The derivative of a derivative's own variable: d/dx (x d/dx x^2) = 4 x.
    ("(OUTER (lambda (x) (* x (INNER (lambda (x) (* x x)) x))) 3)", "12"),
    // Two inner derivatives side by side: (2 x) (3 x^2), whose derivative is 18 x^2.
    ("(OUTER (lambda (x) (* (INNER (lambda (y) (* y y)) x) (INNER (lambda (y) (* y y y)) x))) 2)", "72"),
    // An inner derivative inside an inner one, over all three: d/dx x d/dy (y d/dz (x y z)) = d/dx x (2 x y) at y = 5.
    ("(OUTER (lambda (x) (* x (INNER (lambda (y) (* y (MIDDLE (lambda (z) (* x y z)) 11))) 5))) 3)", "60"),
    // Closures that carry the outer variable into the inner derivative and out of it again.
    ("(OUTER (lambda (x) (let ((f (lambda (y) (* x y y)))) (INNER f x))) 3)", "12"),
    ("(OUTER (lambda (x) ((car (j* (lambda (y) (lambda (z) (* x (* y z)))) x 1)) 7)) 3)", "42"),
    // The tangent of a closure: its captured slots (x y) have the tangents (0 1), so the call gives 0.
    ("(OUTER (lambda (x) ((cdr (j* (lambda (y) (lambda (z) (* x (* y z)))) 5 1)) 7)) 3)", "0"),
    // ... with a sum: y' z + x' = x z, whose derivative is z.
    ("(OUTER (lambda (x) ((cdr (j* (lambda (y) (lambda (z) (+ (* y z) x))) 5 x)) 7)) 3)", "7"),
    // The seed of the inner derivative depends on the outer variable: x * 2 y at y = 4, and x^2 * 2 y at y = x.
    ("(OUTER (lambda (x) (cdr (j* (lambda (y) (* y y)) 4 x))) 3)", "8"),
    ("(OUTER (lambda (x) (cdr (*j (lambda (y) (* y y)) 4 x))) 3)", "8"),
    ("(OUTER (lambda (x) (cdr (j* (lambda (y) (* y y)) x (* x x)))) 3)", "54"),
    ("(OUTER (lambda (x) (cdr (*j (lambda (y) (* y y)) x (* x x)))) 3)", "54"),
    // The primal that the inner operator returns is a value of the outer level.
    ("(OUTER (lambda (x) (car (j* (lambda (y) (* x y y)) x 1))) 2)", "12"),
    ("(OUTER (lambda (x) (car (*j (lambda (y) (* x y y)) x 1))) 2)", "12"),
    // Derivatives within data, lists and recursion: the sum of d/dy (x y^2) over y = 1, 2, 3 is 12 x.
    ("(OUTER (lambda (x) (reduce + 0 (map (lambda (y) (INNER (lambda (y) (* x y y)) y)) (list 1 2 3)))) 5)", "12"),
    // A branch depends on primals, at all levels.
    ("(OUTER (lambda (x) (INNER (lambda (y) (if (< y x) (* x y) (* x x y))) 2)) 3)", "1"),
    ("(OUTER (lambda (x) (INNER (lambda (y) (if (> y x) (* x y) (* x x y))) 2)) 3)", "6"),
];

#[test]
fn nested_derivatives_are_not_confused() {
    let modes = ["forward", "reverse"];
    let mut expectations = Vec::new();
    for (text, value) in CASES {
        for outer in modes {
            for inner in modes {
                for middle in modes {
                    let text = text.replace("OUTER", outer).replace("INNER", inner).replace("MIDDLE", middle);
                    expectations.push((text, (*value).to_owned()));
                }
            }
        }
    }
    expectations.sort();
    expectations.dedup();
    check_all(DEFINITIONS, &expectations);
}

/// Tests the curried derivative of Manzyuk, Pearlmutter, Radul, Rush and Siskind ("Perturbation confusion in forward
/// automatic differentiation of higher-order functions", 2019): s u f x = f (x + u). In that paper D s 0 should be
/// differentiation. Here the tangent of a procedure is the tangent of its environment, and calling it runs the code on
/// that: f (x + 1).
#[test]
fn tangents_of_curried_procedures_run_their_code() {
    let definitions = "
        (define (((shift u) f) x) (f (+ x u)))
        (define (square x) (* x x))
        (define d (cdr (j* shift 0 1)))";
    let expectations = [
        ("((d square) 2)", "9"),
        ("((d (d square)) 2)", "16"),
        ("((car (j* (shift 3) square square)) 2)", "25"),
        // With the argument inside the procedure it is a derivative: d/du (x + u)^2 = 2 (x + u).
        ("(cdr (j* (lambda (u) (((shift u) square) 2)) 0 1))", "4"),
        ("(cdr (*j (lambda (u) (((shift u) square) 2)) 0 1))", "4"),
        ("(cdr (j* (lambda (u) (cdr (j* (lambda (v) (((shift u) ((shift v) square)) 2)) 0 1))) 0 1))", "2"),
    ];
    check_all(definitions, &expectations.map(|(expression, result)| (expression.to_owned(), result.to_owned())));
}

/// The derivative of x^10 to every depth up to 10, with modes that alternate from one end or the other.
#[test]
fn deep_nestings() {
    let mut expectations = Vec::new();
    for depth in 1..=10u32 {
        // 10! / (10 - depth)! at x = 1.
        let value: u64 = (0..depth).map(|number| u64::from(10 - number)).product();
        for pattern in ["f", "r", "fr", "rf", "ffr", "rrf"] {
            let letters = pattern.chars().cycle().take(depth as usize);
            let body = letters.fold("(* x x x x x x x x x x)".to_owned(), |inner, letter| match letter {
                'f' => format!("(forward (lambda (x) {inner}) x)"),
                _ => format!("(reverse (lambda (x) {inner}) x)"),
            });
            expectations.push((format!("(let ((x 1)) {body})"), value.to_string()));
        }
    }
    check_all(DEFINITIONS, &expectations);
}
