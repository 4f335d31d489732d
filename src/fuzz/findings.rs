//! The files of findings, in the folder that the user names.

use super::arguments::FuzzArguments;
use std::path::PathBuf;
use vlad_conformance::random::tally::Finding;
use vlad_files::output;

/// Returns the path of the file of a finding, if there is a folder for findings.
pub fn file(arguments: &FuzzArguments, finding: &Finding) -> Option<PathBuf> {
    let name = format!("seed-{}-case-{}.vlad", arguments.seed, finding.number);
    arguments.output.as_ref().map(|folder| folder.join(name))
}

/// Writes a finding to its file, if there is a folder for findings.
///
/// # Errors
/// The file cannot be written.
pub fn keep(arguments: &FuzzArguments, finding: &Finding) -> Result<(), String> {
    match file(arguments, finding) {
        Some(path) => output::write(&path, &finding.text)
            .map_err(|error| format!("a finding cannot be written to {}: {error}", path.display())),
        None => Ok(()),
    }
}
