//! Tests of random programs on all engines: any difference from the first engine is a bug of the first order.
//!
//! The slices run the same programs each time. Long runs are campaigns of the command `vlad fuzz` (report, part 12),
//! which runs the same cases. Besides agreement, the tests check that the programs are large enough and reach every
//! operation of the table inside every nesting of two operators.

use std::num::NonZeroUsize;
use std::thread;
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::random::GeneratorOptions;
use vlad_conformance::random::campaign::tally::Tally;
use vlad_conformance::random::campaign::{Mixture, Plan};
use vlad_engines::{Engine, Settings};

/// The least median of the number of nodes of core.
const LEAST_MEDIAN: usize = 60;

/// The least number of times that every operation is reached in every nesting.
const LEAST_REACHED: u64 = 3;

/// Runs the first cases of a mixture, one in `compiled_one_in` of them compiled.
fn check(mixture: Mixture, cases: u64, compiled_one_in: u64) -> Tally {
    let settings = fast_build_settings();
    let engines = Engine::ALL.to_vec();
    let plan =
        Plan { engines, settings, compiled_one_in, seed: 1, mixture, generator_options: GeneratorOptions::default() };
    let tally = run(&plan, cases);
    println!("{}", tally.summary());
    check_nothing_found(&tally);
    tally
}

/// Runs the first cases of a plan, of which each thread gets a part. Cases with an operation in a nesting that is new to
/// its thread are compiled besides the chosen ones, so no fewer are compiled than in one thread.
fn run(plan: &Plan, cases: u64) -> Tally {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get) as u64;
    let part = |number: u64| cases * number / threads..cases * (number + 1) / threads;
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|number| scope.spawn(move || plan.run(part(number)))).collect();
        let mut tally = Tally::default();
        parts.into_iter().for_each(|part| tally.merge(part.join().unwrap()));
        tally
    })
}

/// Shows the findings, if there are any.
fn check_nothing_found(tally: &Tally) {
    let told: Vec<_> = tally.findings.iter().map(|finding| String::from_utf8_lossy(&finding.text)).collect();
    assert!(told.is_empty(), "{:?}\n\n{}", tally.looks, told.join("\n\n"));
}

#[test]
fn a_slice_of_good_programs() {
    let tally = check(Mixture::Good, 14_000, 350);
    assert!(tally.median_nodes() >= LEAST_MEDIAN, "programs are small");
    let missing = tally.coverage.below(LEAST_REACHED);
    assert!(missing.is_empty(), "reached fewer than {LEAST_REACHED} times: {missing:?}");
}

/// The number of programs of the slice of scalar ones.
const SCALAR: u64 = 480;

/// Programs for specialised code, on everything that runs it, and as code that is not specialised.
#[test]
fn a_slice_of_scalar_programs() {
    let (engines, settings) = (Engine::COMPARED.to_vec(), fast_build_settings());
    let (mixture, generator_options) = (Mixture::Scalar, GeneratorOptions::default());
    let plan = Plan { engines, settings, compiled_one_in: 40, seed: 1, mixture, generator_options };
    let tally = run(&plan, SCALAR);
    println!("{}", tally.summary());
    check_nothing_found(&tally);
    assert_eq!((tally.good, tally.refused, tally.interrupted), (SCALAR, 0, 0));
    for engine in Engine::COMPARED {
        let least = if engine.compiles() { SCALAR / 40 } else { SCALAR };
        assert!(tally.runs.get(engine.name()).is_some_and(|count| *count >= least), "{:?}", tally.runs);
    }
    for ending in ["finished", "type", "input"] {
        assert!(tally.endings.contains_key(ending), "none ends with `{ending}`");
    }
    assert!(tally.median_nodes() >= LEAST_MEDIAN, "programs are small");
}

#[test]
fn a_slice_of_bad_programs() {
    let tally = check(Mixture::Bad, 4_000, 200);
    for ending in ["finished", "read", "syntax", "unbound", "type", "conformance", "pattern", "steps"] {
        assert!(tally.endings.contains_key(ending), "none ends with `{ending}`");
    }
    assert!(tally.refused * 4 > tally.cases && tally.refused * 4 < tally.cases * 3, "about half are no programs");
}

/// Checks that most procedures have a derivative that is not 0 and was compared with a quotient, and that few are not
/// compared: a check without effect would be noticed.
#[test]
fn a_slice_of_gradients() {
    // A few are compiled with full optimisation.
    let settings = Settings { cache: CachePolicy::Bypass, ..Settings::default() };
    let engines = vec![Engine::Hybrid, Engine::Native];
    let (mixture, generator_options) = (Mixture::Gradients, GeneratorOptions::default());
    let plan = Plan { engines, settings, compiled_one_in: 150, seed: 1, mixture, generator_options };
    let tally = plan.run(0..450);
    println!("{}", tally.summary());
    check_nothing_found(&tally);
    let counts = &tally.gradients;
    assert!(counts.checked * 2 > counts.procedures, "{}", counts.summary());
    assert!(counts.unchecked.values().sum::<u64>() * 10 < counts.procedures, "{}", counts.summary());
    let nothing_to_compare =
        counts.kinks + counts.not_finite + counts.imprecise + counts.ill_conditioned + counts.beyond_range;
    assert!(nothing_to_compare * 4 < counts.compared + counts.zeros, "{}", counts.summary());
}

/// The least number of programs of the slice that have each shape.
const LEAST_SHAPES: u64 = 10;

/// Checks that each shape is in some programs, and that the shares of interrupted cases are those of the parameter:
/// half of all cases, three in five of these under a limit, and as many suspended. Five percent are a margin for
/// chance, and for the cases that take too few steps.
#[test]
fn a_slice_of_shapes() {
    let generator_options = GeneratorOptions { shape: 100, ..GeneratorOptions::default() };
    let (engines, settings) = (vec![Engine::Interp, Engine::Hybrid], fast_build_settings());
    let plan = Plan { engines, settings, compiled_one_in: 1, seed: 5, mixture: Mixture::Good, generator_options };
    let tally = plan.run(0..800);
    println!("{}", tally.summary());
    check_nothing_found(&tally);
    let missing = tally.shapes.below(LEAST_SHAPES);
    assert!(missing.is_empty(), "in fewer than {LEAST_SHAPES} programs: {missing:?}");
    let dial = generator_options.interruption as u64;
    for (count, percent) in [(tally.interrupted, dial), (tally.limited, dial * 3 / 5), (tally.suspended, dial * 3 / 5)]
    {
        assert!(
            count * 100 >= (tally.cases - tally.refused) * (percent - 5),
            "{count} of {}, not {percent} %",
            tally.cases
        );
    }
}
