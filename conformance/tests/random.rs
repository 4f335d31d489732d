//! Random programs on all engines: what an engine does differently from the first one is a bug of the first order.
//!
//! `a_slice_of_random_programs` runs the same programs each time. The long run is
//!
//! ```text
//! VLAD_RANDOM_SEED=7 VLAD_RANDOM_CASES=100000 cargo test --release -p vlad-conformance --test random -- --ignored --nocapture
//! ```
//!
//! whose seed is 1 and whose number of cases is 100 000 if not given; with `VLAD_RANDOM_COMPILED_ONE_IN=10` one case in ten is
//! compiled, with 0 none. Besides agreement, both ask of the programs
//! themselves that they are large enough and reach every operation of the table inside of every nesting of two operators.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::fmt::Write;
use vlad_compiler::cache::CachePolicy;
use vlad_compiler::toolchain::Optimisation;
use vlad_conformance::engine::{Engine, Settings};
use vlad_conformance::random::Case;
use vlad_conformance::random::compare::{Compared, Disagreement, compare};
use vlad_conformance::random::coverage::Coverage;
use vlad_conformance::random::program::generate;
use vlad_conformance::random::report::report;
use vlad_conformance::random::shrink::Shrinker;

/// How many programs are compared at a time: an engine that compiles makes one object of them.
const BATCH: usize = 100;

/// The least median of the number of nodes of core.
const LEAST_MEDIAN: usize = 60;

/// Programs that never come again have no place in a cache.
fn settings(optimisation: Optimisation) -> Settings {
    Settings { cache: CachePolicy::Bypass, optimisation: Some(optimisation), ..Settings::default() }
}

/// Cases with their input and limit, shrinking as trees.
#[derive(Debug)]
struct Cases;

/// A case on its way to a smaller one.
#[derive(Debug)]
struct Shrinking(Shrinker);

impl Strategy for Cases {
    type Tree = Shrinking;
    type Value = Case;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Shrinking(Shrinker::new(generate(runner.rng().next_u64()))))
    }
}

impl ValueTree for Shrinking {
    type Value = Case;

    fn current(&self) -> Case {
        self.0.current().clone()
    }

    fn simplify(&mut self) -> bool {
        self.0.simplify()
    }

    fn complicate(&mut self) -> bool {
        self.0.complicate()
    }
}

/// What came of many cases.
#[derive(Default)]
struct Tally {
    coverage: Coverage,
    nodes: Vec<usize>,
    steps: Vec<u64>,
    /// How many programs ended in which way.
    endings: BTreeMap<String, usize>,
    /// The disagreements, by what they look alike in: how many, and reports of the first of them.
    disagreements: BTreeMap<String, (usize, Vec<String>)>,
}

impl Tally {
    fn add(&mut self, tree: Shrinking, compared: &Compared, settings: &Settings) {
        let case = tree.current();
        self.nodes.push(compared.nodes);
        self.steps.extend(compared.first.steps);
        let ending = compared.first.errors.first().map_or("finished", |error| error.kind.name());
        *self.endings.entry(ending.to_owned()).or_default() += 1;
        if ending == "finished" {
            self.coverage.add(&case.tree);
        }
        if let Some(disagreement) = &compared.disagreement {
            let (count, reports) = self.disagreements.entry(alike(disagreement)).or_default();
            *count += 1;
            if reports.len() < MOST_SHOWN {
                reports.push(shrunk(tree, compared, disagreement, settings));
            }
        }
    }

    fn summary(&mut self) -> String {
        self.nodes.sort_unstable();
        self.steps.sort_unstable();
        let mut text = format!(
            "{} programs; nodes: median {}, most {}; steps: median {}, most {}; endings: {:?}\n",
            self.nodes.len(),
            median(&self.nodes),
            self.nodes.last().unwrap(),
            median(&self.steps),
            self.steps.last().unwrap(),
            self.endings
        );
        writeln!(text, "{}", self.coverage.table()).unwrap();
        text
    }

    fn told(&self) -> String {
        let mut text = String::new();
        for (look, (count, reports)) in &self.disagreements {
            writeln!(text, "{count} times: {look}\n\n{}", reports.join("\n\n")).unwrap();
        }
        text
    }
}

/// What disagreements with one cause mostly have in common.
fn alike(disagreement: &Disagreement) -> String {
    let crash = disagreement.observed.crash.as_deref().unwrap_or("");
    format!("{} differs in {:?} {crash}", disagreement.engine, disagreement.aspect)
}

