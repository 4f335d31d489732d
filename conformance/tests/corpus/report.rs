//! Tests the programs in the language report and in the introductions to F-smooth and Farfel: each block fenced with the
//! name of a language is a case of its own.

use rstest::rstest;
use std::path::{Path, PathBuf};
use vlad_compiler::toolchain::Optimisation;
use vlad_conformance::blocks::{Block, Role, blocks};
use vlad_conformance::corpus::check::Trial;
use vlad_engines::{Engine, Settings};

/// The programs of a text that are run.
fn programs(path: &Path) -> Vec<Trial> {
    let name = path.file_name().unwrap().to_string_lossy();
    let found = blocks(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|message| panic!("{name}: {message}"));
    let run = found.into_iter().filter(|block| match block.role {
        Role::Shown => false,
        Role::Run => true,
    });
    let trial =
        |block: Block| Trial::of_text_in(block.language, &format!("{name}, block at line {}", block.line), &block.text);
    run.map(trial).collect::<Result<_, _>>().unwrap_or_else(|message| panic!("{message}"))
}

#[rstest]
fn programs_in_the_report_do_what_it_says(
    #[files("../docs/report/*.md")]
    #[files("../docs/fsmooth/*.md")]
    #[files("../docs/farfel/*.md")]
    path: PathBuf,
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
) {
    let settings = Settings { optimisation: Some(Optimisation::Full), ..Settings::default() };
    let results = Trial::check_all(engine, programs(&path), &settings);
    let reports: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(reports.is_empty(), "\n{}", reports.concat());
}

// An engine that is not listed above would not be tested.
const _: () = assert!(Engine::ALL.len() == 3, "the test names every engine");

#[test]
fn the_report_has_the_text_of_the_prelude() {
    let page = std::fs::read_to_string("../docs/report/22-prelude-text.md").unwrap();
    let prelude = std::fs::read_to_string("../shared/frontend/src/vlad/prelude.vlad").unwrap();
    let texts: Vec<String> = blocks(&page).unwrap().into_iter().map(|block| block.text).collect();
    assert_eq!(texts, [prelude], "the block of part 22 is the prelude, letter by letter");
}

#[rstest]
#[case::report("report", 100)]
#[case::fsmooth("fsmooth", 15)]
#[case::farfel("farfel", 4)]
fn the_texts_have_programs(#[case] folder: &str, #[case] fewer: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(folder);
    let texts = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = texts.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    assert!(texts.map(|path| programs(&path).len()).sum::<usize>() > fewer);
}
