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
    twice(
        "jacobian-by-columns",
        "(lambda ((cons a x)) (jacobian-by-columns (curve a) x ((curve a) x)))",
        "(cons 0.75 1.5)",
    ),
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
    once("derivative-of-order", "(lambda ((cons a x)) (derivative-of-order (curve a) 2 x))", "(cons 0.75 1.5)"),
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
(define steps
  (build 10 (lambda (i) (if (zero? i)
                            (list (list 0.25 -0.5) (list 1 -0.75) 0.625 1.5 0.5)
                            (list (list 0.5 0.125) (list 0.75 0.5) 0.4375 0.75 2)))))
(define all-free (lambda (x slope) (lambda (x) x)))
(define (beginning f x) (let (((cons y slope) (value-and-gradient f x))) (list search-nowhere x y slope (tree-norm slope))))";

/// The rows of `optimize`. Iterations are few, so that no search has ended: where one ends depends on rounding.
pub const ROWS_OF_OPTIMIZE: &[Row] = &[
    twice(
        "gradient-descent",
        "(lambda ((cons* a x rate)) (gradient-descent (bowl a) x rate 2))",
        "(cons* 0.75 (cons 0.5 (list 0.25)) 0.125)",
    ),
    twice("adam", "(lambda ((cons* a x rate)) (adam (bowl a) x rate 2))", "(cons* 0.75 (cons 0.5 (list 0.25)) 0.125)"),
    twice("report-answer", "(lambda (x) (report-answer sin (list (sin x) 1 2 3 ended-limit)))", "0.75"),
    twice("report-converged", "(lambda (x) (report-converged sin (list (sin x) 1 2 3 ended-flat)))", "0.75"),
    twice("relative-tolerance", "relative-tolerance", "0.25"),
    twice("finite-answer", "(lambda (x) (finite-answer sin (tree-map sin x)))", "slope"),
    once(
        "descent-report",
        "(lambda ((cons a x))
           (descent-report (valley a) x 0 1
                           (list (lambda (x) x) all-free (lambda (mask s n x m) (zero s)) (lambda (s c m) m) '())))",
        "start",
    ),
    twice(
        "steepest-direction",
        "(lambda (x) (let ((s (tree-map sin x))) (steepest-direction x 2 s (tree-norm s))))",
        "slope",
    ),
    once(
        "line-search",
        "(lambda ((cons* a x d)) (line-search (bowl a) (beginning (bowl a) x) ((bowl a) x) d (lambda (x) x) all-free))",
        "(cons* 0.75 (cons 0.5 (list 0.25)) (cons 0.25 (list -1.5)))",
    ),
    once("lbfgs", "(lambda ((cons a x)) (lbfgs (valley a) x 2))", "start"),
    once("minimize", "(lambda ((cons a x)) (minimize (lambda (y) (sqr (- y (sin a)))) x))", "(cons 0.75 0.5)"),
    once("minimize-report", "(lambda ((cons a x)) (minimize-report (valley a) x 0 3))", "start"),
    once(
        "minimize-within",
        "(lambda ((cons a x)) (minimize-within (lambda (y) (sqr (- y (sin a)))) x -5 5))",
        "(cons 0.75 0.5)",
    ),
    once(
        "minimize-within-report",
        "(lambda ((cons* a b x)) (minimize-within-report (valley a) x (vector b -5) #(5 5) 0 2))",
        "(cons* 0.75 0.625 #(0.75 -0.25))",
    ),
    twice(
        "bounds-mask",
        "(lambda (x) ((bounds-mask (list 0.5 -1.5) (list 1 -1) (list 0.5 -2) (list 9 9)) (tree-map sin x)))",
        "slope",
    ),
    twice("lbfgs-direction", "(lambda ((cons* s n m)) (lbfgs-direction s n (cons 2 m)))", "(cons* slope 1.5 steps)"),
    twice(
        "lbfgs-product",
        "(lambda ((cons* s n m scale)) (lbfgs-product s n (cons 2 m) scale))",
        "(cons* slope 1.5 steps 0.75)",
    ),
    twice(
        "lbfgs-learn",
        "(lambda ((cons* s c m)) (lbfgs-learn s c (cons 10 m)))",
        "(cons* (list 0.25 -0.5) (list 1 -0.75) steps)",
    ),
    twice(
        "lbfgs-remember",
        "(lambda ((cons* s c a b m)) (lbfgs-remember s c a b (cons 2 m)))",
        "(cons* (list 0.25 -0.5) (list 1 -0.75) 1.5 0.5 steps)",
    ),
    twice("lbfgs-masked", "(lambda (m) (lbfgs-masked (lambda (x) (list (car x) 0)) (cons 2 m)))", "steps"),
    once("newton-root", "(lambda ((cons a v)) (newton-root (system a) v 1))", "(cons 0.75 #(1.5 2.5))"),
    once("newton-root", "(lambda ((cons a v)) (newton-root (system a) v 3))", "(cons 0.75 #(1.5 2.5))"),
    once("newton-root-report", "(lambda ((cons a v)) (newton-root-report (system a) v 0 2))", "(cons 0.75 #(1.5 2.5))"),
    once(
        "newton-search",
        "(lambda ((cons a v))
           (let* ((f (system a)) (rows (jacobian f v))) (newton-search f v (f v) rows (matrix-solve rows (f v)))))",
        "(cons 0.75 #(1.5 2.5))",
    ),
    twice("nonzero-norm", "nonzero-norm", "#(0.5 -1.5)"),
    once("newton-minimum", "(lambda ((cons a v)) (newton-minimum (valley a) v 1))", "start"),
    once("newton-minimum-report", "(lambda ((cons a v)) (newton-minimum-report (valley a) v 0 1))", "start"),
    twice("newton-direction", "(lambda ((cons m v)) (newton-direction m v 0))", "(cons #(#(4 1) #(1 3)) #(0.5 -1))"),
    twice("newton-solve", "(lambda ((cons m v)) (newton-solve m v))", "(cons #(#(4 1) #(1 3)) #(0.5 -1))"),
    twice("residual-angle", "residual-angle", "(cons #(#(1 2) #(3 0.5) #(0.5 1)) #(1 2 3))"),
    twice("levenberg-step", "levenberg-step", "(cons* #(#(1 2) #(3 0.5) #(0.5 1)) #(1 2 3) 0.25)"),
    twice("levenberg-solve", "levenberg-solve", "(cons #(#(1 2 0.5) #(3 0.5 1)) #(1 2 3))"),
    once(
        "levenberg-marquardt-report",
        "(lambda ((cons a v)) (levenberg-marquardt-report (residuals a) v 0 2))",
        "(cons 0.75 #(0.5 0.75))",
    ),
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
    exempt(
        &[
            "ended-flat",
            "ended-still",
            "ended-limit",
            "ended-unbounded",
            "ended-undefined",
            "ended-rootless",
            "search-nowhere",
            "search-found",
            "search-unbounded",
        ],
        "a number",
    ),
    exempt(&["tree-finite?", "is-falling"], "a boolean"),
    exempt(&["lbfgs-nothing"], "zeros and ones"),
];

/// Right-hand sides for `ode`.
pub const OF_ODE: &str = "
(define ((oscillator a) t (list x v)) (list (* a v) (- (sin t) (* a x))))
(define ((rotation a) t v) (vector (* a (get v 1)) (- (sin t) (* a (get v 0)))))
(define y (list 0.75 -0.5))
(define stages (list (list 0.5 0.25) (list 1 2) '() (list 0.5 1.5) (list -1 2) (list 0.25 -0.75) (list 1.25 1)))
(define lines (list #(0.5 -0.25) #(0.125 0.75) #(#(0.25 -0.5) #(1.5 0.75))))";

/// The rows of `ode`.
pub const ROWS_OF_ODE: &[Row] = &[
    twice("rk4-step", "(lambda ((cons* a t y h)) (rk4-step (oscillator a) t y h))", "(cons* 1.25 0.5 y 0.25)"),
    twice(
        "rk4-advance",
        "(lambda ((cons* a t y h)) (rk4-advance car (oscillator a) t y h))",
        "(cons* 1.25 0.5 y 0.25)",
    ),
    twice("rk4", "(lambda ((cons* a t y end)) (rk4 (oscillator a) t y end 2))", "(cons* 1.25 0.5 y 1.5)"),
    twice("rk4-path", "(lambda ((cons* a t y end)) (rk4-path (oscillator a) t y end 2))", "(cons* 1.25 0.5 y 1.5)"),
    twice("rk4-length", "(lambda ((cons t end)) (sqr (rk4-length car t end 4)))", "(cons 0.5 1.5)"),
    twice("ode-span", "(lambda ((cons t end)) (sqr (ode-span car t end)))", "(cons 0.5 1.75)"),
    twice("ode-state", "(lambda (y) (sqr (car (ode-state car 0 y))))", "y"),
    twice("ode-slope", "(lambda ((cons* a t y)) (ode-slope car (oscillator a) t y))", "(cons* 1.25 0.5 y)"),
    twice("ode-tolerance", "(lambda (l) (sqr (car (ode-tolerance car l))))", "(list 0.5 0.25)"),
    once(
        "ode-fold",
        "(lambda ((cons* a t y end))
           (let ((visit (lambda (x t time new between) (tree-add x new))))
             (ode-fold car (dormand-prince-method car (oscillator a)) visit (list 0.5 0.25) t y end 0.01)))",
        "(cons* 1.25 0.5 y 0.75)",
    ),
    twice("ode-error", "ode-error", "(cons* (list 0.125 -0.5) (list 2 0.5) (list 1.5 -0.25) 0.75 0.25)"),
    twice("max-or-nan", "max-or-nan", "(cons 0.5 1.5)"),
    twice(
        "dormand-prince-step",
        "(lambda ((cons* a t y k h)) (dormand-prince-step (oscillator a) t y k h))",
        "(cons* 1.25 0.5 y (list 0.25 1.5) 0.25)",
    ),
    twice(
        "dormand-prince-stages",
        "(lambda ((cons* a t y k h)) (dormand-prince-stages car (oscillator a) t y k h))",
        "(cons* 1.25 0.5 y (list 0.25 1.5) 0.25)",
    ),
    twice("dormand-prince-between", "dormand-prince-between", "(cons* y (list 0.25 1.5) 0.25 stages 0.75)"),
    twice(
        "dormand-prince-method",
        "(lambda ((cons* a t y k h time))
           (let* (((list power prepare step) (dormand-prince-method car (oscillator a)))
                  ((cons* new difference next between) (step t y k h)))
             (list (prepare t y) new difference (next) (between time))))",
        "(cons* 1.25 0.5 y (list 0.25 1.5) 0.25 0.625)",
    ),
    twice("combination", "combination", "(cons* 0.25 (list (cons 0.5 (list 1 2)) (cons 0.75 (list 3 4))) y)"),
    once(
        "ode-solve",
        "(lambda ((cons* a t y end)) (ode-solve (oscillator a) t y end 0.01))",
        "(cons* 1.25 0.5 y 0.75)",
    ),
    once("ode-path", "(lambda ((cons* a t y end)) (ode-path (oscillator a) t y end 0.01))", "(cons* 1.25 0.5 y 0.75)"),
    once(
        "ode-at",
        "(lambda ((cons* a t y times)) (ode-at (oscillator a) t y times 0.01))",
        "(cons* 1.25 0.5 y (list 0.625 0.75))",
    ),
    twice(
        "ode-states-between",
        "(lambda ((cons t time))
           (ode-states-between (cons 0 #(1 2 3)) #(0.5 0.75 2) t time (lambda (a) (sin (* a (+ t time))))))",
        "(cons 0.25 1)",
    ),
    once(
        "ode-stiff",
        "(lambda ((cons* a t y end)) (ode-stiff (oscillator a) t y end 0.01))",
        "(cons* 1.25 0.5 y 0.75)",
    ),
    twice("ode-vector", "(lambda (y) (sqr (get (ode-vector y) 1)))", "y"),
    twice("ode-tree", "(lambda (v) (sqr (car (ode-tree v (cons 1 #(2))))))", "#(0.5 0.75)"),
    once(
        "rosenbrock-method",
        "(lambda ((cons* a t h))
           (let* (((list power prepare step) (rosenbrock-method (rotation a)))
                  ((cons* new difference next _) (step t #(0.75 -0.5) lines h)))
             (list (prepare t new) new difference (next))))",
        "(cons* 1.25 0.5 0.25)",
    ),
    once(
        "rosenbrock-linearization",
        "(lambda ((cons* a t v)) (rosenbrock-linearization (rotation a) t v))",
        "(cons* 1.25 0.5 #(0.75 -0.5))",
    ),
    twice(
        "rosenbrock-step",
        "(lambda ((cons* a t v lines h)) (rosenbrock-step (rotation a) t v lines h))",
        "(cons* 1.25 0.5 #(0.75 -0.5) lines 0.25)",
    ),
    exempt(&["ode-stuck"], "an error"),
    exempt(&["ode-finite?", "ode-same-shape?", "ode-list-of?", "ode-ordered?"], "a boolean"),
];
