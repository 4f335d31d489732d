//! Laws of derivatives: the two modes are linear and adjoint, the chain rule, symmetry of second derivatives. On
//! polynomials with small whole numbers, where every operation is exact, they hold to the bit.

use crate::check_all;
use vlad_derivatives::numbers::Numbers;

/// Procedures from three reals to three reals, and arithmetic on such lists.
const DEFINITIONS: &str = "
(define (turn (list x y z)) (list (* x y) (- y z) (+ (* z z) (* 3 x))))
(define (fold (list x y z)) (list (* x x) (* x (* y z)) (- (* y y) (* 2 z))))
(define (loop (list x y z))
  (let go ((i 3) (x x) (y y) (z z)) (if (= i 0) (list x y z) (go (- i 1) (+ x y) (- y z) (* 2 x)))))
(define (inner a b) (if (null? a) 0 (+ (* (car a) (car b)) (inner (cdr a) (cdr b)))))
(define (both f g) (lambda (x) (g (f x))))
(define (push f x tangent) (cdr (j* f x tangent)))
(define (pull f x cotangent) (cdr (*j f x cotangent)))";

const PROCEDURES: [&str; 5] = ["turn", "fold", "loop", "(both turn fold)", "(both loop (both fold turn))"];

/// Laws that are `#t` for any procedure F and any lists X, U, V.
const LAWS: [&str; 7] = [
    // The two modes are adjoint: <v, J u> = <J' v, u>.
    "(= (inner V (push F X U)) (inner (pull F X V) U))",
    // Both are linear.
    "(equal? (push F X (plus U V)) (plus (push F X U) (push F X V)))",
    "(equal? (pull F X (plus U V)) (plus (pull F X U) (pull F X V)))",
    // Zero is mapped to zero.
    "(equal? (push F X (zero X)) (list 0 0 0))",
    "(equal? (pull F X (zero X)) (list 0 0 0))",
    // The chain rule, with `turn` after F.
    "(equal? (push (both F turn) X U) (push turn (F X) (push F X U)))",
    "(equal? (pull (both F turn) X U) (pull F X (pull turn (F X) U)))",
];

/// Laws of second derivatives that are `#t` for any F, X, U, V.
const SECOND_LAWS: [&str; 3] = [
    // Second derivatives commute.
    "(equal? (push (lambda (x) (push F x U)) X V) (push (lambda (x) (push F x V)) X U))",
    // Forward over reverse and reverse over forward give the same Hessian-vector product of v . F.
    "(equal? (push (lambda (x) (pull F x V)) X U) (pull (lambda (x) (push F x U)) X V))",
    // ... and so does reverse over reverse.
    "(equal? (pull (lambda (x) (pull F x V)) X U) (push (lambda (x) (pull F x V)) X U))",
];

#[test]
fn the_modes_are_adjoint_and_linear() {
    let mut numbers = Numbers::new(6);
    let mut expectations = Vec::new();
    for procedure in PROCEDURES {
        for law in LAWS.iter().chain(&SECOND_LAWS) {
            for _ in 0..3 {
                let mut list = || format!("(list {} {} {})", numbers.whole(), numbers.whole(), numbers.whole());
                let law = law.replace('F', procedure).replace('X', &list());
                expectations.push((law.replace('U', &list()).replace('V', &list()), "#t".to_owned()));
            }
        }
    }
    check_all(DEFINITIONS, &expectations);
}
