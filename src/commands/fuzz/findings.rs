//! The files of findings, in the folder that the user names.

use std::path::{Path, PathBuf};
use vlad_conformance::random::campaign::tally::Finding;
use vlad_files::output;

/// Returns the path of the file of a finding, if there is a folder for findings.
pub fn file(folder: Option<&Path>, seed: u64, finding: &Finding) -> Option<PathBuf> {
    let name = format!("seed-{seed}-case-{}.vlad", finding.number);
    folder.map(|folder| folder.join(name))
}

/// Writes a finding to its file, if there is a folder for findings.
///
/// # Errors
/// The file cannot be written.
pub fn keep(folder: Option<&Path>, seed: u64, finding: &Finding) -> Result<(), String> {
    match file(folder, seed, finding) {
        Some(path) => output::write(&path, &finding.text)
            .map_err(|error| format!("a finding cannot be written to {}: {error}", path.display())),
        None => Ok(()),
    }
}
