//! Search of the files to run, from paths and filters.
//!
//! Invariant: the result does not depend on the order in which the system lists folders. A folder means all files below
//! it whose extensions are those of languages. Files in folders called `parts` are included by others and are no
//! programs by themselves, so these folders are skipped, as are hidden folders and links to folders. A path to a file
//! means that file.

use std::path::{Path, PathBuf};
use std::{fs, io};
use vlad_shared::frontend::languages::Languages;

/// The reason why there is nothing to run.
#[derive(Debug)]
pub enum Missing {
    /// A path does not exist, or a folder cannot be read.
    Unreadable(PathBuf, io::Error),
    /// There is no program in a folder.
    Empty(PathBuf),
    /// No path contains any of the words.
    Filtered,
}

/// The name of folders for programs that others include.
const PARTS: &str = "parts";

/// Returns the files that the paths and filters select, each once, the files of a folder in the order of their paths.
///
/// # Errors
/// See [`Missing`].
pub fn find(paths: &[PathBuf], filters: &[String], languages: Languages) -> Result<Vec<PathBuf>, Missing> {
    let mut found = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| Missing::Unreadable(path.clone(), error))?;
        if !metadata.is_dir() {
            found.push(path.clone());
            continue;
        }
        let mut inside = below(path, languages)?;
        if inside.is_empty() {
            return Err(Missing::Empty(path.clone()));
        }
        inside.sort();
        found.append(&mut inside);
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|path| seen.insert(path.clone()));
    found.retain(|path| is_selected(path, filters));
    if found.is_empty() { Err(Missing::Filtered) } else { Ok(found) }
}

/// Returns true if the filters select a path; without filters, each is selected.
pub fn is_selected(path: &Path, filters: &[String]) -> bool {
    filters.is_empty() || filters.iter().any(|filter| passes(filter, &path.to_string_lossy()))
}

fn below(folder: &Path, languages: Languages) -> Result<Vec<PathBuf>, Missing> {
    let mut folders = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let unreadable = |error| Missing::Unreadable(folder.clone(), error);
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let (name, path) = (entry.file_name(), entry.path());
            let hidden = name.as_encoded_bytes().starts_with(b".");
            // `file_type` does not follow links, so there are no cycles.
            let is_folder = entry.file_type().is_ok_and(|sort| sort.is_dir());
            if is_folder && !hidden && name != PARTS {
                folders.push(path);
            } else if !hidden && languages.of_file(&path).is_some() && path.is_file() {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// Returns true if a filter lets a path pass: a word that the path contains, or a pattern that names it.
fn passes(filter: &str, path: &str) -> bool {
    match filter.contains(['*', '?']) {
        true => is_named(filter, path),
        false => path.contains(filter),
    }
}

/// Returns true if a pattern, in which `*` matches any characters and `?` one character, matches a path as a whole or a
/// suffix of it after a `/`.
pub fn is_named(pattern: &str, path: &str) -> bool {
    let behind_slashes = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    std::iter::once(path).chain(behind_slashes).any(|end| matches_pattern(pattern, end))
}

/// Returns true if a pattern matches all of a text. Only the last `*` is retried, so the time is at most proportional
/// to the product of the lengths.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut in_pattern, mut in_text) = (0, 0);
    // The positions to resume at if the rest does not match: in the pattern, and in the text one character further each
    // time.
    let mut retry: Option<(usize, usize)> = None;
    while let Some(character) = text.get(in_text) {
        match pattern.get(in_pattern) {
            Some('*') => {
                in_pattern += 1;
                retry = Some((in_pattern, in_text));
            }
            Some(wanted) if *wanted == '?' || wanted == character => {
                in_pattern += 1;
                in_text += 1;
            }
            Some(_) | None => {
                let Some((after_star, from)) = retry else { return false };
                retry = Some((after_star, from + 1));
                (in_pattern, in_text) = (after_star, from + 1);
            }
        }
    }
    pattern.iter().skip(in_pattern).all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_looked_for_anywhere() {
        assert!(passes("limits", "corpus/limits/a.vlad") && passes("/a.", "corpus/limits/a.vlad"));
        assert!(!passes("limit.", "corpus/limits/a.vlad"));
    }

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, matches) in [
            ("a.vlad", true),
            ("?.vlad", true),
            ("*.vlad", true),
            ("limits/*", true),
            ("*limits*", true),
            ("corpus/*/?.vlad", true),
            ("*a*a*", true),
            ("??.vlad", false),
            ("*.scm", false),
            ("imits/*", false),
            ("*b", false),
        ] {
            assert_eq!(passes(pattern, "corpus/limits/a.vlad"), matches, "{pattern}");
        }
        assert!(!matches_pattern(&"*a".repeat(2000), &"a".repeat(1999)));
    }
}
