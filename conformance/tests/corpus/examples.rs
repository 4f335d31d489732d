//! Every example loads. The results of the examples are checked by the cases in corpus/examples, which include them; those
//! in F-smooth are cases themselves, and are run here.

use crate::listed::{self, has_extension};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use vlad_conformance::corpus::check;
use vlad_engines::Engine;
use vlad_shared::core::render::{Style, render};
use vlad_shared::frontend::load::{Input, Options, load};

/// The examples that are programs by themselves: those in `lib` are included by others, those in `data` read a data file.
pub fn paths() -> Vec<PathBuf> {
    let mut found = listed::programs("../examples");
    found.retain(|path| path.parent().is_some_and(|folder| !folder.ends_with("lib") && !folder.ends_with("data")));
    found
}

/// The tests of an example.
pub fn trials(path: &Path) -> Vec<Trial> {
    let mut trials = vec![listed::trial("examples::load", path, loads)];
    match has_extension(path, &["fs"]) {
        true => trials.extend(Engine::ALL.into_iter().map(|engine| {
            listed::trial(&format!("examples::{engine}"), path, move |path| does_what_it_says(path, engine))
        })),
        false => trials.push(listed::trial("examples::case", path, has_a_case)),
    }
    trials
}

fn loads(path: &Path) -> Result<(), Failed> {
    match load(Input::Path(path.to_path_buf()), &Options::default()) {
        Ok(_) => Ok(()),
        Err(failure) => Err(format!("\n{}", render(&failure.diagnostics, &failure.sources, Style::Plain)).into()),
    }
}

fn has_a_case(path: &Path) -> Result<(), Failed> {
    let name = path.file_name().unwrap();
    let within = if has_extension(path, &["f"]) { "examples/farfel" } else { "examples" };
    let included = format!("{within}/{}\"", name.to_str().unwrap());
    for case in fs::read_dir(listed::from_here("corpus/examples"))? {
        if fs::read_to_string(case?.path()).is_ok_and(|text| text.contains(&included)) {
            return Ok(());
        }
    }
    Err(format!("no case of corpus/examples includes {name:?}").into())
}

fn does_what_it_says(path: &Path, engine: Engine) -> Result<(), Failed> {
    crate::run_optimised(engine, vec![check::Trial::of_file(path)?])
}
