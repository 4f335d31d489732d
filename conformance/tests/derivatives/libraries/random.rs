//! The rows of `random`.

use super::row::{Row, exempt, twice};

/// A state.
pub const DEFINITIONS: &str = "(define state (list (list 12345 23456 34567) (list 45678 56789 67890)))";

/// The rows.
pub const ROWS: &[Row] = &[
    twice("random-exponential", "(lambda (rate) (car (random-exponential rate state)))", "1.5"),
    twice(
        "random-vector",
        "(lambda (a) (car (random-vector (lambda (s) (let (((cons u s) (random-normal s))) (cons (exp (* a u)) s))) 3 state)))",
        "0.75",
    ),
    twice(
        "random-shuffle",
        "(lambda (v) (car (random-shuffle (build 3 (lambda (i) (sin (get v i)))) state)))",
        "#(1.5 2.5 -0.75)",
    ),
    exempt(
        &[
            "random-state",
            "scrambled-state",
            "scrambled",
            "modulo-exact",
            "product-modulo",
            "modulo-signed",
            "random-skip",
            "random-skip-power",
        ],
        "whole numbers",
    ),
    exempt(
        &["random-jump", "matrix3-skip", "matrix3-squared", "product3", "matrix3-times-vector", "matrix3-product"],
        "whole numbers",
    ),
    exempt(
        &["random-real", "random-next", "random-normal", "random-next-normal", "random-reals", "random-normals"],
        "bits of a state alone",
    ),
    exempt(&["random-integer"], "a whole number"),
    exempt(&["of-random-state"], "a state"),
    exempt(&["random-event", "random-whole?", "random-state?", "random-triple?"], "a boolean"),
];
