//! The rows of `linear-algebra`.

use super::row::{Row, exempt, once, twice};

/// Vectors and matrices, the last of which are singular: of rank two, and of rank one.
pub const DEFINITIONS: &str = "
(define u #(1.5 -0.75 2.25))
(define v #(0.625 1.25 -2.5))
(define m #(#(0.5 1.5 -0.75) #(4 -0.25 1.25) #(1 0.375 2.5)))
(define small #(#(0.5 1.5) #(4 -0.25)))
(define b #(#(1.25 -0.5) #(0.75 2) #(-1.5 0.25)))
(define positive #(#(4 1.5 -0.5) #(1.5 3.25 0.75) #(-0.5 0.75 2.5)))
(define (symmetric m) (matrix-add m (matrix-transpose m)))
(define (nearly-diagonal v)
  (let ((off (vector-subtract v u)))
    (build 3 (lambda (i) (build 3 (lambda (j) (if (= i j) (get v i) (+ (get off i) (get off j)))))))))
(define of-rank-2 #(#(1 2 3) #(4 5 6) #(5 7 9)))
(define of-rank-1 #(#(1 2 3) #(2 4 6) #(-1 -2 -3)))";

/// The rows.
pub const ROWS: &[Row] = &[
    twice("vector-fill", "(lambda (x) (vector-fill 3 (sin x)))", "0.5"),
    twice("vector-map", "(lambda ((cons a v)) (vector-map (lambda (x) (sin (* a x))) v))", "(cons 0.75 u)"),
    twice("vector-map2", "(lambda (u v) (vector-map2 (lambda (x y) (exp (* x y))) u v))", "(cons u v)"),
    twice("vector-zip", "vector-zip", "(cons u v)"),
    twice("vector-add", "vector-add", "(cons u v)"),
    twice("vector-subtract", "vector-subtract", "(cons u v)"),
    twice("vector-multiply", "vector-multiply", "(cons u v)"),
    twice("vector-scale", "vector-scale", "(cons 1.75 v)"),
    twice("vector-slice", "(lambda (v) (vector-slice (vector-map exp v) 1 3))", "v"),
    twice("vector-append", "vector-append", "(cons u #(2 3.5))"),
    twice("vector-concatenate", "vector-concatenate", "#(#(1) #(2 3.5) #())"),
    twice("vector-reverse", "vector-reverse", "u"),
    twice("vector-reduce", "(lambda (x v) (vector-reduce (lambda (x y) (sin (* x y))) x v))", "(cons 0.75 v)"),
    twice("vector-scan", "(lambda (x v) (vector-scan (lambda (x y) (sin (* x y))) x v))", "(cons 0.75 v)"),
    twice("vector-sum", "vector-sum", "u"),
    twice("vector-product", "vector-product", "u"),
    twice("vector-product", "vector-product", "#(0 2 0)"),
    twice("vector-dot", "vector-dot", "(cons u v)"),
    twice("vector-norm", "vector-norm", "u"),
    twice("vector-norm-1", "vector-norm-1", "u"),
    twice("vector-norm-infinity", "vector-norm-infinity", "v"),
    twice("vector-maximum", "vector-maximum", "u"),
    twice("vector-minimum", "vector-minimum", "u"),
    twice("vector-exponential-shift", "vector-exponential-shift", "u"),
    twice("vector-logsumexp", "vector-logsumexp", "u"),
    twice("vector-logsumexp", "vector-logsumexp", "#(1.5 1.5 1.5)"),
    twice("vector-softmax", "vector-softmax", "u"),
    twice("vector-softmax", "vector-softmax", "#(800 800 799.5)"),
    twice("of-rectangle", "of-rectangle", "b"),
    twice("of-square", "of-square", "m"),
    twice("matrix-fill", "(lambda (x) (matrix-fill 2 3 (sin x)))", "0.5"),
    twice("vector->matrix", "vector->matrix", "u"),
    twice("vector-outer-product", "vector-outer-product", "(cons u #(2 3.5))"),
    twice("matrix-map", "(lambda (m) (matrix-map sin m))", "b"),
    twice(
        "matrix-map2",
        "(lambda (a b) (matrix-map2 (lambda (x y) (exp (* x y))) a b))",
        "(cons b (matrix-scale 0.5 b))",
    ),
    twice("matrix-add", "matrix-add", "(cons m positive)"),
    twice("matrix-subtract", "matrix-subtract", "(cons m positive)"),
    twice("matrix-scale", "matrix-scale", "(cons 1.75 b)"),
    twice("matrix-transpose", "matrix-transpose", "b"),
    twice("matrix-multiply", "matrix-multiply", "(cons m b)"),
    twice("matrix-vector-product", "matrix-vector-product", "(cons m v)"),
    twice("vector-matrix-product", "vector-matrix-product", "(cons v b)"),
    twice("matrix-diagonal", "matrix-diagonal", "m"),
    twice("matrix-trace", "matrix-trace", "m"),
    twice("matrix-norm", "matrix-norm", "b"),
    twice("matrix-rows-below", "(lambda (m) (matrix-rows-below m 1))", "m"),
    twice("matrix-eliminate", "(lambda (m) (matrix-eliminate m 1))", "m"),
    twice("matrix-solve-augmented", "matrix-solve-augmented", "#(#(0.5 1.5 2 1) #(4 -0.25 3 -2))"),
    twice("matrix-solve-columns", "matrix-solve-columns", "(cons small #(#(1.25 -0.5) #(0.75 2)))"),
    twice("matrix-solve", "matrix-solve", "(cons m v)"),
    twice("matrix-inverse", "matrix-inverse", "small"),
    twice("matrix-determinant", "matrix-determinant", "m"),
    twice("matrix-determinant", "matrix-determinant", "of-rank-2"),
    twice("matrix-determinant", "matrix-determinant", "of-rank-1"),
    twice("matrix-determinant", "matrix-determinant", "(matrix-zeros 2 2)"),
    once("matrix-eliminated-determinant", "matrix-eliminated-determinant", "m"),
    once("matrix-undivided-determinant", "matrix-undivided-determinant", "m"),
    once("matrix-undivided-determinant", "matrix-undivided-determinant", "of-rank-1"),
    twice("matrix-above", "matrix-above", "m"),
    twice("matrix-cholesky", "matrix-cholesky", "positive"),
    twice(
        "matrix-cholesky-row",
        "(lambda (row rows) (matrix-cholesky-row row rows 1 2))",
        "(cons #(1.5 3.25) #(#(2 0)))",
    ),
    twice("vector-less-products", "(lambda (a u v) (vector-less-products a u v 2))", "(cons* 1.5 u v)"),
    twice("matrix-solve-lower", "matrix-solve-lower", "(cons m v)"),
    twice("matrix-solve-upper", "matrix-solve-upper", "(cons m v)"),
    twice("matrix-log-determinant", "(lambda (m) (cdr (matrix-log-determinant m)))", "small"),
    once("matrix-divide", "(lambda (m) (matrix-divide m #(2 0.5 4) #(1 8 2)))", "m"),
    once("matrix-eliminated-log-determinant", "(lambda (m) (cdr (matrix-eliminated-log-determinant m)))", "m"),
    twice("vector-reflection", "(lambda (u v) ((vector-reflection u 1) v))", "(cons u v)"),
    twice("matrix-qr", "matrix-qr", "small"),
    once("matrix-qr", "matrix-qr", "b"),
    once("matrix-qr", "matrix-qr", "(matrix-transpose b)"),
    once("matrix-reflected", "(lambda (columns) (matrix-reflected columns 0 2 3))", "(matrix-transpose b)"),
    once("matrix-least-squares", "matrix-least-squares", "(cons b u)"),
    twice("vector-unit", "vector-unit", "u"),
    twice("vector-polar", "vector-polar", "u"),
    twice("vector-dot-without", "(lambda (u v) (vector-dot-without u 1 v))", "(cons u v)"),
    twice("matrix-symmetric-eigen", "(lambda (m) (matrix-symmetric-eigen (symmetric m)))", "small"),
    once("matrix-symmetric-eigenvalues", "(lambda (m) (matrix-symmetric-eigenvalues (symmetric m)))", "positive"),
    once(
        "matrix-perturbed-eigen",
        "(lambda (v) (matrix-perturbed-eigen (nearly-diagonal v) 1 (vector-differ v)))",
        "u",
    ),
    once("matrix-svd", "matrix-svd", "b"),
    once("matrix-svd", "matrix-svd", "(matrix-transpose b)"),
    once("matrix-svd-tall", "matrix-svd-tall", "small"),
    once("matrix-singular-values", "matrix-singular-values", "small"),
    exempt(&["vector-power-of-two", "matrix-row-powers", "real-constant", "vector-sign"], "constants by comparisons"),
    exempt(
        &[
            "jacobi-tangent",
            "matrix-rotate",
            "jacobi-step",
            "matrix-jacobi",
            "matrix-off-diagonal",
            "jacobi-one-sided-step",
            "matrix-jacobi-one-sided",
        ],
        "applied to constants alone",
    ),
    exempt(&["vector-order"], "indices"),
    exempt(&["vector-differ"], "a procedure that gives a boolean"),
    exempt(
        &["vector-range", "vector-hot", "matrix-zeros", "matrix-ones", "matrix-eye", "matrix-hot"],
        "constants of a size",
    ),
    exempt(&["vector-argmax", "vector-argmin", "matrix-pivot-row"], "an index"),
    exempt(&["matrix-rows", "matrix-columns"], "a number of elements"),
    exempt(&["vector-every", "vector-any"], "a boolean"),
];
