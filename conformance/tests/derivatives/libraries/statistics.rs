//! The rows of `statistics`.

use super::row::{Row, exempt, once, twice};

/// Two samples, and a multiple of a sample, whose squares may be no doubles.
pub const DEFINITIONS: &str = "
(define s #(1.25 -0.5 2.75 0.75 4.5))
(define t (list 0.5 -1.25 3.25 2 2.75))
(define (times a s) (let ((v (sample->vector s))) (build (vector-length v) (lambda (i) (* a (get v i))))))";

/// The rows.
pub const ROWS: &[Row] = &[
    twice("sample->vector", "(lambda (t) (sample->vector (map sin t)))", "t"),
    twice("sample->list", "(lambda (s) (map sin (sample->list s)))", "s"),
    twice("sample-sum", "sample-sum", "t"),
    twice("mean", "mean", "s"),
    twice("weighted-mean", "weighted-mean", "(cons s #(1 2 0.5 0.25 3))"),
    twice("geometric-mean", "geometric-mean", "(list 1.25 0.5 2.75)"),
    twice("harmonic-mean", "harmonic-mean", "(list 1.25 0.5 2.75)"),
    twice("sample-positive", "(lambda (s) (sample-positive log s))", "(list 1.25 0.5 2.75)"),
    twice("mean-squared-error", "mean-squared-error", "(cons s t)"),
    twice("root-mean-squared-error", "root-mean-squared-error", "(cons s t)"),
    once(
        "root-mean-squared-error",
        "(lambda (s t) (root-mean-squared-error (times 1e200 s) (times 1e200 t)))",
        "(cons s t)",
    ),
    twice("mean-absolute-error", "mean-absolute-error", "(cons s t)"),
    twice("sample-errors", "sample-errors", "(cons s t)"),
    twice("sum-of-squares", "sum-of-squares", "t"),
    twice("sum-of-products", "sum-of-products", "(cons s t)"),
    twice("variance", "variance", "s"),
    twice("population-variance", "population-variance", "t"),
    twice("standard-deviation", "standard-deviation", "s"),
    twice("covariance", "covariance", "(cons s t)"),
    twice("correlation", "correlation", "(cons s t)"),
    twice("standardized", "standardized", "s"),
    twice("sorted-sample", "(lambda (t) (sorted-sample (map exp t)))", "t"),
    twice("quantile", "quantile", "(cons s 0.3125)"),
    twice("quantile", "(lambda (s) (quantile s 1))", "s"),
    twice("median", "median", "s"),
    twice("median", "median", "(list 3.5 1.25 2 -1)"),
    twice("median", "median", "#(2.5)"),
    twice("linear-fit", "linear-fit", "(cons s t)"),
    twice("standard-deviation", "(lambda (s) (* 1e-200 (standard-deviation (times 1e200 s))))", "s"),
    twice("standard-deviation", "(lambda (s) (* 1e200 (standard-deviation (times 1e-200 s))))", "s"),
    once("correlation", "(lambda (s t) (correlation (times 1e200 s) (times 1e-200 t)))", "(cons s t)"),
    once(
        "linear-fit",
        "(lambda (s t) (let (((cons a b) (linear-fit (times 1e150 s) (times 1e100 t)))) (list (* 1e-100 a) (* 1e50 b))))",
        "(cons s t)",
    ),
    once("standardized", "(lambda (s) (standardized (times 1e-200 s)))", "s"),
    twice("sample-fold", "(lambda (v) (sample-fold hypot (lambda (i) (get v i)) 5))", "s"),
    twice("sample-total", "(lambda (v) (sample-total sin v))", "s"),
    twice("sample-dot", "sample-dot", "(cons s s)"),
    twice("sample-mean", "sample-mean", "s"),
    twice("sample-great-mean", "(lambda (v) (sample-great-mean v 5))", "s"),
    twice("sample-deviations", "sample-deviations", "s"),
    twice(
        "sample-product",
        "(lambda (u v) (sample-product (sample-deviations u) (sample-deviations v)))",
        "(cons s s)",
    ),
    twice("sample-quarters", "sample-quarters", "s"),
    twice("sample-measured", "sample-measured", "s"),
    twice("sample-mean-product", "(lambda (u v) (sample-mean-product u (sample->vector v) 4))", "(cons s t)"),
    twice("sample-mean-square", "(lambda (v) (sample-mean-square v 4))", "s"),
    twice("sample-mean-of-quarters", "(lambda (u v) (sample-mean-of-quarters u v 4))", "(cons s s)"),
    twice("sample-norm", "(lambda (v) (sample-norm (sample-deviations v)))", "s"),
    twice("sample-root", "(lambda (v) (sample-root v 7.5 4))", "s"),
    twice("sample-divided", "sample-divided", "(cons s 1.75)"),
    twice("sample-quantile", "sample-quantile", "(cons #(1.25 2.75 4.5) 0.3125)"),
    twice("sample-between", "sample-between", "(cons* 1.25 2.75 0.375)"),
    twice("sample-between", "sample-between", "(cons* 1.25 2.75 0.875)"),
    exempt(&["sample-size", "histogram", "histogram-counts"], "a number of values"),
    exempt(&["sample-moderate?"], "a boolean"),
];
