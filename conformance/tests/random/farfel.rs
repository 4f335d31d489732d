//! Random programs of Farfel on all engines, against the evaluator; damaged texts of Farfel.

use vlad_conformance::farfel::verdict::{Verdict, verdict};
use vlad_conformance::farfel::{Case, differences, input};
use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::observe::{RunConditions, observe};
use vlad_conformance::random::farfel::check;
use vlad_derivatives::numbers::Numbers;
use vlad_engines::{Engine, Settings};
use vlad_farfel_oracle::evaluate::{Ending, LIMITS, evaluate};
use vlad_farfel_oracle::generate::{Options, program};

fn compare(engine: Engine, settings: &Settings, count: u64) {
    let chosen: Vec<(u64, u64)> = (0..count).map(|number| (number, Numbers::at(7, number))).collect();
    let found = check(&chosen, engine, settings);
    if let Some((number, difference)) = found.first() {
        panic!("{} of {count} programs differ on {}; program {number}: {difference}", found.len(), engine.name());
    }
}

#[test]
fn the_interpreter_agrees() {
    compare(Engine::Interp, &Settings::default(), 400);
}

#[test]
fn the_direct_evaluator_agrees() {
    compare(Engine::Hybrid, &Settings::default(), 400);
}

#[test]
fn compiled_code_agrees() {
    compare(Engine::Native, &fast_build_settings(), 40);
}

/// Most programs say something: they end, print, and many differentiate.
#[test]
fn programs_say_something() {
    let behaviours: Vec<_> = (0..500).map(|seed| evaluate(&program(seed, Options::ALL), LIMITS)).collect();
    let count = |fits: &dyn Fn(&vlad_farfel_oracle::evaluate::Behaviour) -> bool| {
        behaviours.iter().filter(|behaviour| fits(behaviour)).count()
    };
    assert!(count(&|behaviour| behaviour.ending == Ending::Finished) > 400);
    assert!(count(&|behaviour| !behaviour.lines.is_empty()) > 400);
    assert!(count(&|behaviour| behaviour.differentiates) > 150);
    assert_eq!(count(&|behaviour| matches!(behaviour.ending, Ending::Broken(_))), 0);
}

/// The comparison finds a difference: a program is compared with the behaviour of another one.
#[test]
fn differences_are_found() {
    let found = (0..40).filter(|seed| {
        let (one, other) = (Case::of(*seed, Options::ALL), Case::of(seed + 1000, Options::ALL));
        let observation = observe(Engine::Interp, input(&one.text), &RunConditions::default());
        matches!(verdict(&other.behaviour, &observation), Verdict::Differs(_))
    });
    assert_eq!(found.count(), 40);
    let case = Case::of(5, Options::ALL);
    assert_eq!(differences(std::slice::from_ref(&case), Engine::Interp, &Settings::default()), [None]);
}