fn median<T: Copy>(sorted: &[T]) -> T {
    sorted[sorted.len() / 2]
}

/// The report of the smallest case that differs in the same way.
fn shrunk(mut tree: Shrinking, compared: &Compared, disagreement: &Disagreement, settings: &Settings) -> String {
    let engines = [Engine::ALL[0], disagreement.engine];
    let mut smallest = (tree.current(), compared.clone(), disagreement.clone());
    let mut more = tree.simplify();
    while more {
        let case = tree.current();
        let compared = compare(&engines, settings, std::slice::from_ref(&case)).remove(0);
        more = match compared.disagreement.clone() {
            Some(other) if alike(&other) == alike(disagreement) => {
                smallest = (case, compared, other);
                tree.simplify()
            }
            _ => tree.complicate(),
        };
    }
    report(&smallest.0, &smallest.1, &smallest.2)
}

/// The most disagreements of one look that are shrunk and shown.
const MOST_SHOWN: usize = 3;

/// How many disagreements end a run.
const MOST_DISAGREEMENTS: usize = 100;

/// Does something without a word of the panics that it catches.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(loud);
    result
}

/// Compares some cases on the engines that do not compile, and a share of them on the one that does: see
/// [`compare_some_compiled`].
fn run(runner: &mut TestRunner, cases: usize, share: usize, settings: &Settings) -> Tally {
    let mut tally = Tally::default();
    let mut left = cases;
    while left > 0 && tally.disagreements.values().map(|(count, _)| count).sum::<usize>() < MOST_DISAGREEMENTS {
        let trees: Vec<Shrinking> = (0..left.min(BATCH)).map(|_| Cases.new_tree(runner).unwrap()).collect();
        left -= trees.len();
        let batch: Vec<Case> = trees.iter().map(Shrinking::current).collect();
        let compared = compare_some_compiled(&batch, share, &tally.coverage, settings);
        trees.into_iter().zip(&compared).for_each(|(tree, compared)| tally.add(tree, compared, settings));
    }
    tally
}

/// Compares a batch on the engines that do not compile, and on the one that does the cases that reach an operation in a
/// nesting that none reached before, and one in `share` of the others: the C compiler takes most of the time. If `share` is 0
/// there are none.
fn compare_some_compiled(batch: &[Case], share: usize, before: &Coverage, settings: &Settings) -> Vec<Compared> {
    let [first, .., last] = Engine::ALL;
    let mut compared = compare(&[Engine::Interp, Engine::Hybrid], settings, batch);
    let mut reached = before.clone();
    let chosen: Vec<usize> = (0..batch.len())
        .filter(|number| {
            let finished = compared[*number].first.errors.is_empty();
            let cells = reached.cells();
            if finished {
                reached.add(&batch[*number].tree);
            }
            share > 0 && (number % share == 0 || reached.cells() > cells)
        })
        .collect();
    let cases: Vec<Case> = chosen.iter().map(|number| batch[*number].clone()).collect();
    for (number, on_last) in chosen.into_iter().zip(compare(&[first, last], settings, &cases)) {
        compared[number].disagreement = compared[number].disagreement.take().or(on_last.disagreement);
    }
    compared
}

/// Compares some cases of a seed, and asks for a number of times that every operation is reached in every nesting.
fn check(seed: u64, cases: usize, share: usize, least: u64, optimisation: Optimisation) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let mut tally = quietly(|| run(&mut runner, cases, share, &settings(optimisation)));
    println!("{}", tally.summary());
    assert!(tally.disagreements.is_empty(), "{}", tally.told());
    assert!(median(&tally.nodes) >= LEAST_MEDIAN, "programs are small");
    let missing = tally.coverage.below(least);
    assert!(missing.is_empty(), "reached fewer than {least} times: {missing:?}");
}

/// A number from the environment.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

#[test]
fn a_slice_of_random_programs() {
    // What the C compiler does at its best the corpus tests.
    check(1, 4000, 40, 2, Optimisation::Least);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_programs() {
    let cases = setting("VLAD_RANDOM_CASES", 100_000);
    let share = setting("VLAD_RANDOM_COMPILED_ONE_IN", 1);
    check(setting("VLAD_RANDOM_SEED", 1), cases as usize, share as usize, cases / 1000, Optimisation::Full);
}
