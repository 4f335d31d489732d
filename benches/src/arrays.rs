//! The problems on vectors and matrices, each of them as a value and as its gradient by reverse mode.
//!
//! They are a group of their own beside `PROBLEMS`: no target is laid down for them, and their programs are not
//! required to be specialised. The folder is `arrays`; the mode of the yardstick has the name of the program.

use crate::problem::{Formulation, Problem, formulation};

/// The inputs of a problem: for measurements, with one round of the same sizes, and for tests.
type Inputs = [&'static str; 3];

const fn problem(
    yardstick: &'static str,
    mode: &'static str,
    formulations: &'static [Formulation],
    [input, idle_input, small_input]: Inputs,
) -> Problem {
    Problem {
        folder: "arrays",
        yardstick,
        mode,
        gradients: "",
        formulations,
        versions: &[],
        input,
        idle_input,
        small_input,
        most: None,
    }
}

const fn loops(mode: &'static str, formulations: &'static [Formulation], inputs: Inputs) -> Problem {
    problem("arrays", mode, formulations, inputs)
}

/// A problem of `loops` whose yardstick has a version with other loops.
const fn products(mode: &'static str, formulations: &'static [Formulation], inputs: Inputs) -> Problem {
    Problem { versions: &["best"], ..loops(mode, formulations, inputs) }
}

const fn model(mode: &'static str, formulations: &'static [Formulation], inputs: Inputs) -> Problem {
    problem("models", mode, formulations, inputs)
}

const fn bundle(mode: &'static str, formulations: &'static [Formulation], inputs: Inputs) -> Problem {
    problem("bundle", mode, formulations, inputs)
}

/// All problems on vectors and matrices; C takes some hundredths of a second for each.
pub const ARRAYS: [Problem; 18] = [
    loops("sum", &[formulation("sum")], ["10000 8 5000 0.7", "10000 8 1 0.7", "10 4 7 0.7"]),
    loops("sum-gradient", &[formulation("sum-gradient")], ["10000 8 2000 0.7", "10000 8 1 0.7", "10 4 7 0.7"]),
    loops("inner-product", &[formulation("inner-product")], ["10000 8 5000 0.7", "10000 8 1 0.7", "10 4 7 0.7"]),
    loops(
        "inner-product-gradient",
        &[formulation("inner-product-gradient")],
        ["10000 8 1000 0.7", "10000 8 1 0.7", "10 4 7 0.7"],
    ),
    products(
        "matrix-product",
        &[formulation("matrix-product")],
        ["64 200 0.7 0.0001", "64 1 0.7 0.0001", "5 3 0.7 0.01"],
    ),
    products(
        "matrix-product-gradient",
        &[formulation("matrix-product-gradient")],
        ["64 60 0.7 0.0001", "64 1 0.7 0.0001", "5 3 0.7 0.01"],
    ),
    loops("logsumexp", &[formulation("logsumexp")], ["10000 8 500 0.7", "10000 8 1 0.7", "10 4 7 0.7"]),
    loops(
        "logsumexp-gradient",
        &[formulation("logsumexp-gradient")],
        ["10000 8 300 0.7", "10000 8 1 0.7", "10 4 7 0.7"],
    ),
    loops(
        "least-squares",
        &[formulation("least-squares")],
        ["400 50 2000 0.7 0.0000001", "400 50 1 0.7 0.0000001", "12 5 4 0.7 0.001"],
    ),
    loops(
        "least-squares-gradient",
        &[formulation("least-squares-gradient")],
        ["400 50 900 0.7 0.0001", "400 50 1 0.7 0.0001", "12 5 4 0.7 0.001"],
    ),
    model(
        "k-means",
        &[formulation("k-means")],
        ["1000 16 8 300 0.7 0.0000001", "1000 16 8 1 0.7 0.0000001", "20 3 2 5 0.7 0.001"],
    ),
    model(
        "k-means-gradient",
        &[formulation("k-means-gradient")],
        ["1000 16 8 150 0.7 0.0001", "1000 16 8 1 0.7 0.0001", "20 3 2 5 0.7 0.001"],
    ),
    model(
        "mixture",
        &[formulation("mixture")],
        ["1000 8 8 200 0.7 0.0000001", "1000 8 8 1 0.7 0.0000001", "20 3 2 5 0.7 0.001"],
    ),
    model(
        "mixture-gradient",
        &[formulation("mixture-gradient")],
        ["1000 8 8 70 0.7 0.00001", "1000 8 8 1 0.7 0.00001", "20 3 2 5 0.7 0.001"],
    ),
    model("lstm", &[formulation("lstm")], ["100 16 8 150 0.7", "100 16 8 1 0.7", "5 3 2 4 0.7"]),
    model(
        "lstm-gradient",
        &[formulation("lstm-gradient")],
        ["100 16 8 30 0.7 0.001", "100 16 8 1 0.7 0.001", "5 3 2 4 0.7 0.01"],
    ),
    bundle(
        "bundle-adjustment",
        &[formulation("bundle-adjustment")],
        ["20 400 4000 60 0.7 0.0000001", "20 400 4000 1 0.7 0.0000001", "3 5 20 4 0.7 0.0001"],
    ),
    bundle(
        "bundle-adjustment-gradient",
        &[formulation("bundle-adjustment-gradient")],
        ["20 400 4000 40 0.7 0.00001", "20 400 4000 1 0.7 0.00001", "3 5 20 4 0.7 0.001"],
    ),
];

/// The inputs with which memory is measured, by mode: data of some megabytes, and few rounds.
const LARGE_INPUTS: [(&str, &str); 9] = [
    ("sum-gradient", "1000000 1 2 0.7"),
    ("inner-product-gradient", "1000000 2 2 0.7"),
    ("matrix-product-gradient", "512 1 0.7 0.0001"),
    ("logsumexp-gradient", "1000000 1 2 0.7"),
    ("least-squares-gradient", "20000 50 2 0.7 0.000001"),
    ("k-means-gradient", "100000 16 8 2 0.7 0.000001"),
    ("mixture-gradient", "100000 8 8 2 0.7 0.0000001"),
    ("lstm-gradient", "10000 16 8 2 0.7 0.00001"),
    ("bundle-adjustment-gradient", "20 400 100000 2 0.7 0.0000001"),
];

/// The input with which the memory of a problem is measured: that for its time if there is no other one.
pub fn large_input(problem: &Problem) -> &'static str {
    let found = LARGE_INPUTS.iter().find(|(mode, _)| problem.folder == "arrays" && *mode == problem.mode);
    found.map_or(problem.input, |(_, input)| input)
}
