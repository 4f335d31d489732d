//! Every case of the corpus on every engine; `VLAD_BLESS=1` rewrites expected output (see corpus/README.md, also
//! for `VLAD_OPTIMISED_CORPUS`).
//!
//! The C compiler takes as long to start as to compile a small program, so the native engine gets several at a time.

use libtest_mimic::Failed;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};
use std::{env, fs, thread};
use vlad_compiler::toolchain::Optimisation;
use vlad_conformance::corpus::check::{self, Trial};
use vlad_conformance::corpus::{bless, case, errors};
use vlad_conformance::fast_build::fast_build_settings;
use vlad_engines::{Engine, Settings};

/// The number of cases in a batch: a few, so that a single test, or a case that was edited, waits for few others.
const BATCH: usize = 8;

/// The length in bytes of a file that is compiled alone, with the effort that its size permits.
const LONG: u64 = 8 << 10;

/// The tests of a file: one for each engine, by its name.
pub fn trials(path: &Path) -> impl Iterator<Item = libtest_mimic::Trial> {
    Engine::ALL.into_iter().map(|engine| crate::listed::trial(engine.name(), path, move |path| agrees(path, engine)))
}

fn agrees(path: &Path, engine: Engine) -> Result<(), Failed> {
    if bless::is_wanted() && engine == Engine::ALL[0] {
        rewrite(path);
    }
    // Expectations that other tests are about to rewrite are read as late as possible.
    let is_batched = engine == Engine::Native && !bless::is_wanted();
    let in_batch = if is_batched { result_in_batch(path) } else { None };
    let result = in_batch.unwrap_or_else(|| Trial::of_file(path)?.check(engine));
    result.map_err(|report| format!("\n{report}").into())
}

/// Cases that the native engine gets together, and their results, which the first test of one of them makes.
#[derive(Default)]
struct Batch {
    is_optimised: bool,
    paths: Vec<PathBuf>,
    results: OnceLock<HashMap<PathBuf, Result<(), String>>>,
}

impl Batch {
    /// Runs all cases. None has a result if one of them breaks the engine: then each test runs its own.
    fn run(&self) -> HashMap<PathBuf, Result<(), String>> {
        let full = || Settings { optimisation: Some(Optimisation::Full), ..Settings::default() };
        let settings = if self.is_optimised { full() } else { fast_build_settings() };
        let of_file = |path: &PathBuf| Some((path.clone(), Trial::of_file(path).ok()?));
        let (paths, trials): (Vec<_>, Vec<_>) = self.paths.iter().filter_map(of_file).unzip();
        let results =
            catch_unwind(AssertUnwindSafe(|| Trial::check_all(Engine::Native, trials, &settings))).unwrap_or_default();
        paths.into_iter().zip(results).collect()
    }
}

/// Returns the result of a case on the native engine; none if it has to run alone.
fn result_in_batch(path: &Path) -> Option<Result<(), String>> {
    static BATCHES: LazyLock<Vec<Batch>> = LazyLock::new(batches);
    if fs::metadata(path).unwrap().len() >= LONG {
        return None;
    }
    let batch = BATCHES.iter().find(|batch| batch.paths.iter().any(|other| other == path));
    let batch = batch.unwrap_or_else(|| panic!("{} is in no batch", path.display()));
    batch.results.get_or_init(|| batch.run()).get(path).cloned()
}

/// Distributes the cases. Neighbours go to different batches, so that each thread, wherever it is among the tests,
/// compiles one of its own. Every sixteenth one is compiled with full optimisation, which takes most of the time, and each of
/// them where the environment has `VLAD_OPTIMISED_CORPUS`.
fn batches() -> Vec<Batch> {
    let short: Vec<PathBuf> =
        crate::listed::programs("corpus").into_iter().filter(|path| fs::metadata(path).unwrap().len() < LONG).collect();
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut batches = Vec::new();
    let all_optimised = env::var_os("VLAD_OPTIMISED_CORPUS").is_some();
    for (number, paths) in short.chunks(threads * BATCH).enumerate() {
        let is_optimised = all_optimised || number % 16 == 0;
        for place in 0..threads {
            let paths = paths.iter().skip(place).step_by(threads).cloned().collect();
            batches.push(Batch { is_optimised, paths, ..Batch::default() });
        }
    }
    batches
}

/// Blesses the output of the first engine, which is the specification.
fn rewrite(path: &Path) {
    // The text of a file that is not UTF-8 lacks some of its bytes, so it cannot be written back.
    let Ok(text) = fs::read_to_string(path) else { return };
    let case = case::parse(&text, check::language_of(path).comment())
        .unwrap_or_else(|message| panic!("{}: {message}", path.display()));
    let observation = check::observe_file(Engine::ALL[0], path, &case);
    let name = path.display().to_string();
    let reworded = errors::reworded(&case, &observation, &name);
    let blessed = bless::blessed(&text, &case, &observation.output, &reworded);
    if blessed != text {
        fs::write(path, blessed).unwrap();
    }
}
