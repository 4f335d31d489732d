//! Compares functions and their derivatives with reals of 96 digits at all magnitudes (`vlad_conformance::sweep`).
//!
//! `cargo run --release -p vlad-conformance --bin sweep [--few] [FILE ...] [NAME ...]` prints a table in Markdown for each file of
//! `conformance/sweep`, or for the files that are given; names of functions restrict it to them. Findings stand below a table; then the
//! exit code is 1.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, thread};
use vlad_conformance::sweep::{self, Density, Found};

fn main() -> io::Result<ExitCode> {
    let words: Vec<String> = env::args().skip(1).collect();
    let density = if words.iter().any(|word| word == "--few") { Density::Few } else { Density::All };
    let mut files: Vec<PathBuf> = words.iter().filter(|word| word.ends_with(".vlad")).map(PathBuf::from).collect();
    let names: Vec<&String> = words.iter().filter(|word| !word.ends_with(".vlad") && *word != "--few").collect();
    if files.is_empty() {
        files = sweep::files()?;
    }
    let mut failures = 0;
    for file in &files {
        failures += table(file, &names, density)?;
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the table of a file, and returns the number of findings.
fn table(file: &Path, names: &[&String], density: Density) -> io::Result<usize> {
    let text = fs::read_to_string(file)?;
    let functions = sweep::functions(&text).map_err(io::Error::other)?;
    let chosen: Vec<_> = functions.iter().filter(|f| names.is_empty() || names.contains(&&f.name)).collect();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut out = io::stdout();
    writeln!(out, "\n## `{name}`\n\n{}", sweep::HEADER)?;
    let mut findings = Vec::new();
    // Two at once, in their order.
    for pair in chosen.chunks(2) {
        let found: Vec<Result<Found, String>> = thread::scope(|scope| {
            let text = &text;
            let run = |function| scope.spawn(move || sweep::sweep(text, function, density));
            let threads: Vec<_> = pair.iter().map(|function| run(*function)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err("a panic".to_owned()))).collect()
        });
        for found in found {
            match found {
                Ok(found) => {
                    writeln!(out, "{}", found.row())?;
                    findings.extend(found.findings);
                }
                Err(message) => findings.push(message),
            }
        }
        out.flush()?;
    }
    if !findings.is_empty() {
        writeln!(out)?;
        findings.iter().try_for_each(|finding| writeln!(out, "- {finding}"))?;
    }
    Ok(findings.len())
}
