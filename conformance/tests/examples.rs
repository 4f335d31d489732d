//! Every example loads. The results of the examples are checked by the cases in corpus/examples, which include them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use rstest::rstest;
use std::path::PathBuf;
use vlad_shared::core::render::{Style, render};
use vlad_shared::frontend::load::{Input, Options, load};

#[rstest]
fn example(
    #[files("../examples/*.vlad")]
    #[files("../examples/farfel/*.f")]
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
