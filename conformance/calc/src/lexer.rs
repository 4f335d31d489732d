//! The lexer: lines of tokens.

use logos::Logos;
use vlad_shared::core::source::{FileId, Span};

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
pub enum TokenKind {
    /// A decimal number.
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Number,
    /// `use`.
    #[token("use")]
    Use,
    /// A name.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// The name of a file.
    #[regex(r#""[^"\n]*""#)]
    File,
    /// `+`.
    #[token("+")]
    Plus,
    /// `-`.
    #[token("-")]
    Minus,
    /// `*`.
    #[token("*")]
    Times,
    /// `/`.
    #[token("/")]
    Over,
    /// `(`.
    #[token("(")]
    Open,
    /// `)`.
    #[token(")")]
    Close,
    /// `,`.
    #[token(",")]
    Comma,
    /// `=`.
    #[token("=")]
    Equals,
    /// The end of a line.
    #[token("\n")]
    LineEnd,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its span.
    pub span: Span,
}

/// A text as tokens.
pub struct Lexed {
    /// The lines that have tokens.
    pub lines: Vec<Vec<Token>>,
    /// The spans of characters that belong to no token.
    pub errors: Vec<Span>,
}

/// Splits a text into tokens.
pub fn lex(file: FileId, text: &str) -> Lexed {
    let (mut lines, mut errors) = (vec![vec![]], vec![]);
    for (kind, range) in TokenKind::lexer(text).spanned() {
        let span = Span::new(file, range.start as u32, range.end as u32);
        match (kind, lines.last_mut()) {
            (Ok(TokenKind::LineEnd), _) => lines.push(vec![]),
            (Ok(kind), Some(line)) => line.push(Token { kind, span }),
            (Err(()), _) | (_, None) => errors.push(span),
        }
    }
    lines.retain(|line| !line.is_empty());
    Lexed { lines, errors }
}
