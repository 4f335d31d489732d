//! Every program of the project: those of the corpus, the examples, and the blocks of the report.
//!
//! The tests are listed from the folders when they begin. A test's name is the subject, `::` and the path of the file; the
//! subjects are the engines, by their names ([`engines`]), `conversion`, `specialised`, `examples`, `report` and `warnings`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod conversion;
mod engines;
mod examples;
mod report;
mod specialised;
mod warnings;

use libtest_mimic::{Arguments, Failed, Trial, run};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use vlad_compiler::toolchain::Optimisation;
use vlad_conformance::corpus::check;
use vlad_conformance::matrix::find;
use vlad_engines::{Engine, Settings};
use vlad_shared::frontend::languages::Languages;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let threads = || env::var("RUST_TEST_THREADS").ok()?.parse().ok();
    arguments.test_threads = arguments.test_threads.or_else(threads);
    let mut trials = Vec::new();
    // The checks of a file follow each other: while one thread waits for the C compiler, others have something else to do.
    for path in programs("corpus") {
        trials.extend(engines::trials(&path));
        trials.extend(conversion::trial(&path));
        trials.extend(specialised::trial(&path));
    }
    for path in programs("../examples").into_iter().filter(|path| is_complete(path)) {
        trials.extend(specialised::trial(&path));
        trials.extend(examples::trials(&path));
    }
    trials.extend(specialised::linear_algebra());
    trials.extend(report::trials());
    trials.extend(warnings::trials());
    run(&arguments, trials).exit_code()
}

/// The path of a file or folder that is named from the crate's folder.
fn from_here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The programs below a folder, without those that others include.
fn programs(folder: &str) -> Vec<PathBuf> {
    find::find(&[from_here(folder)], &[], Languages::default()).unwrap()
}

/// Returns true if an example is a program by itself: those in `lib` are included by others, those in `data` read a data file.
fn is_complete(example: &Path) -> bool {
    let folder = example.parent().unwrap();
    !folder.ends_with("lib") && !folder.ends_with("data")
}

/// A test of a file. It fails with a report, or by a panic.
fn trial(subject: &str, path: &Path, check: impl FnOnce(&Path) -> Result<(), Failed> + Send + 'static) -> Trial {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = path.strip_prefix(here).unwrap_or(path).display();
    let path = path.to_path_buf();
    Trial::test(format!("{subject}::{name}"), move || check(&path))
}

/// Runs cases as users do, with full optimisation.
fn run_optimised(engine: Engine, cases: Vec<check::Trial>) -> Result<(), Failed> {
    let settings = Settings { optimisation: Some(Optimisation::Full), ..Settings::default() };
    let results = check::Trial::check_all(engine, cases, &settings);
    let reports: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if reports.is_empty() { Ok(()) } else { Err(format!("\n{}", reports.concat()).into()) }
}

/// Returns true if a file has one of some extensions.
fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|own| extension == *own))
}
