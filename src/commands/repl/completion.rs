//! Completion of the word before the cursor: commands, names and files.

use super::commands::COMMANDS;
use std::fs;
use std::path::Path;

/// The names that can be completed.
#[derive(Clone, Debug, Default)]
pub struct Completions {
    /// The names with a meaning in the session, in alphabetical order.
    pub names: Vec<String>,
}

impl Completions {
    /// Returns the start of the word at the end of a text, and what it may become.
    pub fn at(&self, before: &str) -> (usize, Vec<String>) {
        if let Some(word) = before.strip_prefix(':')
            && !word.contains(char::is_whitespace)
        {
            let names = COMMANDS.iter().map(|command| command.name);
            return (1, names.filter(|name| name.starts_with(word)).map(str::to_owned).collect());
        }
        if let Some(path) = before.strip_prefix(":load ") {
            let path = path.trim_start();
            return (before.len() - path.len(), files(path));
        }
        if let Some(place) = open_string(before) {
            return (place, files(before.get(place..).unwrap_or_default()));
        }
        let start = before.rfind(ends_name).map_or(0, |at| at + before.get(at..).map_or(1, first_length));
        let word = before.get(start..).unwrap_or_default();
        if word.is_empty() {
            return (start, Vec::new());
        }
        (start, self.names.iter().filter(|name| name.starts_with(word)).cloned().collect())
    }
}

/// Returns true for a character that is in no name.
fn ends_name(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | '[' | ']' | '\'' | '"' | ';' | ',' | '|')
}

fn first_length(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}

/// Returns the place behind the quote of a string that is open at the end of a text, as that of `include` is.
fn open_string(text: &str) -> Option<usize> {
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    let (last, _) = text.get(line..)?.match_indices('"').next_back()?;
    let quotes = text.get(line..)?.matches('"').count();
    (quotes % 2 == 1).then_some(line + last + 1)
}

/// Returns the files and folders whose path begins with a text, in alphabetical order.
fn files(path: &str) -> Vec<String> {
    let (folder, start) = match path.rfind('/') {
        Some(at) => path.split_at(at + 1),
        None => ("", path),
    };
    let place = if folder.is_empty() { Path::new(".") } else { Path::new(folder) };
    let entries = fs::read_dir(place).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_meant = name.starts_with(start) && (!name.starts_with('.') || start.starts_with('.'));
            let end = if entry.path().is_dir() { "/" } else { "" };
            is_meant.then(|| format!("{folder}{name}{end}"))
        })
        .collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(before: &str) -> (usize, Vec<String>) {
        let names = ["abs", "append", "atan"].map(str::to_owned).to_vec();
        Completions { names }.at(before)
    }

    #[test]
    fn words_are_completed_where_they_begin() {
        let (start, found) = at("(+ 1 (a");
        assert_eq!((start, found.len()), (6, 3));
        assert_eq!(at("ap"), (0, vec!["append".to_owned()]));
        assert_eq!(at("(list 'at"), (7, vec!["atan".to_owned()]));
        assert_eq!(at("(abs "), (5, vec![]));
        assert_eq!(at("\u{e9}\u{2028}ab"), (5, vec!["abs".to_owned()]));
        assert_eq!(at(":rel"), (1, vec!["reload".to_owned()]));
        assert_eq!(at(":time (ab"), (7, vec!["abs".to_owned()]));
    }

    #[test]
    fn files_are_completed_in_strings_and_behind_load() {
        let (start, found) = at("(include \"src/commands/rep");
        assert_eq!((start, found), (10, vec!["src/commands/repl/".to_owned()]));
        let (start, found) = at(":load Cargo.t");
        assert_eq!((start, found), (6, vec!["Cargo.toml".to_owned()]));
        assert_eq!(at("(f \"a\" ab"), (7, vec!["abs".to_owned()]));
    }
}
