//! Procedures as data: the tangent of a procedure is the tangent of its environment, a procedure with the same code and
//! other captured slots; calling it runs the code on those numbers.

use crate::{check, check_all};
use vlad_derivatives::numbers::Numbers;

/// A procedure that captures several reals: (a x + b) x + c, with a, b, c in this order of first occurrence.
const QUADRATIC: &str = "(define (quadratic a b c) (lambda (x) (+ (* (+ (* a x) b) x) c)))";

#[test]
fn tangents_of_procedures_are_tangents_of_their_slots() {
    let mut numbers = Numbers::new(5);
    let mut expectations = Vec::new();
    for _ in 0..50 {
        let mut three = || [numbers.whole(), numbers.whole(), numbers.whole()];
        let ([a, b, c], [da, db, dc], [x, scale, at]) = (three(), three(), three());
        let evaluate = |[a, b, c]: [f64; 3], x: f64| (a * x + b) * x + c;
        let (value, tangent) = (evaluate([a, b, c], x), evaluate([da, db, dc], x));
        // Application of a procedure: evaluation at x is linear in the slots.
        expectations.push((
            format!("(j* (lambda (p) (p {x})) (quadratic {a} {b} {c}) (quadratic {da} {db} {dc}))"),
            format!("({value} . {tangent})"),
        ));
        // Its cotangent is the procedure with the slots x^2, x, 1, scaled; called at a point it gives their polynomial.
        let gradient = evaluate([scale * x * x, scale * x, scale], at);
        expectations.push((
            format!("((cdr (*j (lambda (p) (p {x})) (quadratic {a} {b} {c}) {scale})) {at})"),
            gradient.to_string(),
        ));
        // A procedure as a result: primal and tangent are procedures with the same code.
        let made = format!("(j* (lambda (a) (quadratic a (* a a) {c})) {a} {scale})");
        let pushed = evaluate([scale, 2.0 * a * scale, 0.0], at);
        expectations.push((format!("((car {made}) {at})"), evaluate([a, a * a, c], at).to_string()));
        expectations.push((format!("((cdr {made}) {at})"), pushed.to_string()));
        // In reverse: the cotangents da, db of the slots a and a*a are summed in a; dc has no effect.
        expectations.push((
            format!("(cdr (*j (lambda (a) (quadratic a (* a a) {c})) {a} (quadratic {da} {db} {dc})))"),
            (da + 2.0 * a * db).to_string(),
        ));
    }
    check_all(QUADRATIC, &expectations);
}

#[test]
fn procedures_within_data_and_within_procedures() {
    let definitions = "
        (define (scale a) (lambda (x) (* a x)))
        (define (compose-two f g) (lambda (x) (f (g x))))
        (define (apply-all procedures x) (if (null? procedures) x (apply-all (cdr procedures) ((car procedures) x))))";
    let expectations = [
        // 2 * 3 * 5 = 30; by the first slot 15, the second 10, and by x 6.
        ("(j* (lambda (p) (p 5)) (compose-two (scale 2) (scale 3)) (compose-two (scale 1) (scale 0)))", "(30 . 15)"),
        ("(j* (lambda (p) (p 5)) (compose-two (scale 2) (scale 3)) (compose-two (scale 0) (scale 1)))", "(30 . 10)"),
        // The cotangent of the composition: a composition of the two scalings' cotangents, 15 and 10.
        ("((cdr (*j (lambda (p) (p 5)) (compose-two (scale 2) (scale 3)) 1)) 7)", "1050"),
        // A list of procedures, and real operands beside it.
        ("(j* apply-all (cons (list (scale 2) (scale 3)) 5) (cons (list (scale 0) (scale 0)) 1))", "(30 . 6)"),
        ("(cdr (cdr (*j apply-all (cons (list (scale 2) (scale 3)) 5) 1)))", "6"),
        ("(map (lambda (p) (p 1)) (car (cdr (*j apply-all (cons (list (scale 2) (scale 3)) 5) 1))))", "(15 10)"),
        // A primitive and a procedure without slots are discrete: they are their own tangents.
        ("(cdr (j* (lambda (p) p) (list car sin) (list car sin)))", "(#<procedure car> #<procedure sin>)"),
        ("(equal? (cdr (*j (lambda (p) (p 3)) sin 1)) sin)", "#t"),
        ("(cdr (*j (lambda ((cons p x)) (p x)) (cons exp 0) 1))", "(#<procedure exp> . 1)"),
        // Top-level names are constants of the program, never slots: the cotangent of a procedure has no part for them.
        ("(equal? (cdr (*j (lambda (p) ((p 2) 3)) scale 1)) scale)", "#t"),
    ];
    check_all(definitions, &expectations.map(|(expression, result)| (expression.to_owned(), result.to_owned())));
}

/// The members of a group share their slots, the group's free variables without its own names.
#[test]
fn procedures_of_a_group() {
    let definitions = "
        (define (alternate a b)
          (letrec ((first (lambda (n x) (if (= n 0) x (second (- n 1) (* a x)))))
                   (second (lambda (n x) (if (= n 0) x (first (- n 1) (* b x))))))
            first))";
    let expectations = [
        // a b a x at 2, 3, 5: 60. By a: 2 a b x = 60, by b: a^2 x = 20.
        ("(j* (lambda (p) (p 3 5)) (alternate 2 3) (alternate 1 0))", "(60 . 60)"),
        ("(j* (lambda (p) (p 3 5)) (alternate 2 3) (alternate 0 1))", "(60 . 20)"),
        // The cotangent has the slots 60 and 20: two of its calls multiply by both.
        ("((cdr (*j (lambda (p) (p 3 5)) (alternate 2 3) 1)) 2 1)", "1200"),
    ];
    check_all(definitions, &expectations.map(|(expression, result)| (expression.to_owned(), result.to_owned())));
}

/// Tests that equality and printing depend on code and slots, not on the identity of objects.
#[test]
fn procedures_compare_by_code_and_slots() {
    check(
        "(define (scale a) (lambda (x) (* a x)))
         (equal? (scale 2) (scale 2))
         (equal? (scale 2) (scale 3))
         (equal? (lambda (x) x) (lambda (y) y))
         (equal? (list (scale 1) car) (list (scale 1) car))
         (equal? (cdr (j* scale 2 5)) (scale 5))
         (equal? (car (j* scale 2 5)) (scale 2))",
        &["#t", "#f", "#t", "#t", "#t", "#t"],
    );
}
