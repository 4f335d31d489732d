//! Tests of the warnings of `vlad check` on all programs of the project. The examples have none. Those of the corpus
//! are known: each is of a call that is meant to fail, or to show the treatment of a tuple.

use std::fs;
use std::path::{Path, PathBuf};
use vlad_conformance::matrix::find;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::{self, Input, Options};

/// The calls in the corpus with warnings: file and place.
const KNOWN: &str = include_str!("warnings.txt");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// File and place of each warning about those programs of a folder that can be loaded.
fn warned(folder: &str) -> Vec<String> {
    let folder = root().join(folder);
    let mut found = Vec::new();
    for path in find::find(std::slice::from_ref(&folder), &[], Languages::default()).unwrap() {
        let Ok((program, warnings)) = load::check(Input::Path(path.clone()), &Options::default()) else { continue };
        for warning in warnings {
            let span = warning.span.unwrap();
            let file = program.sources.get(span.file).unwrap();
            let name = Path::new(&file.name).strip_prefix(&folder).unwrap().display().to_string();
            let place = file.position(span.start);
            found.push(format!("{name}:{}:{}", place.line, place.column));
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn examples_have_no_warnings() {
    assert_eq!(warned("examples"), [""; 0]);
    assert!(fs::read_dir(root().join("examples")).unwrap().count() > 30);
}

#[test]
fn the_warnings_of_the_corpus_are_known() {
    let found = warned("conformance/corpus");
    let unknown: Vec<&String> = found.iter().filter(|place| !KNOWN.lines().any(|known| known == *place)).collect();
    let gone: Vec<&str> = KNOWN.lines().filter(|known| !found.iter().any(|place| place == known)).collect();
    assert!(unknown.is_empty() && gone.is_empty(), "not in warnings.txt: {unknown:?}; no longer there: {gone:?}");
}
