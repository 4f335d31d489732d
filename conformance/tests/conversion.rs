//! The invariants of CPS conversion, and of the code that two engines make of its blocks, on every program of the
//! corpus.
//!
//! The process is its own: what the checks of deep programs take, gigabytes, would count for the limits of memory of runs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "allocator/mod.rs"]
mod allocator;
#[path = "listed/mod.rs"]
mod listed;

use libtest_mimic::{Failed, Trial};
use listed::has_extension;
use std::path::Path;
use std::process::ExitCode;
use vlad_shared::ad::traps::Traps;
use vlad_shared::cps;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::snapshot::layout;

fn main() -> ExitCode {
    listed::run(listed::programs("corpus").iter().filter_map(|path| trial(path)).collect())
}

/// The test of a file in VLAD or Farfel.
fn trial(path: &Path) -> Option<Trial> {
    has_extension(path, &["vlad", "f"]).then(|| listed::trial("conversion", path, keeps_its_invariants))
}

fn keeps_its_invariants(path: &Path) -> Result<(), Failed> {
    // A text that is no program has nothing to be converted.
    let Ok(program) = load(Input::Path(path.to_path_buf()), &Options::default()) else { return Ok(()) };
    let converted = cps::pipeline(&program);
    cps::check::check(&program, &converted)?;
    layout::check::check(&program, &converted)?;
    let lowered = vlad_hybrid::lowering::lower(&program, &converted, Traps::Off);
    vlad_hybrid::check::check(&lowered)?;
    vlad_compiler::tagged::check(&program, &converted)?;
    Ok(())
}
