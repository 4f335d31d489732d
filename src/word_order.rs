//! The order of words on the command line: options may precede their subcommand, and the two words of `vlad show` may
//! come in either order. Also the error for a misspelt subcommand.
//!
//! Invariant: words are moved, and never changed; a command line without a subcommand stays as it is.

use crate::commands::inspection::Stage;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use vlad_shared::language::suggest::suggest;

/// The options that ask for help or for the version.
const ASKING: [&str; 4] = ["--help", "-h", "--version", "-V"];

/// Returns the words with the subcommand first, behind the command's own name, and with the stage of `vlad show` before
/// the program.
pub fn in_order(mut words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    if let Some(&place) = operands(&words, 1, command).first()
        && words.get(place).is_some_and(|word| is_subcommand(word, command))
        && let Some(before) = words.get_mut(1..=place)
    {
        before.rotate_right(1);
    }
    if words.get(1).is_some_and(|word| word == "show")
        && let [first, second] = *operands(&words, 2, command).as_slice()
        && !words.get(first).is_some_and(is_stage)
        && words.get(second).is_some_and(is_stage)
    {
        words.swap(first, second);
    }
    words
}

/// Returns the error for a word in the place of a subcommand that is neither a subcommand nor a file, but spelt like
/// one.
pub fn misspelt(words: &[OsString], command: &Command) -> Option<clap::Error> {
    let place = *operands(words, 1, command).first()?;
    let word = words.get(place)?;
    let text = word.to_str().filter(|_| !is_subcommand(word, command) && !Path::new(word).exists())?;
    let meant = suggest(text, command.get_subcommands().map(Command::get_name))?;
    let mut error = clap::Error::new(ErrorKind::InvalidSubcommand).with_cmd(command);
    error.insert(ContextKind::InvalidSubcommand, ContextValue::String(text.to_owned()));
    error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![meant.to_owned()]));
    Some(error)
}

/// Returns true if the first word behind the command's own name is a subcommand.
pub fn begin_with_subcommand(words: &[OsString], command: &Command) -> bool {
    words.get(1).is_some_and(|word| is_subcommand(word, command))
}

fn is_subcommand(word: &OsString, command: &Command) -> bool {
    command.get_subcommands().any(|subcommand| word == subcommand.get_name())
}

fn is_stage(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| Stage::from_str(word, false).is_ok())
}

/// Returns the positions, from `from` on, of the words that are neither options nor values of options, up to a word
/// that asks for help.
fn operands(words: &[OsString], from: usize, command: &Command) -> Vec<usize> {
    let mut places = Vec::new();
    let mut is_value = false;
    let mut only_operands = false;
    for (place, word) in words.iter().enumerate().skip(from) {
        if std::mem::take(&mut is_value) {
            continue;
        }
        let bytes = word.as_encoded_bytes();
        match bytes {
            _ if only_operands => places.push(place),
            b"--" => only_operands = true,
            _ if ASKING.iter().any(|asking| word == OsStr::new(asking)) => break,
            [b'-', b'-', ..] => is_value = !bytes.contains(&b'=') && takes_value(command, |arg| is_long(arg, word)),
            [b'-', letters @ ..] if !letters.is_empty() => {
                // The first letter whose option takes a value takes the rest of the word, or the next word if nothing
                // is left.
                let taking = letters.iter().position(|letter| takes_value(command, |arg| is_short(arg, *letter)));
                is_value = taking == Some(letters.len() - 1);
            }
            _ => places.push(place),
        }
    }
    places
}

/// Returns true if an option of the command or of a subcommand takes a value. Options of one name agree in that.
fn takes_value(command: &Command, is_meant: impl Fn(&Arg) -> bool) -> bool {
    let all = command.get_arguments().chain(command.get_subcommands().flat_map(Command::get_arguments));
    all.into_iter().any(|arg| is_meant(arg) && arg.get_action().takes_values())
}

fn is_long(arg: &Arg, word: &OsString) -> bool {
    arg.get_long().is_some_and(|long| word.to_str().and_then(|word| word.strip_prefix("--")) == Some(long))
}

fn is_short(arg: &Arg, letter: u8) -> bool {
    arg.get_short() == Some(char::from(letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory;
    use std::collections::HashMap;

    fn check(words: &str, expected: &str) {
        let words = ["vlad"].into_iter().chain(words.split(' ')).map(OsString::from).collect();
        let ordered: Vec<OsString> = in_order(words, &Arguments::command()).into_iter().skip(1).collect();
        assert_eq!(ordered.join(OsStr::new(" ")), OsString::from(expected));
    }

    #[test]
    fn a_subcommand_comes_first() {
        check("--engine interp conform a", "conform --engine interp a");
        check("--json -I folder --max-steps=5 run a", "run --json -I folder --max-steps=5 a");
        check("-Ifolder check a", "check -Ifolder a");
        check("-e 1 check", "check -e 1");
        check("run a", "run a");
        check("a check", "a check");
        check("--engine run a", "--engine run a");
        check("-- check a", "check -- a");
        check("--bits a", "--bits a");
        check("--help run", "--help run");
        check("- check", "- check");
    }

    #[test]
    fn what_is_shown_comes_first() {
        check("show a.vlad core", "show core a.vlad");
        check("show core a.vlad", "show core a.vlad");
        check("show core core", "show core core");
        check("show a.vlad --function f reverse", "show reverse --function f a.vlad");
        check("--color never show a.vlad core", "show --color never core a.vlad");
        check("show -e 1 core", "show -e 1 core");
        check("show a b", "show a b");
    }

    #[test]
    fn options_of_one_name_are_alike() {
        let command = Arguments::command();
        let mut known = HashMap::new();
        for arg in command.get_arguments().chain(command.get_subcommands().flat_map(Command::get_arguments)) {
            for name in arg.get_long().map(str::to_owned).into_iter().chain(arg.get_short().map(String::from)) {
                let takes = arg.get_action().takes_values();
                assert_eq!(*known.entry(name.clone()).or_insert(takes), takes, "{name}");
            }
        }
    }
}
