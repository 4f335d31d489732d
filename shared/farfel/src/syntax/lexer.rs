//! The lexer: the line of a statement to tokens, without regard to what the statement is.
//!
//! Names are in upper case. A number that is followed by an operator between dots, as in `1.EQ.2`, is a whole number.

use logos::Logos;

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t]+")]
pub enum Raw {
    /// A name or a word.
    #[regex(r"[A-Za-z][A-Za-z0-9_]*")]
    Word,
    /// A number without point and exponent.
    #[regex(r"[0-9]+")]
    Integer,
    /// A number with a point or an exponent.
    #[regex(r"[0-9]+\.([0-9]+)?([EeDd][+-]?[0-9]+)?")]
    #[regex(r"\.[0-9]+([EeDd][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[EeDd][+-]?[0-9]+")]
    Real,
    /// A whole number with an operator between dots behind it, which is split.
    #[regex(r"[0-9]+\.[A-Za-z]+\.", priority = 20)]
    IntegerAndOperator,
    /// An operator or constant between dots.
    #[regex(r"\.[A-Za-z]+\.")]
    Dotted,
    /// Text in quotes, where a doubled quote is a quote.
    #[regex(r"'([^']|'')*'")]
    #[regex(r#""([^"]|"")*""#)]
    Text,
    /// `(`.
    #[token("(")]
    Open,
    /// `)`.
    #[token(")")]
    Close,
    /// `,`.
    #[token(",")]
    Comma,
    /// `:`.
    #[token(":")]
    Colon,
    /// `=`.
    #[token("=")]
    Equals,
    /// `+`.
    #[token("+")]
    Plus,
    /// `-`.
    #[token("-")]
    Minus,
    /// `*`.
    #[token("*")]
    Star,
    /// `/`.
    #[token("/")]
    Slash,
    /// `**`.
    #[token("**")]
    Power,
}

/// A token with its range in the line's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawToken {
    /// Its kind.
    pub kind: Raw,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
}

/// Splits the text of a line into tokens, adding them to a list; returns the ranges that are none.
pub fn lex(text: &str, tokens: &mut Vec<RawToken>) -> Vec<(u32, u32)> {
    let mut errors: Vec<(u32, u32)> = vec![];
    for (kind, range) in Raw::lexer(text).spanned() {
        let (start, end) = (range.start as u32, range.end as u32);
        match kind {
            Ok(Raw::IntegerAndOperator) => {
                let digits = text.get(range).map_or(0, |token| token.find('.').unwrap_or(0)) as u32;
                tokens.push(RawToken { kind: Raw::Integer, start, end: start + digits });
                tokens.push(RawToken { kind: Raw::Dotted, start: start + digits, end });
            }
            Ok(kind) => tokens.push(RawToken { kind, start, end }),
            Err(()) => match errors.last_mut() {
                Some((_, last)) if *last == start => *last = end,
                _ => errors.push((start, end)),
            },
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Raw> {
        let mut tokens = vec![];
        assert_eq!(lex(text, &mut tokens), []);
        tokens.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_and_operators_between_dots_are_told_apart() {
        assert_eq!(kinds("1.EQ.2"), [Raw::Integer, Raw::Dotted, Raw::Integer]);
        assert_eq!(kinds("1..EQ.2."), [Raw::Real, Raw::Dotted, Raw::Real]);
        assert_eq!(kinds("1.E5 1.D0 .5 5. 1E3 1.5E-3"), [Raw::Real; 6]);
        assert_eq!(kinds("1.E5.LT..5"), [Raw::Real, Raw::Dotted, Raw::Real]);
        assert_eq!(kinds("A.AND.B"), [Raw::Word, Raw::Dotted, Raw::Word]);
        assert_eq!(kinds("X**2*Y"), [Raw::Word, Raw::Power, Raw::Integer, Raw::Star, Raw::Word]);
    }

    #[test]
    fn text_may_hold_quotes() {
        assert_eq!(kinds("'it''s' \"a\""), [Raw::Text, Raw::Text]);
        assert_eq!(lex("'open", &mut vec![]).len(), 1);
        assert_eq!(lex("X # Y", &mut vec![]), [(2, 3)]);
    }
}
