//! Every formulation of every problem prints the digits of the yardstick that executes the same operations.
//!
//! The first formulation runs on `interp`, which is the specification, in all modes; the others on `hybrid`, which is
//! faster, or on `native` where they are long.

#![allow(clippy::unwrap_used)] // tests may

use vlad_benches::{ARRAYS, Formulation, PROBLEMS, Problem, Subject, UNLIMITED, numbers_in, run_yardstick};
use vlad_engines::Engine;

/// The greatest relative distance of the numbers of a yardstick whose operations are others.
const TOLERANCE: f64 = 1e-9;

fn computed(engine: Engine, problem: &Problem, formulation: &Formulation) -> Vec<u64> {
    let program = problem.load(formulation).unwrap();
    let (_, conduct) = Subject::new(engine, &program, &UNLIMITED).unwrap().run_on(problem.small_input).unwrap();
    bits(&numbers_in(&String::from_utf8(conduct.output).unwrap()))
}

fn by_hand(problem: &Problem, version: &str) -> Vec<f64> {
    run_yardstick(problem.yardstick, problem.mode, version, problem.small_input).unwrap().numbers
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn check(folder: &str) {
    for problem in PROBLEMS.iter().chain(&ARRAYS).filter(|problem| problem.folder == folder) {
        let table = by_hand(problem, "table");
        assert!(!table.is_empty(), "{folder} {}", problem.mode);
        for version in problem.versions {
            let other = by_hand(problem, version);
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * a.abs();
            assert_eq!(other.len(), table.len());
            assert!(table.iter().zip(&other).all(close), "{folder} {} {version}: {other:?}", problem.mode);
        }
        let fast = if matches!(folder, "saddle" | "particle") { Engine::Native } else { Engine::Hybrid };
        let engines = std::iter::once(Engine::Interp).chain(std::iter::repeat(fast));
        // Of two gradients, the mixed pairs of modes have each mode in each place, which suffices for the slow
        // programs.
        let most = if matches!(problem.gradients, "ff" | "rr") { 1 } else { usize::MAX };
        for (formulation, engine) in problem.formulations.iter().zip(engines).take(most) {
            let numbers = computed(engine, problem, formulation);
            assert_eq!(numbers, bits(&table), "{folder} {} {formulation:?} on {engine}", problem.mode);
        }
    }
}

#[test]
fn saddle() {
    check("saddle");
}

#[test]
fn particle() {
    check("particle");
}

#[test]
fn backprop() {
    check("backprop");
}

#[test]
fn prolog() {
    check("prolog");
}

#[test]
fn lambda() {
    check("lambda");
}

#[test]
fn recurrence() {
    check("recurrence");
}

#[test]
fn arrays() {
    check("arrays");
}

#[test]
fn every_problem_has_a_test() {
    let tested = ["saddle", "particle", "backprop", "prolog", "lambda", "recurrence", "arrays"];
    assert!(PROBLEMS.iter().chain(&ARRAYS).all(|problem| tested.contains(&problem.folder)));
}
