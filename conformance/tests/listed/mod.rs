//! Tests that are listed from folders when they begin, and not when they are compiled.

use libtest_mimic::{Arguments, Failed, Trial};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use vlad_conformance::matrix::find;
use vlad_shared::frontend::languages::Languages;

/// Runs tests as the arguments of the process say.
pub fn run(trials: Vec<Trial>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    let threads = || env::var("RUST_TEST_THREADS").ok()?.parse().ok();
    arguments.test_threads = arguments.test_threads.or_else(threads);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The path of a file or folder that is named from the crate's folder.
pub fn from_here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The programs below a folder, without those that others include.
pub fn programs(folder: &str) -> Vec<PathBuf> {
    find::find(&[from_here(folder)], &[], Languages::default()).unwrap()
}

/// A test of a file. It fails with a report, or by a panic.
pub fn trial(subject: &str, path: &Path, check: impl FnOnce(&Path) -> Result<(), Failed> + Send + 'static) -> Trial {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = path.strip_prefix(here).unwrap_or(path).display();
    let path = path.to_path_buf();
    Trial::test(format!("{subject}::{name}"), move || check(&path))
}

/// Returns true if a file has one of some extensions.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|own| extension == *own))
}
