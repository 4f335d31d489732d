//! Programs without blocks of differentiation print the same numbers as those that an ordinary compiler of Fortran makes of
//! them. Without gfortran there is nothing to compare with, and the test says so.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::path::Path;
use std::process::{Command, Stdio};
use vlad_farfel_oracle::evaluate::{Behaviour, Ending, LIMITS, Printed, evaluate};
use vlad_farfel_oracle::generate::{Options, program};
use vlad_farfel_oracle::print::ordinary_text;
use vlad_farfel_oracle::tree::Program;

/// The seeds; `VLAD_ORDINARY_PROGRAMS` gives another number of them.
fn count() -> u64 {
    std::env::var("VLAD_ORDINARY_PROGRAMS").map_or(40, |count| count.parse().unwrap())
}

#[test]
fn an_ordinary_compiler_agrees() {
    if Command::new("gfortran").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        println!("there is no gfortran: nothing is compared");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for seed in 0..count() {
        let tree = program(seed, Options::ORDINARY);
        let behaviour = evaluate(&tree, LIMITS);
        if behaviour.ending != Ending::Finished || !is_finite(&behaviour) {
            continue;
        }
        let text = ordinary_text(&tree);
        let output = compiled_and_run(&text, &tree, folder.path());
        let expected: Vec<String> = behaviour.lines.iter().flatten().map(Printed::text).collect();
        let expected: Vec<&str> = expected.iter().flat_map(|item| item.split_whitespace()).collect();
        let printed: Vec<&str> = output.split_whitespace().collect();
        let is_same = expected.len() == printed.len()
            && expected.iter().zip(&printed).all(|(expected, printed)| agree(expected, printed));
        assert!(is_same, "seed {seed}\n{text}\nexpected {expected:?}\nprinted {printed:?}");
        compared += 1;
    }
    println!("{compared} programs are compared");
    assert!(compared * 10 > count() * 9);
}

fn is_finite(behaviour: &Behaviour) -> bool {
    behaviour.lines.iter().flatten().all(|item| match item {
        Printed::Real(real) => real.is_finite() && real.abs() < 1e30,
        Printed::Integer(integer) => integer.abs() < 1 << 31,
        Printed::Logical(_) | Printed::Text(_) => true,
    })
}

fn agree(expected: &str, printed: &str) -> bool {
    match (expected.parse::<f64>(), printed.parse::<f64>()) {
        (Ok(expected), Ok(printed)) => (expected - printed).abs() <= 1e-13 * expected.abs().max(1e-3),
        (_, _) => expected == printed,
    }
}

fn compiled_and_run(text: &str, tree: &Program, folder: &Path) -> String {
    let (source, executable) = (folder.join("program.f90"), folder.join("program"));
    std::fs::write(&source, text).unwrap();
    let compiled = Command::new("gfortran")
        // Fortran 77 has no sign of zero: SIGN(A, -0.0) is |A|.
        .args([
            "-std=legacy",
            "-w",
            "-fno-sign-zero",
            "-fdefault-real-8",
            "-fdefault-double-8",
            "-O0",
            "-ffp-contract=off",
            "-o",
        ])
        .args([&executable, &source])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{text}\n{}", String::from_utf8_lossy(&compiled.stderr));
    let input: Vec<String> = tree.input.iter().map(f64::to_string).collect();
    let given = folder.join("input");
    std::fs::write(&given, input.join("\n") + "\n").unwrap();
    let output = Command::new(&executable).stdin(std::fs::File::open(given).unwrap()).output().unwrap();
    // Each READ begins with a new record, and goes on to the next ones.
    String::from_utf8(output.stdout).unwrap()
}
