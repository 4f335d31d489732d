//! The arguments of the measuring programs: the number of turns, and words that select further measurements.

use crate::fault;
use std::{env, io};

/// The arguments of a measuring program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The number of turns; at least one.
    pub turns: usize,
    /// The known words that were given.
    pub words: Vec<String>,
    /// The options after `--`, which are given to the command `vlad run`; `--` has to be a known word.
    pub options: Vec<String>,
}

impl Arguments {
    /// Reads the arguments of the process: a number of turns, and some of the known words.
    ///
    /// # Errors
    /// Returns an error for any other argument.
    pub fn read(default_turns: usize, known_words: &[&str]) -> io::Result<Arguments> {
        Arguments::parse(env::args().skip(1), default_turns, known_words)
    }

    /// Reads arguments in the same way from an iterator.
    ///
    /// # Errors
    /// Returns an error for any other argument.
    pub fn parse(
        mut given: impl Iterator<Item = String>,
        default_turns: usize,
        known_words: &[&str],
    ) -> io::Result<Arguments> {
        let mut arguments = Arguments { turns: default_turns, words: Vec::new(), options: Vec::new() };
        while let Some(argument) = given.next() {
            if argument == "--" && known_words.contains(&"--") {
                arguments.options.extend(given.by_ref());
            } else if known_words.contains(&argument.as_str()) {
                arguments.words.push(argument);
            } else {
                let turns = argument.parse().ok().filter(|turns| *turns > 0);
                let known = known_words.iter().map(|word| format!(" or {word}")).collect::<String>();
                arguments.turns =
                    turns.ok_or_else(|| fault(format!("a number of turns{known} is expected, not {argument:?}")))?;
            }
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(given: &[&str]) -> io::Result<Arguments> {
        Arguments::parse(given.iter().map(|&word| word.to_owned()), 5, &["--corpus"])
    }

    #[test]
    fn turns_and_words_in_any_order() {
        assert_eq!(parse(&[]).unwrap(), Arguments { turns: 5, words: vec![], options: vec![] });
        let words = vec!["--corpus".to_owned()];
        assert_eq!(parse(&["--corpus", "3"]).unwrap(), Arguments { turns: 3, words, options: vec![] });
    }

    #[test]
    fn options_of_the_command_where_they_are_known() {
        let given = ["3", "--", "--corpus", "7"].map(str::to_owned);
        let read = Arguments::parse(given.into_iter(), 5, &["--corpus", "--"]).unwrap();
        let options = vec!["--corpus".to_owned(), "7".to_owned()];
        assert_eq!(read, Arguments { turns: 3, words: vec![], options });
    }

    #[test]
    fn anything_else_is_an_error() {
        for wrong in ["0", "-1", "three", "--other", "--", ""] {
            assert!(parse(&[wrong]).is_err(), "{wrong}");
        }
    }
}
