//! Tests of the warnings of `vlad check` on all programs of the project. The examples have none. Those of the corpus
//! are known: each is of a call that is meant to fail, or to show the treatment of a tuple.

use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use vlad_shared::frontend::load::{self, Input, Options};

/// The calls in the corpus with warnings: file and place.
const KNOWN: &str = include_str!("warnings.txt");

/// The tests of both folders.
pub fn trials() -> [Trial; 2] {
    [
        Trial::test("warnings::examples", examples_have_none),
        Trial::test("warnings::corpus", those_of_the_corpus_are_known),
    ]
}

/// File and place of each warning about those programs of a folder that can be loaded.
fn warned(folder: &str) -> Vec<String> {
    let root = crate::listed::from_here(folder);
    let mut found = Vec::new();
    for path in crate::listed::programs(folder) {
        let Ok((program, warnings)) = load::check(Input::Path(path.clone()), &Options::default()) else { continue };
        for warning in warnings {
            let span = warning.span.unwrap();
            let file = program.sources.get(span.file).unwrap();
            let name = Path::new(&file.name).strip_prefix(&root).unwrap().display().to_string();
            let place = file.position(span.start);
            found.push(format!("{name}:{}:{}", place.line, place.column));
        }
    }
    found.sort();
    found.dedup();
    found
}

fn examples_have_none() -> Result<(), Failed> {
    assert_eq!(warned("../examples"), [""; 0]);
    assert!(fs::read_dir(crate::listed::from_here("../examples"))?.count() > 30);
    Ok(())
}

fn those_of_the_corpus_are_known() -> Result<(), Failed> {
    let found = warned("corpus");
    let unknown: Vec<&String> = found.iter().filter(|place| !KNOWN.lines().any(|known| known == *place)).collect();
    let gone: Vec<&str> = KNOWN.lines().filter(|known| !found.iter().any(|place| place == known)).collect();
    assert!(unknown.is_empty() && gone.is_empty(), "not in warnings.txt: {unknown:?}; no longer there: {gone:?}");
    Ok(())
}
