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
        self.row().0
    }

    /// Returns the token as messages name it.
    pub fn text(self) -> &'static str {
        self.row().1
    }

    fn row(self) -> (TokenClass, &'static str) {
        match self {
            TokenKind::Fun => (TokenClass::Keyword, "`fun`"),
            TokenKind::Let => (TokenClass::Keyword, "`let`"),
            TokenKind::In => (TokenClass::Keyword, "`in`"),
            TokenKind::If => (TokenClass::Keyword, "`if`"),
            TokenKind::Then => (TokenClass::Keyword, "`then`"),
            TokenKind::Else => (TokenClass::Keyword, "`else`"),
            TokenKind::Deriv => (TokenClass::Keyword, "`deriv`"),
            TokenKind::Open => (TokenClass::Open, "`(`"),
            TokenKind::Close => (TokenClass::Close, "`)`"),
            TokenKind::OpenIndex => (TokenClass::Open, "`[`"),
            TokenKind::CloseIndex => (TokenClass::Close, "`]`"),
            TokenKind::OpenArray => (TokenClass::Open, "`[|`"),
            TokenKind::CloseArray => (TokenClass::Close, "`|]`"),
            TokenKind::Comma => (TokenClass::Mark, "`,`"),
            TokenKind::Semicolon => (TokenClass::Mark, "`;`"),
            TokenKind::Colon => (TokenClass::Mark, "`:`"),
            TokenKind::Arrow => (TokenClass::Mark, "`->`"),
            TokenKind::FunctionType => (TokenClass::Mark, "`=>`"),
            TokenKind::Equals => (TokenClass::Mark, "`=`"),
            TokenKind::EqualsTwice => (TokenClass::Operator, "`==`"),
            TokenKind::Plus => (TokenClass::Operator, "`+`"),
            TokenKind::Minus => (TokenClass::Operator, "`-`"),
            TokenKind::Times => (TokenClass::Operator, "`*`"),
            TokenKind::Over => (TokenClass::Operator, "`/`"),
            TokenKind::Power => (TokenClass::Operator, "`**`"),
            TokenKind::Less => (TokenClass::Operator, "`<`"),
            TokenKind::Greater => (TokenClass::Operator, "`>`"),
            TokenKind::Not => (TokenClass::Operator, "`!`"),
            TokenKind::And => (TokenClass::Operator, "`&&`"),
            TokenKind::Or => (TokenClass::Operator, "`||`"),
            TokenKind::Comparison(_) => (TokenClass::Operator, "a comparison"),
            TokenKind::Number(..) => (TokenClass::Number, "a number"),
            TokenKind::Boolean(_) => (TokenClass::Boolean, "`true` or `false`"),
            TokenKind::Name(_) => (TokenClass::Name, "a name"),
            TokenKind::Invalid => (TokenClass::Invalid, "characters that begin no token"),
        }
    }
}
