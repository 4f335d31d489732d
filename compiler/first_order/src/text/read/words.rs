//! The words of a line. Parentheses and commas are words of their own.

use std::str::FromStr;

/// The words that are still to be read.
#[derive(Clone, Debug)]
pub(super) struct Words<'text> {
    rest: &'text str,
}

impl<'text> Words<'text> {
    /// The words of a text.
    pub(super) fn of(text: &'text str) -> Words<'text> {
        Words { rest: text.trim() }
    }

    /// The next word, which stays.
    pub(super) fn peek(&self) -> Option<&'text str> {
        self.clone().rest()
    }

    /// The next word, if there is one.
    pub(super) fn rest(&mut self) -> Option<&'text str> {
        let end = match self.rest.find(|letter: char| letter.is_whitespace() || "(),".contains(letter)) {
            Some(0) => 1,
            Some(end) => end,
            None => self.rest.len(),
        };
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }

    /// The next word.
    pub(super) fn next(&mut self, role: &str) -> Result<&'text str, String> {
        self.rest().ok_or_else(|| format!("{role} is missing"))
    }

    /// Takes the next word if it is a certain one.
    pub(super) fn accept(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        if is_next {
            self.rest();
        }
        is_next
    }

    /// Takes the next word, which has to be a certain one.
    pub(super) fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.peek() {
            _ if self.accept(word) => Ok(()),
            Some(found) => Err(format!("`{word}` is expected, not `{found}`")),
            None => Err(format!("`{word}` is missing")),
        }
    }

    /// Takes a number.
    pub(super) fn number<T: FromStr>(&mut self, role: &str) -> Result<T, String> {
        let word = self.next(role)?;
        word.parse().map_err(|_| format!("`{word}` is not {role}"))
    }

    /// Complains about words that are left.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.rest().map_or(Ok(()), |word| Err(format!("`{word}` is one word too many")))
    }
}
