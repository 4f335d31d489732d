//! The classes of tokens, by which they are listed and a session sees that more is to come.

use super::lexer::TokenKind;

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// A word of the language.
    Keyword,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// A mark between expressions, patterns or types.
    Mark,
    /// An operator on values.
    Operator,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A name.
    Name,
    /// A text that is no token.
    Invalid,
}

impl TokenClass {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            TokenClass::Keyword => "keyword",
            TokenClass::Open => "open",
            TokenClass::Close => "close",
            TokenClass::Mark => "mark",
            TokenClass::Operator => "operator",
            TokenClass::Number => "number",
            TokenClass::Boolean => "boolean",
            TokenClass::Name => "name",
            TokenClass::Invalid => "invalid",
        }
    }
}

impl TokenKind {
    /// Returns its class.
    pub fn class(self) -> TokenClass {
        match self {
            TokenKind::Fun
            | TokenKind::Let
            | TokenKind::In
            | TokenKind::If
            | TokenKind::Then
            | TokenKind::Else
            | TokenKind::Deriv => TokenClass::Keyword,
            TokenKind::Open | TokenKind::OpenIndex | TokenKind::OpenArray => TokenClass::Open,
            TokenKind::Close | TokenKind::CloseIndex | TokenKind::CloseArray => TokenClass::Close,
            TokenKind::Comma
            | TokenKind::Semicolon
            | TokenKind::Colon
            | TokenKind::Arrow
            | TokenKind::FunctionType
            | TokenKind::Equals => TokenClass::Mark,
            TokenKind::EqualsTwice
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Times
            | TokenKind::Over
            | TokenKind::Power
            | TokenKind::Less
            | TokenKind::Greater
            | TokenKind::Not
            | TokenKind::And
            | TokenKind::Or
            | TokenKind::Comparison(_) => TokenClass::Operator,
            TokenKind::Number(..) => TokenClass::Number,
            TokenKind::Boolean(_) => TokenClass::Boolean,
            TokenKind::Name(_) => TokenClass::Name,
            TokenKind::Invalid => TokenClass::Invalid,
        }
    }
}
