//! A copy of the sources that builds with all the mutants in it: those that the compiler rejects are removed again.

use crate::list::Mutant;
use crate::place::{self, FileMutants};
use crate::{Fallible, rules, table};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The module that each crate with mutants gets.
const MODULE: &str = "//! The mutant that this process is.
/// Returns true for the mutant of that number.
#[inline]
pub fn is(number: u32) -> bool {
    static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let chosen = || std::env::var(\"VLAD_MUTANT\").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    *CHOSEN.get_or_init(chosen) == number
}
";

/// Copies the sources and inserts mutants; returns those that the copy contains.
pub fn place(mut mutants: Vec<Mutant>, sources: &Path, copy: &Path) -> Fallible<Vec<Mutant>> {
    copy_sources(sources, copy)?;
    let files = mutants.iter().map(|mutant| mutant.file.as_str()).chain([table::ROWS]);
    let crates: BTreeSet<String> = files.map(crate_of).collect();
    for folder in &crates {
        fs::write(copy.join(folder).join("src/mutants.rs"), MODULE)?;
    }
    loop {
        let files = write(&mutants, sources, copy)?;
        crates.iter().try_for_each(|folder| declare_module(&copy.join(folder).join("src/lib.rs")))?;
        let there: BTreeSet<usize> =
            files.values().flat_map(|placed| placed.regions.iter().map(|(mutant, _)| *mutant)).collect();
        mutants.retain(|mutant| there.contains(&mutant.number));
        let refused = refused(&files, copy)?;
        println!("{} mutants in the copy, {} of them refused", mutants.len(), refused.len());
        if refused.is_empty() {
            let rows = table::rows(copy)?;
            mutants.extend(rules::place(&rows, table::changed(&rows)?, copy)?);
            fs::write(copy.join("mutants.tsv"), listed(&mutants))?;
            return Ok(mutants);
        }
        // All files are restored before the next round, which does not write files whose mutants are all rejected.
        for file in mutants.iter().map(|mutant| &mutant.file) {
            fs::copy(sources.join(file), copy.join(file))?;
        }
        mutants.retain(|mutant| !refused.contains(&mutant.number));
    }
}

/// Adds the module to the root of a crate, which may have been rewritten with mutants of its own.
fn declare_module(root: &Path) -> Fallible<()> {
    const DECLARATION: &str = "\npub mod mutants;\n";
    let text = fs::read_to_string(root)?;
    if !text.ends_with(DECLARATION) {
        fs::write(root, text + DECLARATION)?;
    }
    Ok(())
}

/// The folder of a file's crate.
fn crate_of(file: &str) -> String {
    file.split_once("/src/").map_or("", |(folder, _)| folder).to_owned()
}

/// The lines for mutants: number, file, genre, description.
fn listed(mutants: &[Mutant]) -> String {
    let line = |mutant: &Mutant| format!("{}\t{}\t{}\t{}\n", mutant.number, mutant.file, mutant.genre, mutant.name);
    mutants.iter().map(line).collect()
}

/// Copies the files that git tracks.
fn copy_sources(sources: &Path, copy: &Path) -> Fallible<()> {
    let listed = Command::new("git").arg("-C").arg(sources).args(["ls-files", "-z"]).output()?;
    if !listed.status.success() {
        return Err("git does not list the sources".into());
    }
    for file in String::from_utf8(listed.stdout)?.split('\0').filter(|file| !file.is_empty()) {
        let target = copy.join(file);
        fs::create_dir_all(target.parent().ok_or("a file stands in a folder")?)?;
        fs::copy(sources.join(file), target)?;
    }
    Ok(())
}

/// Writes the files that have mutants.
fn write(mutants: &[Mutant], sources: &Path, copy: &Path) -> Fallible<BTreeMap<String, FileMutants>> {
    let mut by_file: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants {
        by_file.entry(mutant.file.clone()).or_default().push(mutant.clone());
    }
    let mut files = BTreeMap::new();
    for (file, mutants) in by_file {
        let placed = place::place(&fs::read_to_string(sources.join(&file))?, &mutants)?;
        fs::write(copy.join(&file), &placed.text)?;
        files.insert(file, placed);
    }
    Ok(files)
}

/// The mutants in whose text the compiler reports an error.
fn refused(files: &BTreeMap<String, FileMutants>, copy: &Path) -> Fallible<BTreeSet<usize>> {
    let checked = Command::new("cargo")
        .args(["check", "--workspace", "--lib", "--keep-going", "--message-format=json"])
        .current_dir(copy)
        .output()?;
    if checked.status.success() {
        return Ok(BTreeSet::new());
    }
    let mut refused = BTreeSet::new();
    let mut elsewhere = Vec::new();
    for line in String::from_utf8(checked.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let found = guilty(message, files);
        if found.is_empty() {
            elsewhere.push(message["rendered"].as_str().unwrap_or_default().to_owned());
        }
        refused.extend(found);
    }
    if refused.is_empty() {
        let stderr = String::from_utf8_lossy(&checked.stderr);
        return Err(format!("the copy does not build:\n{}\n{stderr}", elsewhere.join("\n")).into());
    }
    Ok(refused)
}

/// The mutants of an error: those whose text overlaps one of its places.
fn guilty(message: &Value, files: &BTreeMap<String, FileMutants>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for span in message["spans"].as_array().into_iter().flatten() {
        let Some(placed) = span["file_name"].as_str().and_then(|file| files.get(file)) else { continue };
        let bytes = ["byte_start", "byte_end"].map(|key| span[key].as_u64().and_then(|at| usize::try_from(at).ok()));
        let [Some(start), Some(end)] = bytes else { continue };
        let overlapping = placed.regions.iter().filter(|(_, region)| region.start < end && start < region.end);
        found.extend(overlapping.map(|(mutant, _)| *mutant));
    }
    found
}
