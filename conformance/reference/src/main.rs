//! Makes the expectations of cases and of the programs in Markdown texts exact, with functions from 96 digits:
//!
//!     cargo run --release -p vlad-reference -- conformance/corpus docs/report/*.md
//!
//! What differs from its expectation is printed and stays as it is; then the exit code is 1.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};
use vlad_conformance::matrix::find;
use vlad_reference::exact::{self, Rewritten};
use vlad_shared::frontend::languages::Languages;

fn main() -> Result<ExitCode, String> {
    let mut differences = 0;
    for path in env::args_os().skip(1).map(PathBuf::from) {
        let is_markdown = path.extension().is_some_and(|extension| extension == "md");
        let files = if is_markdown {
            vec![path]
        } else {
            find::find(&[path], &[], Languages::default()).map_err(|missing| format!("{missing:?}"))?
        };
        for file in files {
            differences += make_exact(&file, is_markdown)?;
        }
    }
    println!("{} different values of functions were computed", vlad_reference::evaluations());
    Ok(if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Rewrites a file, and returns the number of differences.
fn make_exact(path: &Path, is_markdown: bool) -> Result<usize, String> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    // A text that is no UTF-8 expects an error.
    let Ok(text) = String::from_utf8(bytes) else { return Ok(0) };
    let rewritten = if is_markdown { exact::of_markdown(&name, &text) } else { exact::of_file(path) };
    let Rewritten { text: own, differences } = rewritten.map_err(|message| format!("{name}: {message}"))?;
    differences.iter().for_each(|difference| println!("{difference}"));
    if own != text {
        fs::write(path, own).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(differences.len())
}
