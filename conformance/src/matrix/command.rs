//! The command lines of external implementations: the words that run one on a file, with the limits of a case.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A command, cut into words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CommandLine {
    /// The program, by its path or its name.
    pub(super) program: String,
    /// Its arguments. `{}` in them is replaced by the file, which is appended if no argument contains `{}`.
    arguments: Vec<String>,
}

/// A kind of option by which an implementation is given something of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// The most steps.
    Steps,
    /// The most nested calls.
    Depth,
    /// A folder to look for includes in.
    Folder,
}

/// The words of an option. `{}` in them is replaced by its value, which is appended if no word contains `{}`.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionWords {
    /// The name of the implementation; all of them if none is given.
    pub name: Option<String>,
    /// The thing that it passes on.
    pub kind: OptionKind,
    words: Vec<String>,
}

impl OptionWords {
    /// Parses `WORDS` or `NAME=WORDS`. A name does not begin with a hyphen.
    ///
    /// # Errors
    /// There is no word, or a quote is not closed.
    pub fn parse(kind: OptionKind, text: &str) -> Result<OptionWords, String> {
        let (name, option) = match text.split_once('=') {
            Some((name, option)) if is_name(name) && !name.starts_with('-') => (Some(name.to_owned()), option),
            Some(_) | None => (None, text),
        };
        match words(option)? {
            words if words.is_empty() => Err("there is no option".to_owned()),
            words => Ok(OptionWords { name, kind, words }),
        }
    }

    /// The words for a value.
    pub(super) fn with(&self, value: &OsStr) -> Vec<OsString> {
        with_value(&self.words, value)
    }
}

impl CommandLine {
    /// Parses a command. It is split into words as by a shell - blanks, quotes, backslashes - but no shell is run: no
    /// other character is special.
    ///
    /// # Errors
    /// Returns a message if there is no command or a quote is not closed.
    pub(super) fn parse(text: &str) -> Result<CommandLine, String> {
        let mut words = words(text)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or("there is no command")?;
        Ok(CommandLine { program, arguments: words.collect() })
    }

    /// The stem of the program's file name.
    pub(super) fn stem(&self) -> String {
        let stem = Path::new(&self.program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.unwrap_or_else(|| self.program.clone())
    }

    /// The arguments that run it on a file, with options, which stand before the file.
    pub(super) fn arguments(&self, file: &Path, options: Vec<OsString>) -> Vec<OsString> {
        // A name that begins with a hyphen would be taken for an option.
        let hyphen = file.as_os_str().as_encoded_bytes().starts_with(b"-");
        let file = if hyphen { PathBuf::from(".").join(file) } else { file.to_path_buf() };
        let mut arguments = with_value(&self.arguments, file.as_os_str());
        let place = self.arguments.iter().position(|word| word.contains("{}")).unwrap_or(self.arguments.len());
        arguments.splice(place..place, options);
        arguments
    }
}

/// Returns true for a text that can be the name of an implementation.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|each| each.is_alphanumeric() || matches!(each, '-' | '_' | '.' | '+'))
}

/// Words with each `{}` replaced by a value, which is appended if there is none.
fn with_value(words: &[String], value: &OsStr) -> Vec<OsString> {
    let mut filled: Vec<OsString> = words.iter().map(|word| filled(word, value)).collect();
    if !words.iter().any(|word| word.contains("{}")) {
        filled.push(value.to_owned());
    }
    filled
}

/// A word with each `{}` replaced by a value.
fn filled(word: &str, value: &OsStr) -> OsString {
    let mut filled = OsString::new();
    for (number, piece) in word.split("{}").enumerate() {
        if number > 0 {
            filled.push(value);
        }
        filled.push(piece);
    }
    filled
}

/// Splits a command into words.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                let not_closed = || "a single quote is not closed".to_owned();
                loop {
                    match characters.next().ok_or_else(not_closed)? {
                        '\'' => break,
                        inside => word.push(inside),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                let not_closed = || "a double quote is not closed".to_owned();
                loop {
                    match characters.next().ok_or_else(not_closed)? {
                        '"' => break,
                        '\\' => match characters.next().ok_or_else(not_closed)? {
                            escaped @ ('"' | '\\') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        inside => word.push(inside),
                    }
                }
            }
            '\\' => {
                let escaped = characters.next().ok_or("nothing follows the last backslash")?;
                word.get_or_insert_default().push(escaped);
            }
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_cut_as_a_shell_would() {
        for (command, expected) in [
            ("a b  c", &["a", "b", "c"][..]),
            (" 'a b' \"c d\"\\ e ", &["a b", "c d e"]),
            ("a '' \"\\\"\\\\\\x\"", &["a", "", "\"\\\\x"]),
            ("a$HOME*;b", &["a$HOME*;b"]),
            ("", &[]),
        ] {
            assert_eq!(words(command).unwrap(), expected, "{command}");
        }
        for command in ["'a", "\"a", "\"a\\", "a\\"] {
            assert!(words(command).is_err(), "{command}");
        }
    }

    #[test]
    fn the_file_and_options_are_put_where_they_belong() {
        let option = OptionWords::parse(OptionKind::Steps, "--max {}").unwrap();
        let arguments =
            |text: &str, file: &str, options| CommandLine::parse(text).unwrap().arguments(Path::new(file), options);
        assert_eq!(arguments("a -q", "my file.vlad", vec![]), ["-q", "my file.vlad"]);
        assert_eq!(arguments("a --in={} -q", "f", vec![]), ["--in=f", "-q"]);
        assert_eq!(arguments("a", "-x.vlad", vec![]), ["./-x.vlad"]);
        assert_eq!(arguments("a b", "f", option.with("7".as_ref())), ["b", "--max", "7", "f"]);
        assert_eq!(arguments("a b {} c", "f", option.with("7".as_ref())), ["b", "--max", "7", "f", "c"]);
    }

    #[test]
    fn options_may_be_of_one_implementation() {
        let parsed = |text: &str| {
            let OptionWords { name, words, .. } = OptionWords::parse(OptionKind::Depth, text).unwrap();
            (name, words)
        };
        assert_eq!(parsed("mine=--depth {}"), (Some("mine".to_owned()), vec!["--depth".to_owned(), "{}".to_owned()]));
        assert_eq!(parsed("--depth={}"), (None, vec!["--depth={}".to_owned()]));
        assert!(OptionWords::parse(OptionKind::Depth, "mine=").is_err());
        let words = OptionWords::parse(OptionKind::Depth, "-d").unwrap().with("3".as_ref());
        assert_eq!(words, ["-d", "3"]);
    }
}
