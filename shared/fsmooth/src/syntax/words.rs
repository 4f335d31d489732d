//! The words of other languages among the names of an item, with advice.

use super::lexer::{Token, TokenKind};
use vlad_language::names::Names;

/// The advice about loops of other languages.
pub const LOOPS: &str = "loops are written with build and ifold";

/// The tokens of an item with the texts of its names.
#[derive(Clone, Copy)]
pub struct Words<'item> {
    /// The texts of names.
    pub names: &'item Names,
    /// The tokens.
    pub tokens: &'item [Token],
}

impl Words<'_> {
    /// Returns the text of a token that is a name.
    pub fn text(&self, token: &Token) -> &str {
        if let TokenKind::Name(name) = token.kind { self.names.text(name) } else { token.kind.text() }
    }

    /// Returns the first word behind a `let`, before a name or a pattern, that other languages have there, with advice. Names of
    /// definitions may not be such words, if there are parameters: `let rec f x` would be a definition of `rec`.
    pub fn behind_let(&self) -> Option<(&Token, &'static str)> {
        self.tokens.windows(3).find_map(|tokens| {
            let [first, word, next] = tokens else { return None };
            let is_target = matches!(next.kind, TokenKind::Name(_) | TokenKind::Open);
            let (TokenKind::Let, TokenKind::Name(_), true) = (first.kind, word.kind, is_target) else { return None };
            let advice = match self.text(word) {
                "rec" => "there is no recursion: loops are written with build and ifold",
                "mutable" => "names do not change: the state of a loop is that of ifold",
                "inline" => "it is not needed, since known functions are inlined: let f x = e",
                "private" | "public" | "internal" => "it is not needed: let f x = e",
                _ => return None,
            };
            Some((word, advice))
        })
    }

    /// Returns advice about the first word with which other languages begin a form.
    pub fn foreign_form(&self) -> Option<&'static str> {
        self.tokens.iter().filter(|token| matches!(token.kind, TokenKind::Name(_))).find_map(|token| {
            Some(match self.text(token) {
                "for" | "while" => LOOPS,
                "elif" | "elseif" | "elsif" => "a further condition is written else if e then e",
                "match" => "cases are written if e then e else e, and a pair is taken apart by let (a, b) = e",
                "lambda" | "function" | "def" | "defn" => "a function is written fun x -> e, a definition let f x = e",
                _ => return None,
            })
        })
    }
}
