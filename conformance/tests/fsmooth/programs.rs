//! The programs among the examples, by `vlad gradcheck`: both modes of the engines, checkpoints and differences, also of
//! functions that are derivatives themselves.

use rstest::rstest;
use std::path::Path;
use std::time::Duration;
use vlad_derivatives::appended::point::Point;
use vlad_derivatives::gradcheck::{Question, check};
use vlad_engines::{Engine, Settings};
use vlad_shared::frontend::load::{Input, Options};

const CAMERA: &str = "[| 0.1; 0.2; 0.3; 0.0; 0.0; 0.0; 2.0; 1.0; 1.0; 0.1; 0.01 |]";
const MATRICES: &str = "([| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |], [| [| 1.5; 2.5 |]; [| 1.75; 5.5 |] |])";

#[rstest]
#[case::projection("camera.fs", "fun p -> project (fst p) (snd p)", &format!("({CAMERA}, [| 1.0; 2.0; 4.0 |])"))]
#[case::rotation("camera.fs", "fun p -> rodrigues (fst p) (snd p)", "([| 0.5; -1.0; 2.0 |], [| 1.0; -2.0; 4.0 |])")]
#[case::logarithm("logsumexp.fs", "logSumExp", "[| 1.0; 2.0; 3.0 |]")]
#[case::factors("nonnegative-factors.fs", "fun p -> cost (fst p) (snd p)", MATRICES)]
#[case::partial("partial-derivatives.fs", "fun p -> f (fst p) (snd p)", "(1.0, 3.0)")]
#[case::gradient("logsumexp.fs", "gradient", "[| 1.0; 2.0; 3.0 |]")]
#[case::gradient_at_zero("logsumexp.fs", "gradient", "[| 0.0; 0.5; -0.5; 0.25 |]")]
#[case::hessian("logsumexp.fs", "fun v -> hessian logSumExp v", "[| 1.0; 2.0 |]")]
fn examples_have_right_derivatives(#[case] example: &str, #[case] function: &str, #[case] point: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/fsmooth").join(example);
    let question = Question {
        program: Input::Path(path),
        options: Options::default(),
        function: function.to_owned(),
        point: Point::Expression(point.to_owned()),
        typed: None,
        time: Duration::from_secs(60),
        memory: None,
    };
    let answer = check(Engine::Interp, &Settings::default(), &question)
        .unwrap_or_else(|reason| panic!("{example}, {function}: {reason:?}"));
    let worst = answer.worst().unwrap_or_else(|| panic!("{example}, {function}: nothing was compared"));
    assert!(worst < 1e-7, "{example}, {function}: {worst}");
}
