//! Inputs from a pipe or a file: lines are joined until the language accepts them as one input.

use super::input::SessionInput;
use std::io::{self, BufRead, Read};
use vlad_shared::core::source::MOST_BYTES;
use vlad_shared::language::Language;

/// The size of an unfinished input from which on a line is only taken as its end if it may be: then parentheses pair up,
/// if those in comments are counted as well. Asking the language after each line of a long input would take long.
const LONG: usize = 1 << 16;

/// The next thing that the user gives.
#[derive(Debug, PartialEq, Eq)]
pub enum NextInput {
    /// An input.
    Input(String),
    /// Nothing: the user has interrupted typing.
    Interrupted,
    /// The end of the session.
    End,
}

/// Reads the next input, which is not blank, from lines without a terminal.
///
/// # Errors
/// The input cannot be read, or is too long.
pub fn next_input(input: &mut SessionInput, language: &dyn Language) -> io::Result<NextInput> {
    let mut text = String::new();
    let mut depth = 0_i64;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(if text.trim().is_empty() { NextInput::End } else { NextInput::Input(text) });
        }
        if (text.len() + line.len()) as u64 >= MOST_BYTES {
            return Err(io::Error::other(format!("an input is longer than {MOST_BYTES} bytes")));
        }
        // Bytes that are no text become replacement characters, which the language reports.
        let line = String::from_utf8_lossy(&line);
        depth += line.chars().map(nesting).sum::<i64>();
        text += &line;
        if text.trim().is_empty() {
            text.clear();
        } else if is_command(&text) || ((text.len() < LONG || depth <= 0) && !language.is_unfinished(&text)) {
            return Ok(NextInput::Input(text));
        }
    }
}

/// Returns true if a text is a command of the session, which is one line.
pub fn is_command(text: &str) -> bool {
    text.trim_start().starts_with(':')
}

fn nesting(character: char) -> i64 {
    match character {
        '(' | '[' => 1,
        ')' | ']' => -1,
        _ => 0,
    }
}
