//! Random programs in F-smooth: well-typed ones have no errors, do the same on all engines, and their typed trees read
//! back; of others every error has a place.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::observe::{Observation, RunConditions, observe};
use vlad_conformance::random::fsmooth::{changed, well_typed};
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::frontend::fsmooth::FSmooth;
use vlad_shared::frontend::language::{Language, Rewriting};
use vlad_shared::frontend::load::{self, Input, Options};

/// The number of random programs of each sort, unless `VLAD_RANDOM_PROGRAMS` names another one.
const PROGRAMS: u64 = 1500;

/// The number of random programs of each sort.
fn programs() -> u64 {
    std::env::var("VLAD_RANDOM_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(PROGRAMS)
}

/// One program in so many is compiled.
const COMPILED_ONE_IN: u64 = 100;

fn input(text: &str) -> Input {
    Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None }
}

fn options() -> Options {
    Options { language: Some(&FSmooth), ..Options::default() }
}

fn conduct(engine: Engine, text: &str) -> Observation {
    conduct_in(&FSmooth, engine, text)
}

fn conduct_in(language: &'static dyn Language, engine: Engine, text: &str) -> Observation {
    let setting =
        RunConditions { compilation: fast_build_settings(), language: Some(language), ..RunConditions::default() };
    observe(engine, input(text), &setting)
}

/// Returns what engines have to agree on.
fn told(observation: &Observation) -> (Vec<String>, Option<u64>, Vec<(Kind, String)>) {
    let error = |diagnostic: &Diagnostic| (diagnostic.kind, format!("{:?} {}", diagnostic.span, diagnostic.message));
    (observation.output.clone(), observation.steps, observation.diagnostics.iter().map(error).collect())
}

#[test]
fn well_typed_programs_do_the_same_everywhere() {
    let mut finished = 0;
    for seed in 0..programs() {
        let text = well_typed(seed);
        if let Err(failure) = load::load(input(&text), &options()) {
            panic!("seed {seed} is refused: {:?}\n{text}", failure.diagnostics);
        }
        let first = conduct(Engine::Interp, &text);
        finished += u64::from(first.diagnostics.is_empty());
        assert_eq!(told(&conduct(Engine::Hybrid, &text)), told(&first), "seed {seed}:\n{text}");
        if seed % COMPILED_ONE_IN == 0 {
            assert_eq!(told(&conduct(Engine::Native, &text)), told(&first), "seed {seed}:\n{text}");
        }
    }
    assert!(finished * 4 > programs(), "of {} programs only {finished} have no error", programs());
}

/// The same as written, and rewritten by the rules that keep all results: the output, and whether there is an error.
/// Steps differ, and of several errors of an expression another one may come first.
#[test]
fn rewriting_changes_nothing() {
    let as_written = FSmooth.rewriting(Rewriting::Off).unwrap();
    let mut shorter = 0;
    for seed in 0..programs() {
        let text = well_typed(seed);
        let before = conduct_in(as_written, Engine::Hybrid, &text);
        let after = conduct_in(FSmooth.rewriting(Rewriting::On).unwrap(), Engine::Hybrid, &text);
        let [(output_before, steps_before, errors_before), (output, steps, errors)] = [told(&before), told(&after)];
        assert_eq!(output_before, output, "seed {seed}:\n{text}");
        assert_eq!(errors_before.len(), errors.len(), "seed {seed}: {errors_before:?}, {errors:?}\n{text}");
        shorter += u64::from(steps < steps_before);
    }
    assert!(shorter * 4 > programs(), "of {} programs only {shorter} take fewer steps", programs());
}

#[test]
fn typed_trees_read_back() {
    for seed in 0..programs() {
        let text = well_typed(seed);
        let typed = load::typed(input(&text), &options()).unwrap();
        let again = match load::typed(input(&typed), &options()) {
            Ok(again) => again,
            Err(failure) => panic!("seed {seed} does not read back: {:?}\n{text}\n{typed}", failure.diagnostics),
        };
        assert_eq!(typed, again, "seed {seed}:\n{text}");
        let (first, second) = (conduct(Engine::Hybrid, &text), conduct(Engine::Hybrid, &typed));
        assert_eq!(first.output, second.output, "seed {seed}:\n{text}\n{typed}");
    }
}

#[test]
fn errors_have_places() {
    let mut refused = 0;
    for seed in 0..4 * programs() {
        let text = changed(seed);
        if let Err(failure) = load::load(input(&text), &options()) {
            refused += 1;
            for diagnostic in &failure.diagnostics {
                let Some(span) = diagnostic.span else { panic!("seed {seed}: {}\n{text}", diagnostic.message) };
                assert!(span.file.0 == 0 && span.start <= span.end && span.end as usize <= text.len(), "{text}");
            }
        }
    }
    assert!(refused > 2 * programs(), "only {refused} programs are refused");
}
