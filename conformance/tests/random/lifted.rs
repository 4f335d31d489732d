//! The lifted form of programs in Farfel: it reads back, nests nothing, passes no procedures, and does the same to the bit.

use std::fs;
use std::path::{Path, PathBuf};
use vlad_conformance::corpus::case;
use vlad_conformance::corpus::check;
use vlad_conformance::farfel::Case;
use vlad_conformance::observe::{Observation, RunConditions, observe};
use vlad_derivatives::numbers::Numbers;
use vlad_engines::Engine;
use vlad_farfel_oracle::generate::Options as Generated;
use vlad_shared::core::render::{Style, render};
use vlad_shared::farfel::Farfel;
use vlad_shared::frontend::load::{Input, Options, lifted};
use vlad_shared::language::Language;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::Notation;

fn input(text: &str) -> Input {
    Input::Text { name: "program.f".to_owned(), bytes: text.as_bytes().to_vec(), folder: None }
}

fn lift(text: &str) -> Result<String, String> {
    let options = Options { language: Some(&Farfel), ..Options::default() };
    lifted(input(text), &options).map_err(|failure| render(&failure.diagnostics, &failure.sources, Style::Plain))
}

fn behaviour(text: &str, numbers: &str) -> Observation {
    let limits = Limits { steps: Some(3_000_000), ..Limits::default() };
    let setting = RunConditions {
        language: Some(&Farfel),
        input: numbers.to_owned(),
        limits,
        notation: Notation::WithBits,
        ..RunConditions::default()
    };
    observe(Engine::Hybrid, input(text), &setting)
}

/// Checks that a text and its lifted form do the same; returns false if it has errors before it runs.
fn check_text(name: &str, text: &str, numbers: &str) -> bool {
    let Ok(lifted) = lift(text) else { return false };
    let (own, other) = (behaviour(text, numbers), behaviour(&lifted, numbers));
    let kinds =
        |observation: &Observation| -> Vec<_> { observation.diagnostics.iter().map(|found| found.kind).collect() };
    assert!(other.steps.is_some(), "{name}: {}\n{lifted}", other.rendered());
    assert_eq!(own.output, other.output, "{name}:\n{}\n{lifted}", other.rendered());
    assert_eq!(kinds(&own), kinds(&other), "{name}: {}\n{lifted}", other.rendered());
    let code = lifted.lines().filter(|line| !line.starts_with('C'));
    let mut open = 0;
    for line in code {
        let line = line.trim();
        let is_head = |line: &str| {
            ["SUBROUTINE ", "PROGRAM "].iter().any(|word| line.starts_with(word)) || line.contains(" FUNCTION ")
        };
        open += usize::from(is_head(line) && !line.contains('\''));
        assert!(open <= 1, "{name}: subprograms nest\n{lifted}");
        if line == "END" {
            open = 0;
        }
        assert!(!line.starts_with("EXTERNAL"), "{name}");
    }
    true
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "f") {
            found.push(path);
        }
    }
}

#[test]
fn programs_of_the_corpus_do_the_same() {
    let mut paths = vec![];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    files(&root.join("corpus/farfel"), &mut paths);
    files(&root.join("../examples/farfel"), &mut paths);
    let mut checked = 0;
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let case = case::parse_any(&text, Farfel.comment()).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if check_text(&name, &text, &check::setting(&case, &root.join("corpus")).input) {
            checked += 1;
        }
    }
    assert!(checked > 140, "{checked}");
}

#[test]
fn random_programs_do_the_same() {
    let mut checked = 0;
    for number in 0..400 {
        let case = Case::of(Numbers::at(11, number), Generated::ALL);
        let numbers: String = case.tree.input.iter().map(|number| format!("{number} ")).collect();
        checked += usize::from(check_text(&format!("program {number}"), &case.text, &numbers));
    }
    assert!(checked > 380, "{checked}");
}

/// The versions that the paper of Farfallen prints: ARGMAX twice, for the two payoffs, and its derivative innermost first.
#[test]
fn the_game_has_the_versions_of_the_paper() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/farfel/listing/printed-flush-two-turns.f");
    let lifted = lift(&fs::read_to_string(path).unwrap()).unwrap();
    for head in ["EQLBRM_F(", "EQLBRM_F_G(", "EQLBRM_F_G_H(", "ARGMAX(", "ARGMAX_1(", "DERIV1(", "DERIV1_1(", "ROOT_2("]
    {
        assert_eq!(lifted.matches(&format!("FUNCTION {head}")).count(), 1, "{head}\n{lifted}");
    }
    // Three of DERIV2 and two of DERIV1, each with a block.
    assert_eq!(lifted.matches("SUBROUTINE DERIV2").count(), 6, "{lifted}");
    assert_eq!(lifted.matches("END ADF").count(), 5, "{lifted}");
}

#[test]
fn procedures_that_recursion_makes_without_end_are_refused() {
    let text = "
      PROGRAM MAIN
      PRINT *, P(SINE, 1.)
      END
      FUNCTION SINE(X)
      SINE = SIN(X)
      END
      FUNCTION P(F, X)
      EXTERNAL F
        FUNCTION G(Y)
          G = F(Y)
        END
      P = 0
      IF (X .LT. 0) P = P(G, X)
      END
";
    let error = lift(text).unwrap_err();
    assert!(error.contains("no end of lifted subprograms"), "{error}");
}
