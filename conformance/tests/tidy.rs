//! House rules that a test can check: module docs, the cap on file length, words that must not stay, and which crate may
//! depend on which, and on which parts of it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a source file.
const MOST_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The files of the workspace with one of some extensions; not what is built or hidden.
fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![root()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if extension.is_some_and(|extension| extensions.contains(&extension.as_str())) {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty());
    found
}

/// Fails with the files that break a rule.
fn check(extensions: &[&str], rule: &str, broken: impl Fn(&str) -> bool) {
    let root = root();
    let guilty: Vec<String> = files(extensions)
        .into_iter()
        .filter(|path| broken(&String::from_utf8_lossy(&fs::read(path).unwrap())))
        .map(|path| path.strip_prefix(&root).unwrap().display().to_string())
        .collect();
    assert!(guilty.is_empty(), "{rule}: {guilty:#?}");
}

#[test]
fn every_file_says_what_it_is() {
    check(&["rs"], "a file opens with `//!`", |text| !text.starts_with("//!"));
}

#[test]
fn no_file_is_long() {
    check(&["rs", "c", "h", "lalrpop"], "a file has at most 500 lines", |text| text.lines().count() > MOST_LINES);
}

#[test]
fn nothing_is_left_for_later() {
    // Cut in two, so that this file does not hold the words itself.
    let words = [["to", "do!("], ["unimple", "mented!("], ["db", "g!("], ["FIX", "ME"], ["TO", "DO"], ["XX", "X"]];
    let words = words.map(|halves| halves.concat());
    check(&["rs", "c", "h", "lalrpop", "vlad", "toml"], "a word that must not stay", |text| {
        words.iter().any(|word| text.contains(word))
    });
}

/// The crates of the project that a crate depends on, by the text of its manifest; not for tests alone.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let mut found = Vec::new();
    let mut counts = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            counts = matches!(line, "[dependencies]" | "[build-dependencies]");
        } else if counts && line.starts_with("vlad-") {
            found.push(line.split(['.', ' ', '=']).next().unwrap().to_owned());
        }
    }
    found
}

#[test]
fn the_shared_crate_knows_no_engine() {
    for base in ["shared", "files"] {
        assert_eq!(dependencies(base), [""; 0], "{base}");
    }
}

#[test]
fn no_engine_knows_another() {
    for engine in ["interp", "hybrid", "compiler"] {
        assert!(
            dependencies(engine).iter().all(|name| ["vlad-shared", "vlad-files"].contains(&name.as_str())),
            "{engine}"
        );
    }
}

/// The modules of the shared crate that a text names, as `vlad_shared::load` or in braces behind `vlad_shared::`.
fn shared_modules(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, prefix) in text.match_indices("vlad_shared::") {
        let mut word = String::new();
        let mut depth = 0;
        // Within braces only the first word of each path is a module of the crate.
        let mut first = true;
        for character in text[start + prefix.len()..].chars().chain([';']) {
            match character {
                '_' | 'a'..='z' | 'A'..='Z' | '0'..='9' => word.push(character),
                _ => {
                    if first && depth <= 1 && !word.is_empty() {
                        found.push(word.clone());
                        first = false;
                    }
                    word.clear();
                    match character {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        ',' if depth == 1 => first = true,
                        _ => {}
                    }
                    if depth <= 0 && (character == '}' || !character.is_whitespace()) {
                        break;
                    }
                }
            }
        }
    }
    found
}

#[test]
fn no_engine_knows_the_front_end() {
    let text = "use vlad_shared::{core::{load, Program}, syntax::names, value};\nvlad_shared::print::write_value(x);";
    assert_eq!(shared_modules(text), ["core", "syntax", "value", "print"]);
    let front_end = ["load", "syntax", "expand", "resolve"];
    let engines = ["interp", "hybrid", "compiler"].map(|engine| root().join(engine).join("src"));
    // Unit tests in files of their own are no part of an engine.
    let is_of_engine =
        |path: &PathBuf| engines.iter().any(|engine| path.starts_with(engine)) && !path.ends_with("tests.rs");
    for path in files(&["rs"]).into_iter().filter(is_of_engine) {
        let modules = shared_modules(&fs::read_to_string(&path).unwrap());
        let forbidden = modules.iter().find(|module| front_end.contains(&module.as_str()));
        assert_eq!(forbidden, None, "{}", path.display());
    }
}
