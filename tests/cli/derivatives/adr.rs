//! `--adr`: the operator of reverse mode that blocks of Farfel stand for, which capsules and executables keep.

use crate::{answer, answer_to, folder};
use rstest::rstest;
use serde_json::Value;
use std::path::Path;

/// Prints before, inside and behind a block whose loop is long enough to be divided, and one whose opens need its results.
const PROGRAM: &str = "
      READ *, X
      PRINT *, 'begin'
      ADR (Y)
        Y = X
        DO 10 I = 1, 3000
   10   Y = SIN(1.1*Y) + X
        PRINT *, 'inside', Y
      END ADR (D = COTANGENT(X))
      PRINT *, D
      ADR (COTANGENT(Z) = 2*Z)
        Z = X**3
      END ADR (E = COTANGENT(X))
      PRINT *, E
      END
";

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// Returns the number of rows that a profile has for an operator.
fn rows_of(program: &str, options: &[&str], operator: &str) -> usize {
    let told =
        answer_to(&[&["profile", "--json", "--engine", "interp", program], options].concat(), b"0.5").succeeded();
    let told: Value = serde_json::from_str(&told).unwrap();
    let rows = told["profile"]["rows"].as_array().unwrap();
    rows.iter().filter(|row| row["operator"] == operator).count()
}

#[rstest]
#[case("interp", "native")]
#[case("hybrid", "interp")]
#[case("native", "hybrid")]
fn a_resumed_run_has_the_operator_that_it_began_with(#[case] first: &str, #[case] second: &str) {
    let folder = folder(&format!("adr_{first}_{second}"), &[("main.f", PROGRAM)]);
    let (program, capsule) = (path(&folder, "main.f"), path(&folder, "a.capsule"));
    let recorded = answer_to(&["--engine", second, "--bits", &program], b"0.5").succeeded();
    let whole = answer_to(&["--engine", second, "--bits", "--stats", "--adr", "checkpoint", &program], b"0.5");
    assert_eq!(whole.output, recorded);
    let steps = |errors: &str| errors.lines().find(|line| line.starts_with("steps: ")).map(str::to_owned);
    for after in ["0", "10", "66055", "66100"] {
        let suspended = answer_to(
            &[
                "suspend",
                &program,
                "--adr",
                "checkpoint",
                "--bits",
                "--engine",
                first,
                "--after",
                after,
                "-o",
                &capsule,
            ],
            b"0.5",
        );
        assert_eq!(suspended.code, Some(0), "{}", suspended.errors);
        let resumed = answer_to(&["resume", &capsule, "--bits", "--stats", "--engine", second], b"0.5");
        assert_eq!(resumed.code, Some(0), "{}", resumed.errors);
        assert_eq!(suspended.output + &resumed.output, whole.output, "after {after}");
        assert_eq!(steps(&resumed.errors), steps(&whole.errors));
    }
    let kept = std::fs::read(&capsule).unwrap();
    let name = b"farfel-checkpoint";
    assert!(kept.windows(name.len()).any(|window| window == name), "the capsule names the variant");
}

#[test]
fn the_operator_is_the_one_that_was_chosen() {
    let folder = folder("adr_operator", &[("main.f", PROGRAM)]);
    let program = path(&folder, "main.f");
    for (options, rows) in [(&["--adr", "checkpoint"][..], 1), (&["--adr", "record"], 0), (&[], 0)] {
        assert_eq!(rows_of(&program, options, "checkpoint-*j"), rows, "{options:?}");
    }
}

#[test]
fn an_executable_keeps_the_operator() {
    let folder = folder("adr_build", &[("main.f", PROGRAM)]);
    let (program, executable) = (path(&folder, "main.f"), path(&folder, "main"));
    answer(&["build", &program, "--adr", "checkpoint", "-o", &executable]).succeeded();
    let whole = answer_to(&["--adr", "checkpoint", &program], b"0.5").succeeded();
    let mut child = std::process::Command::new(&executable);
    child.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = child.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"0.5").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), whole);
    let bytes = std::fs::read(&executable).unwrap();
    let name = b"farfel-checkpoint";
    assert!(bytes.windows(name.len()).any(|window| window == name), "the executable names the variant");
}

#[test]
fn the_corpus_is_the_same_by_checkpointing() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/corpus/farfel/differentiation");
    let engines = ["--engine", "interp", "--engine", "hybrid"];
    answer(&[&["conform", "--adr", "checkpoint"], &engines[..], &[corpus.to_str().unwrap()]].concat()).succeeded();
}

#[test]
fn another_word_is_refused() {
    let refused = answer(&["--adr", "tape", "-e", "1"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.errors.contains("record, checkpoint"), "{}", refused.errors);
}
