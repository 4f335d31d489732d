//! Every case of the corpus on every engine; `VLAD_BLESS=1` rewrites expected output (see corpus/README.md).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use rstest::rstest;
use std::path::PathBuf;
use vlad_conformance::{bless, case, check};
use vlad_engines::Engine;
use vlad_shared::frontend::language::Language;
use vlad_shared::frontend::vlad::Vlad;

#[rstest]
fn agrees(
    #[files("corpus/**/*.vlad")]
    #[exclude("/parts/")]
    path: PathBuf,
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
) {
    if bless::is_wanted() && engine == Engine::ALL[0] {
        rewrite(&path);
    }
    if let Err(report) = check::check_file(engine, &path) {
        panic!("\n{report}");
    }
}

// An engine that is not listed above would not be tested.
const _: () = assert!(Engine::ALL.len() == 3, "`agrees` names every engine");

/// Blesses the output of the first engine, which is the specification.
fn rewrite(path: &PathBuf) {
    // The text of a file that is not UTF-8 lacks some of its bytes, so it cannot be written back.
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let case = case::parse(&text, Vlad.comment()).unwrap_or_else(|message| panic!("{}: {message}", path.display()));
    let observation = check::observe_file(Engine::ALL[0], path, &case);
    let blessed = bless::blessed(&text, &case, &observation.output);
    if blessed != text {
        std::fs::write(path, blessed).unwrap();
    }
}
