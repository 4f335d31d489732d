//! The rows of `derivatives`, `optimize` and `ode`. A procedure that nests two operators is checked once: further quotients
//! would have too few digits.

use super::row::{Row, exempt, once, twice};

/// A tree, and procedures from trees to reals, to trees and from reals.
pub const DEFINITIONS: &str = "
(define tree (cons 0.75 (list #(1.5 -0.5) #t 2.25)))
(define other (cons -1.25 (list #(0.5 2.5) #t 0.375)))
(define ((energy a) (cons x (list v flag y))) (+ (* a (* x (get v 0))) (+ (exp (* (get v 1) y)) (sin (* a (* x y))))))
(define ((saddle a) (list x v)) (+ (* a (* x (get v 0))) (exp (* a (* x (get v 0))))))
(define ((flow a) (cons x (list v flag y)))
  (cons (* a (* x y)) (list (build 2 (lambda (i) (sin (* x (get v i))))) flag (exp (* a (get v 0))))))
(define ((curve a) x) (list (sin (* a x)) (exp (* a (* x x)))))";

/// The rows of `derivatives`.
pub const ROWS: &[Row] = &[
    twice("tree-map", "(lambda (x) (tree-map sin x))", "tree"),
    twice("tree-fold", "(lambda (a x) (tree-fold (lambda (a b) (sin (* a b))) a x))", "(cons 1.25 tree)"),
    twice("tree-map2", "(lambda (x y) (tree-map2 (lambda (a b) (sin (* a b))) x y))", "(cons tree other)"),
    twice("tree-scale", "tree-scale", "(cons 1.5 tree)"),
    twice("tree-add", "tree-add", "(cons tree other)"),
    twice("tree-subtract", "tree-subtract", "(cons tree other)"),
    twice("tree-axpy", "tree-axpy", "(cons* 1.5 tree other)"),
    twice("tree-dot", "tree-dot", "(cons tree other)"),
    twice("tree-norm", "tree-norm", "tree"),
    twice("tree-norm", "(lambda (x) (* 1e-200 (tree-norm (tree-scale 1e200 x))))", "tree"),
    exempt(&["tree-counterpart?"], "a boolean"),
    exempt(&["tree-shapes-error"], "an error"),
    twice(
        "tree-basis",
        "(lambda (x y) (tree-basis (lambda (d) (sin (tree-dot d y))) x))",
        "(cons (list 1 2) (list 0.5 0.75))",
    ),
    twice(
        "tree-transpose",
        "(lambda (m) (tree-transpose (tree-map sin m) (list 1 2) #(3 4)))",
        "(list #(1.5 2.5) #(0.5 -1))",
    ),
    twice(
        "tree-of-parts",
        "(lambda (m) (tree-of-parts (lambda (p) (sin (get p 0))) m (list 1 2)))",
        "(list #(1.5) #(0.5))",
    ),
    twice("derivative", "(lambda ((cons a x)) (derivative (curve a) x))", "(cons 0.75 1.5)"),
    twice("gradient", "(lambda ((cons a x)) (gradient (energy a) x))", "(cons 0.75 tree)"),
    twice("value-and-gradient", "(lambda ((cons a x)) (value-and-gradient (energy a) x))", "(cons 0.75 tree)"),
    twice("jacobian", "(lambda ((cons a x)) (jacobian (curve a) x))", "(cons 0.75 1.5)"),
    once("jacobian", "(lambda ((cons a x)) (jacobian (flow a) x))", "(cons 0.75 tree)"),
    twice("jacobian-forward", "(lambda ((cons a x)) (jacobian-forward (curve a) x))", "(cons 0.75 1.5)"),
    once("jacobian-forward", "(lambda ((cons a x)) (jacobian-forward (flow a) x))", "(cons 0.75 tree)"),
    twice(
        "jacobian-vector-product",
        "(lambda ((cons* a x d)) (jacobian-vector-product (curve a) x d))",
        "(cons* 0.75 1.5 2.5)",
    ),
    twice(
        "vector-jacobian-product",
        "(lambda ((cons* a x w)) (vector-jacobian-product (curve a) x w))",
        "(cons* 0.75 1.5 (list 2.5 -1))",
    ),
    once("hessian", "(lambda ((cons a x)) (hessian (saddle a) x))", "(cons 0.75 (list 0.5 #(1.5)))"),
    once(
        "hessian-vector-product",
        "(lambda ((cons* a x d)) (hessian-vector-product (saddle a) x d))",
        "(cons* 0.75 (list 0.5 #(1.5)) (list 2 #(-1)))",
    ),
    once("laplacian", "(lambda ((cons a x)) (laplacian (saddle a) x))", "(cons 0.75 (list 0.5 #(1.5)))"),
    twice(
        "divergence",
        "(lambda ((cons a x)) (divergence (lambda ((list x y)) (list (sin (* a (* x y))) (exp (* x y)))) x))",
        "(cons 0.75 (list 0.5 1.5))",
    ),
    once("nth-derivative", "(lambda ((cons a x)) (nth-derivative (curve a) 2 x))", "(cons 0.75 1.5)"),
    once("taylor", "(lambda ((cons a x)) (taylor (curve a) x 2))", "(cons 0.75 1.5)"),
    twice("polynomial", "polynomial", "(cons (list 1.5 -2 0.75 3) 0.5)"),
    exempt(&["tree-size"], "a number of reals"),
];

/// Objectives for `optimize`, of vectors and of trees.
pub const OF_OPTIMIZE: &str = "
(define ((valley a) v)
  (let ((x (get v 0)) (y (get v 1))) (+ (sqr (- a x)) (+ (* 2 (sqr (- y (* a (* x x))))) (* 0.25 (exp (* x y)))))))
(define ((bowl a) (cons x (list y))) (+ (sqr (- x a)) (+ (exp (* a y)) (sqr (- y (* a x))))))
(define ((system a) v)
  (vector (- (* a (* (get v 0) (get v 0))) (get v 1)) (- (exp (* 0.5 (get v 1))) (* a (get v 0)))))
(define ((residuals a) v)
  (build 3 (lambda (i) (- (* (get v 0) (exp (* (* 0.5 i) (get v 1)))) (+ a i)))))
(define start (cons 0.75 #(0.5 -0.25)))
(define slope (list 0.5 -1.5))
(define steps (list (cons* (list 0.25 -0.5) (list 1 -0.75) 0.625) (cons* (list 0.5 0.125) (list 0.75 0.5) 0.4375)))";

/// The rows of `optimize`. Iterations are few, so that no search has ended: where one ends depends on rounding.
pub const ROWS_OF_OPTIMIZE: &[Row] = &[
    twice(
        "gradient-descent",
        "(lambda ((cons* a x rate)) (gradient-descent (bowl a) x rate 2))",
        "(cons* 0.75 (cons 0.5 (list 0.25)) 0.125)",
    ),
    twice("adam", "(lambda ((cons* a x rate)) (adam (bowl a) x rate 2))", "(cons* 0.75 (cons 0.5 (list 0.25)) 0.125)"),
    once("lbfgs", "(lambda ((cons a x)) (lbfgs (valley a) x 2))", "start"),
    once("minimize", "(lambda ((cons a x)) (minimize (lambda (y) (sqr (- y (sin a)))) x))", "(cons 0.75 0.5)"),
    twice("lbfgs-direction", "lbfgs-direction", "(cons slope steps)"),
    twice("lbfgs-scale", "lbfgs-scale", "steps"),
    twice("lbfgs-product", "lbfgs-product", "(cons* slope steps 0.75)"),
    twice("list-beginning", "(lambda (l) (list-beginning (map sin l) 2))", "(list 0.5 1.5 2.5)"),
    once(
        "line-search",
        "(lambda ((cons* a x direction)) (line-search (bowl a) x ((bowl a) x) direction -2.5 0.5))",
        "(cons* 0.75 (cons 0.5 (list 0.25)) (cons 0.25 (list -1.5)))",
    ),
    once("newton-root", "(lambda ((cons a v)) (newton-root (system a) v 1))", "(cons 0.75 #(1.5 2.5))"),
    once("newton-root", "(lambda ((cons a v)) (newton-root (system a) v 3))", "(cons 0.75 #(1.5 2.5))"),
    once("newton-minimum", "(lambda ((cons a v)) (newton-minimum (valley a) v 1))", "start"),
    once(
        "levenberg-marquardt",
        "(lambda ((cons a v)) (levenberg-marquardt (residuals a) v 1))",
        "(cons 0.75 #(0.5 0.75))",
    ),
    once(
        "levenberg-marquardt",
        "(lambda ((cons a v)) (levenberg-marquardt (residuals a) v 3))",
        "(cons 0.75 #(0.5 0.75))",
    ),
];

/// Right-hand sides for `ode`.
pub const OF_ODE: &str = "
(define ((oscillator a) t (list x v)) (list (* a v) (- (sin t) (* a x))))
(define y (list 0.75 -0.5))";

/// The rows of `ode`.
pub const ROWS_OF_ODE: &[Row] = &[
    twice("rk4-step", "(lambda ((cons* a t y h)) (rk4-step (oscillator a) t y h))", "(cons* 1.25 0.5 y 0.25)"),
    twice("rk4", "(lambda ((cons* a t y end)) (rk4 (oscillator a) t y end 2))", "(cons* 1.25 0.5 y 1.5)"),
    twice("rk4-path", "(lambda ((cons* a t y end)) (rk4-path (oscillator a) t y end 2))", "(cons* 1.25 0.5 y 1.5)"),
    twice(
        "dormand-prince-step",
        "(lambda ((cons* a t y k h)) (dormand-prince-step (oscillator a) t y k h))",
        "(cons* 1.25 0.5 y (list 0.25 1.5) 0.25)",
    ),
    twice("combination", "combination", "(cons* 0.25 (list (cons 0.5 (list 1 2)) (cons 0.75 (list 3 4))) y)"),
    once(
        "ode-solve",
        "(lambda ((cons* a t y end)) (ode-solve (oscillator a) t y end 0.01))",
        "(cons* 1.25 0.5 y 0.75)",
    ),
    once("ode-path", "(lambda ((cons* a t y end)) (ode-path (oscillator a) t y end 0.01))", "(cons* 1.25 0.5 y 0.75)"),
    twice("ode-error", "ode-error", "(cons* (list 0.125 -0.5) (list 2 0.5) (list 1.5 -0.25))"),
    twice("max-or-nan", "max-or-nan", "(cons 0.5 1.5)"),
    exempt(&["error-of-steps"], "an error"),
];
