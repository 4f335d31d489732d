//! Programs of the corpus with each function computed from 96 digits meet their expectations, which are exact.
#![allow(clippy::unwrap_used)] // tests may

use std::path::PathBuf;
use vlad_conformance::corpus::check::Trial;
use vlad_conformance::matrix::find;
use vlad_engines::{Engine, Settings};
use vlad_reference::evaluations;
use vlad_shared::frontend::languages::Languages;

/// One program of so many is run in ordinary tests; `VLAD_WHOLE_CORPUS=1` runs all.
const ONE_OF: usize = 5;

#[test]
fn expectations_are_those_of_96_digits() {
    if cfg!(not(target_os = "linux")) {
        println!("NOT CHECKED: the linker of this system replaces no functions");
        return;
    }
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let mut files = find::find(&[corpus], &[], Languages::default()).unwrap_or_default();
    assert!(files.len() > 1000, "the corpus is there");
    if std::env::var_os("VLAD_WHOLE_CORPUS").is_none() {
        files = files.into_iter().step_by(ONE_OF).collect();
    }
    let trials = files.iter().map(|file| Trial::of_file(file).unwrap()).collect();
    let results = Trial::check_all(Engine::Interp, trials, &Settings::default());
    let wrong: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.concat());
    assert!(evaluations() > 1000, "the functions are replaced");
}
