//! Programs of the corpus in each way of rewriting (report, 20.5).
//!
//! Expectations hold for a program as it is written and as it is rewritten, which print the same but for the signs of zeros;
//! rewriting adds no steps. Exceptions are listed, each with its reason. Rules of algebra change no finite number but by rounding.

use crate::running::without_signs_of_zeros;
use rstest::rstest;
use std::path::{Path, PathBuf};
use vlad_conformance::corpus::case::{self, Agreement, Case};
use vlad_conformance::corpus::check;
use vlad_conformance::corpus::compare::{lines_agree, lines_agree_nearly};
use vlad_conformance::observe::{Observation, RunConditions, observe};
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::frontend::load::Input;
use vlad_shared::fsmooth::FSMOOTH;
use vlad_shared::language::{Language, Rewriting};

/// The greatest difference that counts as rounding: relative, and absolute where terms cancel.
const ROUNDING: f64 = 1e-12;

/// An expression whose value rewriting may round otherwise.
struct Rounded {
    /// The end of the path of the program.
    program: &'static str,
    /// The line of the program that prints the value.
    expression: &'static str,
    /// The reason, as the report has it.
    reason: &'static str,
}

const fn by_reverse_mode(expression: &'static str) -> Rounded {
    let reason = "rewriting takes reverse mode for this gradient, which adds up in another order";
    Rounded { program: "derivatives/reductions.fs", expression, reason }
}

const ROUNDED: [Rounded; 6] = [
    Rounded {
        program: "programs/camera.fs",
        expression: "byVjp camera",
        reason: "a value that is computed once where it is written twice has its cotangent summed in another order",
    },
    by_reverse_mode("ends (grad entropy (data 40))"),
    by_reverse_mode("ends (grad mean (data 40))"),
    by_reverse_mode("(g[1][1], snd g[3][9])"),
    by_reverse_mode("(snd (fst d)[3][9], snd (snd d)[1])"),
    by_reverse_mode("(h[0], h[33])"),
];

/// The ends of the paths of programs that take more steps when they are rewritten, each with the reason.
const LONGER: [(&str, &str); 3] = [
    ("library/errors/log-determinant-ragged.fs", "the steps of a test of lengths, which fails, are added"),
    ("errors/negative-size.fs", "the steps of a test of sizes, which fails, are added"),
    ("errors/index-by-other-operation.fs", "the steps of a test of indices, which fails, are added"),
];

fn run(path: &Path, case: &Case, rewriting: Rewriting) -> Observation {
    let folder = path.parent().unwrap();
    let conditions = RunConditions { language: FSMOOTH.rewriting(rewriting), ..check::setting(case, folder) };
    observe(Engine::Hybrid, Input::Path(path.to_path_buf()), &conditions)
}

fn kinds(run: &Observation) -> Vec<Kind> {
    run.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect()
}

/// The lines of a program that print the lines of its output.
fn expressions<'text>(text: &'text str, case: &Case) -> Vec<&'text str> {
    let lines: Vec<&str> = text.lines().collect();
    case.output.iter().map(|expected| lines[expected.at - 1]).collect()
}

#[rstest]
fn rewriting_changes_no_result(
    #[files("corpus/fsmooth/**/*.fs")]
    #[exclude("/parts/")]
    path: PathBuf,
) {
    let text = check::read_text(&path).unwrap();
    let case = case::parse(&text, FSMOOTH.comment()).unwrap();
    let [written, rewritten, by_algebra] = Rewriting::ALL.map(|rewriting| run(&path, &case, rewriting));
    // The bits that are expected are those of the rewritten program; the others are compared with them below.
    let mut near = case.clone();
    near.output.iter_mut().for_each(|line| line.agreement = Agreement::Within(ROUNDING));
    for (case, run) in [(&near, &written), (&case, &rewritten)] {
        let name = path.display().to_string();
        let differences: Vec<String> = check::differences(case, run, &name).map(|each| each.to_string()).collect();
        assert!(differences.is_empty(), "{differences:?}\n{:?}\n{}", run.output, run.rendered());
    }
    let (on, off) = (rewritten.steps, written.steps);
    let longer = LONGER.iter().find(|(program, _)| path.ends_with(program));
    assert_eq!(on > off, longer.is_some(), "{on:?} steps, and {off:?} as it is written; {longer:?}");
    let exceptions: Vec<&Rounded> = ROUNDED.iter().filter(|rounded| path.ends_with(rounded.program)).collect();
    check_equal(&written, &rewritten, &expressions(&text, &case), &exceptions);
    check_rounded(&written, &by_algebra);
}

/// Checks that two runs print the same but for signs of zeros, and that the exceptions are rounded otherwise.
fn check_equal(written: &Observation, rewritten: &Observation, expressions: &[&str], exceptions: &[&Rounded]) {
    let [before, after] = [written, rewritten].map(|run| without_signs_of_zeros(&run.output));
    let mut found = 0;
    for ((expression, before), after) in expressions.iter().zip(&before).zip(&after) {
        match exceptions.iter().find(|rounded| rounded.expression == *expression) {
            None => assert_eq!(before, after, "{expression}"),
            Some(rounded) => {
                found += 1;
                assert_ne!(before, after, "{expression} is an exception without need: {}", rounded.reason);
                assert!(lines_agree(before, after, ROUNDING), "{expression}: {before}, {after}");
            }
        }
    }
    assert_eq!(found, exceptions.len(), "the number of exceptions that the program prints");
}

/// Checks that a run by rules of algebra has the same errors, and the same finite numbers up to rounding. Lines with others
/// are not compared: these rules take all numbers for finite.
fn check_rounded(written: &Observation, by_algebra: &Observation) {
    assert_eq!(kinds(by_algebra), kinds(written));
    assert_eq!(by_algebra.output.len(), written.output.len());
    for (before, after) in written.output.iter().zip(&by_algebra.output) {
        let is_finite = !before.contains("nan.0") && !before.contains("inf.0");
        assert!(!is_finite || lines_agree_nearly(before, after, ROUNDING), "by algebra: {before}, {after}");
    }
}

#[test]
fn exceptions_are_of_programs() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/fsmooth");
    for program in ROUNDED.iter().map(|rounded| rounded.program).chain(LONGER.map(|(program, _)| program)) {
        assert!(corpus.join(program).exists(), "{program}");
    }
}
