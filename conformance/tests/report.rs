//! Tests the programs in the language report: each block fenced as `vlad` is a case of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::path::{Path, PathBuf};
use vlad_conformance::blocks::{Role, blocks};
use vlad_conformance::check;
use vlad_engines::Engine;

/// The texts of the report, in order of their names.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn programs_in_the_report_do_what_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/report");
    let mut run = 0;
    let mut reports = Vec::new();
    for path in texts(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let found = blocks(&std::fs::read_to_string(&path).unwrap());
        for block in found.unwrap_or_else(|message| panic!("{name}: {message}")) {
            match block.role {
                Role::Shown => {}
                Role::Run => {
                    run += 1;
                    let name = format!("{name}, block at line {}", block.line);
                    let on = |engine| check::check_text(engine, &name, &block.text).err();
                    reports.extend(Engine::ALL.into_iter().filter_map(on));
                }
            }
        }
    }
    assert!(reports.is_empty(), "\n{}", reports.concat());
    assert!(run > 0, "the report has no program that is run");
}
