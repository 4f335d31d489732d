//! The programs among the examples, by `vlad gradcheck`: both modes of the engines, checkpoints and differences, also of
//! functions that are derivatives themselves.

use std::path::Path;
use std::time::Duration;
use vlad_conformance::gradcheck::{Question, check};
use vlad_engines::{Engine, Settings};
use vlad_shared::frontend::load::{Input, Options};

/// Checks a procedure of an example at a point, which is written in VLAD.
fn agrees(example: &str, function: &str, point: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/fsmooth").join(example);
    let question = Question {
        program: Input::Path(path),
        options: Options::default(),
        function: function.to_owned(),
        point: point.to_owned(),
        time: Duration::from_secs(60),
        memory: None,
    };
    let answer = check(Engine::Interp, &Settings::default(), &question)
        .unwrap_or_else(|reason| panic!("{example}, {function}: {reason:?}"));
    let worst = answer.worst().unwrap_or_else(|| panic!("{example}, {function}: nothing was compared"));
    assert!(worst < 1e-7, "{example}, {function}: {worst}");
}

#[test]
fn examples_have_right_derivatives() {
    agrees("camera.fs", "project", "(cons #(0.1 0.2 0.3 0 0 0 2 1 1 0.1 0.01) #(1 2 4))");
    agrees("camera.fs", "rodrigues", "(cons #(0.5 -1 2) #(1 -2 4))");
    agrees("logsumexp.fs", "logSumExp", "#(1 2 3)");
    agrees("nonnegative-factors.fs", "cost", "(cons #(#(1 2) #(3 4)) #(#(1.5 2.5) #(1.75 5.5)))");
    agrees("partial-derivatives.fs", "f", "(cons 1 3)");
}

#[test]
fn derivatives_in_examples_have_right_derivatives() {
    agrees("logsumexp.fs", "gradient", "#(1 2 3)");
    agrees("logsumexp.fs", "gradient", "#(0 0.5 -0.5 0.25)");
}
