//! The rows of `statistics`.

use super::row::{Row, exempt, twice};

/// Two samples.
pub const DEFINITIONS: &str = "
(define s #(1.25 -0.5 2.75 0.75 4.5))
(define t (list 0.5 -1.25 3.25 2 2.75))";

/// The rows.
pub const ROWS: &[Row] = &[
    twice("sample->vector", "(lambda (t) (sample->vector (map sin t)))", "t"),
    twice("sample->list", "(lambda (s) (map sin (sample->list s)))", "s"),
    twice("sample-sum", "sample-sum", "t"),
    twice("mean", "mean", "s"),
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
    exempt(&["sample-size", "histogram"], "a number of values"),
];
