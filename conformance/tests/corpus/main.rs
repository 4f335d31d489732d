//! Every program of the project: those of the corpus, the examples, and the blocks of the report.
//!
//! The tests are listed from the folders when they begin. A test's name is the subject, `::` and the path of the file; the
//! subjects are the engines, by their names ([`engines`]), `examples`, `report` and `warnings`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod engines;
mod examples;
#[path = "../listed/mod.rs"]
mod listed;
mod report;
mod warnings;

use libtest_mimic::Failed;
use std::process::ExitCode;
use vlad_compiler::toolchain::Optimisation;
use vlad_conformance::corpus::check;
use vlad_engines::{Engine, Settings};

fn main() -> ExitCode {
    let mut trials = Vec::new();
    // The checks of a file follow each other: while one thread waits for the C compiler, others have something else to do.
    for path in listed::programs("corpus") {
        trials.extend(engines::trials(&path));
    }
    trials.extend(examples::paths().iter().flat_map(|path| examples::trials(path)));
    trials.extend(report::trials());
    trials.extend(warnings::trials());
    listed::run(trials)
}

/// Runs cases as users do, with full optimisation.
fn run_optimised(engine: Engine, cases: Vec<check::Trial>) -> Result<(), Failed> {
    let settings = Settings { optimisation: Some(Optimisation::Full), ..Settings::default() };
    let results = check::Trial::check_all(engine, cases, &settings);
    let reports: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if reports.is_empty() { Ok(()) } else { Err(format!("\n{}", reports.concat()).into()) }
}
