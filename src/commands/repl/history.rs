//! The history of inputs in a file: one input on each line, with line ends and backslashes as escapes.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use vlad_files::output;

/// The variable that names the file; if it is empty, no history is kept.
const VARIABLE: &str = "VLAD_HISTORY";

/// Returns the user's file: `VLAD_HISTORY`, or `vlad/history` in `XDG_STATE_HOME`, or in `.local/state` at home.
pub fn file() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return (!named.is_empty()).then(|| PathBuf::from(named));
    }
    let base = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = base("XDG_STATE_HOME").or_else(|| Some(base("HOME")?.join(".local/state")))?;
    Some(state.join("vlad/history"))
}

/// Reads the inputs in a file; none if it cannot be read.
pub fn read(file: &Path) -> Vec<String> {
    let text = fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().map(unescaped).collect()
}

/// Writes inputs to a file, which is the old one or the new one at any time.
///
/// # Errors
/// The file or its folder cannot be written.
pub fn write(file: &Path, inputs: impl Iterator<Item = String>) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let lines: String = inputs.map(|input| escaped(&input) + "\n").collect();
    output::write(file, lines.as_bytes())
}

fn escaped(input: &str) -> String {
    input.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(line: &str) -> String {
    let mut input = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => input.push('\n'),
                Some('r') => input.push('\r'),
                Some(other) => input.push(other),
                None => {}
            },
            other => input.push(other),
        }
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_several_lines_come_back() {
        for input in ["", "(+ 1 2)", "(f\n  1)", "a\\nb", "\\", "\r\n\\\\n"] {
            assert_eq!(unescaped(&escaped(input)), input);
            assert!(!escaped(input).contains('\n'));
        }
        assert_eq!(unescaped("a\\"), "a");
    }
}
