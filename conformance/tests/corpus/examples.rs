//! Every example loads. The results of the examples are checked by the cases in corpus/examples, which include them; those
//! in F-smooth are cases themselves, and are run here.

use rstest::rstest;
use std::path::PathBuf;
use vlad_compiler::toolchain::Optimisation;
use vlad_conformance::corpus::check::Trial;
use vlad_engines::{Engine, Settings};
use vlad_shared::core::render::{Style, render};
use vlad_shared::frontend::load::{Input, Options, load};

#[rstest]
fn example(
    #[files("../examples/*.vlad")]
    #[files("../examples/farfel/*.f")]
    #[files("../examples/fsmooth/*.fs")]
    path: PathBuf,
) {
    if let Err(failure) = load(Input::Path(path), &Options::default()) {
        panic!("\n{}", render(&failure.diagnostics, &failure.sources, Style::Plain));
    }
}

#[rstest]
fn example_has_a_case(
    #[files("../examples/*.vlad")]
    #[files("../examples/farfel/*.f")]
    path: PathBuf,
) {
    let name = path.file_name().unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/examples");
    let is_farfel = path.extension().is_some_and(|extension| extension == "f");
    let within = if is_farfel { "examples/farfel" } else { "examples" };
    let included = format!("{within}/{}\"", name.to_str().unwrap());
    let cases = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let texts: Vec<String> = cases.filter_map(|case| std::fs::read_to_string(case).ok()).collect();
    assert!(texts.iter().any(|text| text.contains(&included)), "no case of corpus/examples includes {name:?}");
}

#[rstest]
fn example_in_fsmooth_does_what_it_says(
    #[files("../examples/fsmooth/*.fs")] path: PathBuf,
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
) {
    let settings = Settings { optimisation: Some(Optimisation::Full), ..Settings::default() };
    let trial = Trial::of_file(&path).unwrap_or_else(|message| panic!("{message}"));
    let results = Trial::check_all(engine, vec![trial], &settings);
    let reports: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(reports.is_empty(), "\n{}", reports.concat());
}

// An engine that is not listed above would not be tested.
const _: () = assert!(Engine::ALL.len() == 3, "the test names every engine");
