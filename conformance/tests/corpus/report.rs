//! Tests the programs in the language report and in the introductions to F-smooth and Farfel: each block fenced with the
//! name of a language is a case of its own.

use crate::listed::{self, from_here};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use vlad_conformance::blocks::{Block, Role, blocks};
use vlad_conformance::corpus::check;
use vlad_engines::Engine;

/// The folders of texts, and a number of programs that each has more of.
const FOLDERS: [(&str, usize); 3] = [("report", 100), ("fsmooth", 15), ("farfel", 4)];

/// The tests of all texts: each on each engine, and of the texts themselves.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("report::prelude", has_the_text_of_the_prelude)];
    for (folder, fewer) in FOLDERS {
        let texts = texts(folder);
        for (engine, text) in Engine::ALL.into_iter().flat_map(|engine| texts.iter().map(move |text| (engine, text))) {
            let check = move |path: &Path| crate::run_optimised(engine, programs(path)?);
            trials.push(listed::trial(&format!("report::{engine}"), text, check));
        }
        trials.push(Trial::test(format!("report::{folder}"), move || have_programs(&texts, fewer)));
    }
    trials
}

/// The texts in a folder of the documentation.
fn texts(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(from_here("../docs").join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<PathBuf> = entries.filter(|path| listed::has_extension(path, &["md"])).collect();
    texts.sort();
    texts
}

/// The programs of a text that are run.
fn programs(path: &Path) -> Result<Vec<check::Trial>, String> {
    let name = path.file_name().unwrap().to_string_lossy();
    let found = blocks(&fs::read_to_string(path).unwrap()).map_err(|message| format!("{name}: {message}"))?;
    let run = found.into_iter().filter(|block| match block.role {
        Role::Shown => false,
        Role::Run => true,
    });
    let trial = |block: Block| {
        check::Trial::of_text_in(block.language, &format!("{name}, block at line {}", block.line), &block.text)
    };
    run.map(trial).collect()
}

fn has_the_text_of_the_prelude() -> Result<(), Failed> {
    let page = fs::read_to_string(from_here("../docs/report/22-prelude-text.md"))?;
    let prelude = fs::read_to_string(from_here("../shared/frontend/src/vlad/prelude.vlad"))?;
    let texts: Vec<String> = blocks(&page)?.into_iter().map(|block| block.text).collect();
    assert_eq!(texts, [prelude], "the block of part 22 is the prelude, letter by letter");
    Ok(())
}

fn have_programs(texts: &[PathBuf], fewer: usize) -> Result<(), Failed> {
    let mut count = 0;
    for text in texts {
        count += programs(text)?.len();
    }
    assert!(count > fewer, "{count} programs");
    Ok(())
}
