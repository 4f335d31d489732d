//! Every case of the corpus on every engine; `VLAD_BLESS=1` rewrites expected output (see corpus/README.md).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use rstest::rstest;
use std::path::PathBuf;
use vlad_conformance::engine::Engine;
use vlad_conformance::{bless, case, check};

#[rstest]
fn agrees(
    #[files("corpus/**/*.vlad")]
    #[exclude("/parts/")]
    path: PathBuf,
) {
    if bless::is_wanted() {
        rewrite(&path);
    }
    let reports: Vec<String> =
        Engine::ALL.into_iter().filter_map(|engine| check::check_file(engine, &path).err()).collect();
    assert!(reports.is_empty(), "\n{}", reports.concat());
}

/// Blesses the output of the first engine, which is the specification.
fn rewrite(path: &PathBuf) {
    // Bytes that are not UTF-8 would not survive being written back.
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let case = case::parse(&text).unwrap_or_else(|message| panic!("{}: {message}", path.display()));
    let observation = check::observe_file(Engine::ALL[0], path, &case);
    let blessed = bless::blessed(&text, &case, &observation.output);
    if blessed != text {
        std::fs::write(path, blessed).unwrap();
    }
}
