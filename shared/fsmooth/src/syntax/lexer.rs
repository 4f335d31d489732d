//! The lexer: text to tokens, with the place of each in its line.
//!
//! An error never stops the lexer. Characters that begin no token are reported and left out.

use crate::builtins::Builtin;
use logos::{Lexer, Logos};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, Span};
use vlad_language::Encoding;
use vlad_language::invisible;
use vlad_language::names::{NameId, Names};
use vlad_table::number;
use vlad_table::primitives::Comparison;

pub use super::tree::Notation;

/// The kind of a token, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the texts of [`TokenKind::text`] say which they are
pub enum TokenKind {
    Fun,
    Let,
    In,
    If,
    Then,
    Else,
    Deriv,
    Open,
    Close,
    OpenIndex,
    CloseIndex,
    OpenArray,
    CloseArray,
    Comma,
    Semicolon,
    Colon,
    Arrow,
    FunctionType,
    Equals,
    EqualsTwice,
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Less,
    Greater,
    Not,
    And,
    Or,
    /// `<=`, `>=` or `<>`.
    Comparison(Builtin),
    /// A number.
    Number(f64, Notation),
    /// `true` or `false`.
    Boolean(bool),
    /// A name.
    Name(NameId),
    /// Characters that have been reported: the item that they are in is left out.
    Invalid,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
    /// Its column in characters, from 1.
    pub column: u32,
    /// Its place among the tokens of its line.
    pub place: Place,
}

/// The place of a token among those of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is the first one.
    First,
    /// Others stand before it.
    Later,
}

impl Token {
    /// Returns its span.
    pub fn span(&self, file: FileId) -> Span {
        Span::new(file, self.start, self.end)
    }
}

/// The token shapes that the generated automaton distinguishes.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\x0b\x0c\u{feff}]+")]
#[logos(skip(r"//[^\n\r]*", allow_greedy = true))]
enum RawToken {
    #[regex(r"\r\n|\n|\r")]
    LineEnd,
    #[token("(*")]
    BlockComment,
    #[token("(*)")]
    TimesSection,
    #[token("(", |_| TokenKind::Open)]
    #[token(")", |_| TokenKind::Close)]
    #[token("[", |_| TokenKind::OpenIndex)]
    #[token("]", |_| TokenKind::CloseIndex)]
    #[token("[|", |_| TokenKind::OpenArray)]
    #[token("|]", |_| TokenKind::CloseArray)]
    #[token(",", |_| TokenKind::Comma)]
    #[token(";", |_| TokenKind::Semicolon)]
    #[token(":", |_| TokenKind::Colon)]
    #[token("->", |_| TokenKind::Arrow)]
    #[token("=>", |_| TokenKind::FunctionType)]
    #[token("=", |_| TokenKind::Equals)]
    #[token("==", |_| TokenKind::EqualsTwice)]
    #[token("+", |_| TokenKind::Plus)]
    #[token("-", |_| TokenKind::Minus)]
    #[token("*", |_| TokenKind::Times)]
    #[token("×", |_| TokenKind::Times)]
    #[token("/", |_| TokenKind::Over)]
    #[token("**", |_| TokenKind::Power)]
    #[token("<", |_| TokenKind::Less)]
    #[token(">", |_| TokenKind::Greater)]
    #[token("<=", |_| TokenKind::Comparison(Builtin::Compare(Comparison::NotGreater)))]
    #[token(">=", |_| TokenKind::Comparison(Builtin::Compare(Comparison::NotLess)))]
    #[token("<>", |_| TokenKind::Comparison(Builtin::Unequal))]
    #[token("!", |_| TokenKind::Not)]
    #[token("&&", |_| TokenKind::And)]
    #[token("||", |_| TokenKind::Or)]
    Plain(TokenKind),
    /// An operator of other languages.
    #[token("<-")]
    #[token(":=")]
    #[token("+=")]
    #[token("-=")]
    #[token("*=")]
    #[token("/=")]
    #[token("!=")]
    #[token("++")]
    #[token("|>")]
    #[token("<|")]
    #[token("::")]
    #[token("..")]
    Foreign,
    #[regex(r"[0-9](?:[eE][+-]|[0-9A-Za-z_.])*")]
    #[regex(r"\.[0-9](?:[eE][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r"[\p{L}_][\p{L}\p{M}\p{N}_']*")]
    Word,
}

/// Splits a text into tokens; `text` must be shorter than 4 GB.
pub fn lex(file: FileId, text: &str, encoding: Encoding, names: &mut Names, report: &mut Report) -> Vec<Token> {
    let mut reader = Reader {
        lexer: RawToken::lexer(text),
        text,
        file,
        encoding,
        names,
        report,
        tokens: Vec::with_capacity(text.len() / 4),
        line: 0,
        counted: (0, 1),
        place: Place::First,
    };
    while let Some(shape) = reader.lexer.next() {
        match shape {
            Ok(shape) => reader.token(shape),
            Err(()) => reader.stray(),
        }
    }
    reader.tokens
}

struct Reader<'text, 'loading> {
    lexer: Lexer<'text, RawToken>,
    text: &'text str,
    file: FileId,
    encoding: Encoding,
    names: &'loading mut Names,
    report: &'loading mut Report,
    tokens: Vec<Token>,
    /// The offset at which the line begins.
    line: usize,
    /// An offset in the line, and its column.
    counted: (usize, u32),
    /// The place of the next token in its line.
    place: Place,
}

impl Reader<'_, '_> {
    fn token(&mut self, shape: RawToken) {
        match shape {
            RawToken::LineEnd => self.begin_line(self.lexer.span().end),
            RawToken::BlockComment => self.block_comment(),
            RawToken::TimesSection => {
                let start = self.lexer.span().start;
                for (offset, kind) in [TokenKind::Open, TokenKind::Times, TokenKind::Close].into_iter().enumerate() {
                    self.push_at(kind, start + offset, start + offset + 1);
                }
            }
            RawToken::Plain(kind) => self.push(kind),
            RawToken::Foreign => self.foreign(),
            RawToken::Number => self.number(),
            RawToken::Word => self.word(),
        }
    }

    fn begin_line(&mut self, offset: usize) {
        self.line = offset;
        self.counted = (offset, 1);
        self.place = Place::First;
    }

    fn push(&mut self, kind: TokenKind) {
        let span = self.lexer.span();
        self.push_at(kind, span.start, span.end);
    }

    fn push_at(&mut self, kind: TokenKind, start: usize, end: usize) {
        if self.place == Place::First {
            self.check_indentation(start);
        }
        let between = self.text.get(self.counted.0..start).unwrap_or_default();
        let column = self.counted.1 + between.chars().filter(|character| *character != '\u{feff}').count() as u32;
        self.counted = (start, column);
        self.tokens.push(Token { kind, start: start as u32, end: end as u32, column, place: self.place });
        self.place = Place::Later;
    }

    /// Reports a tab before the first token of a line, since columns decide where a `let` ends.
    fn check_indentation(&mut self, start: usize) {
        if let Some(tab) = self.text.get(self.line..start).and_then(|before| before.find('\t')) {
            let place = (self.line + tab) as u32;
            let span = Span::new(self.file, place, place + 1);
            self.error(span, "a line is indented by blanks alone", Some("a tab has no certain width in columns"));
        }
    }

    fn span(&self) -> Span {
        let span = self.lexer.span();
        Span::new(self.file, span.start as u32, span.end as u32)
    }

    fn error(&mut self, span: Span, message: impl Into<String>, hint: Option<&str>) {
        let diagnostic = Diagnostic::new(Kind::Read, span, message);
        self.report.push(match hint {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        });
    }

    fn number(&mut self) {
        let slice = self.lexer.slice();
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (mantissa, exponent) = match slice.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (slice, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let is_exponent = |text: &str| {
            let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
            !digits.is_empty() && is_digits(digits)
        };
        let is_well_formed = is_digits(whole) && fraction.is_none_or(is_digits) && exponent.is_none_or(is_exponent);
        let notation = if fraction.is_none() && exponent.is_none() { Notation::Whole } else { Notation::Fraction };
        match number::parse(slice).filter(|_| is_well_formed) {
            Some(value) => self.push(TokenKind::Number(value, notation)),
            None => {
                let message = format!("`{slice}` is no number");
                self.error(
                    self.span(),
                    message,
                    Some("a number is written like 2, 0.5 or 1e-3, a name begins with a letter"),
                );
                self.push(TokenKind::Invalid);
            }
        }
    }

    fn word(&mut self) {
        let kind = match self.lexer.slice() {
            "fun" => TokenKind::Fun,
            "let" => TokenKind::Let,
            "in" => TokenKind::In,
            "if" => TokenKind::If,
            "then" => TokenKind::Then,
            "else" => TokenKind::Else,
            "deriv" => TokenKind::Deriv,
            "true" => TokenKind::Boolean(true),
            "false" => TokenKind::Boolean(false),
            name => TokenKind::Name(self.names.intern(name)),
        };
        self.push(kind);
    }

    /// Reports an operator that other languages have.
    fn foreign(&mut self) {
        let slice = self.lexer.slice();
        let hint = match slice {
            "<-" => {
                "nothing changes: an array with another element is build (length v) (fun j -> if j == i then e else v[j]), and a \
                 loop with a state ifold; a comparison with a negative number is written a < -b"
            }
            "!=" => "inequality is written <>",
            "++" => "arrays are joined by append v w",
            "|>" | "<|" => "a function is applied by writing its arguments behind it: f x",
            "::" => "arrays are joined by append v w; the type of an expression is written (e : T)",
            ".." => "the numbers below n are vectorRange n, a part of an array vectorSlice v first last",
            _ => "nothing changes: a name is given to another value by let, and a loop with a state is ifold",
        };
        let message = format!("`{slice}` is no operator");
        self.error(self.span(), message, Some(hint));
        self.push(TokenKind::Invalid);
    }

    /// Skips a comment in `(*` and `*)`, which may contain others.
    fn block_comment(&mut self) {
        let start = self.lexer.span().start;
        let (mut depth, mut at) = (1_usize, 0);
        let rest = self.lexer.remainder();
        let bytes = rest.as_bytes();
        while depth > 0 {
            match bytes.get(at..) {
                None | Some([]) => {
                    let span = self.span();
                    let hint = "the product as a function is written ( * )";
                    self.error(span, "this comment is never closed", Some(hint));
                    self.push(TokenKind::Invalid);
                    break;
                }
                Some([b'(', b'*', ..]) => {
                    depth += 1;
                    at += 2;
                }
                Some([b'*', b')', ..]) => {
                    depth -= 1;
                    at += 2;
                }
                Some([_, ..]) => at += 1,
            }
        }
        let inside = rest.get(..at).unwrap_or_default();
        let after = start + 2 + at;
        self.lexer.bump(at);
        if let Some(end) = inside.rfind(['\n', '\r']) {
            self.begin_line(after - inside.len() + end + 1);
        }
    }

    /// Reports characters that begin no token.
    fn stray(&mut self) {
        let span = self.span();
        self.push(TokenKind::Invalid);
        for (offset, character) in self.lexer.slice().char_indices() {
            if character == char::REPLACEMENT_CHARACTER && self.encoding == Encoding::Replaced {
                continue;
            }
            let start = span.start + offset as u32;
            let place = Span::new(self.file, start, start + character.len_utf8() as u32);
            let invisible = invisible(character);
            let hint = match character {
                _ if invisible.is_some() => invisible.as_ref().map(|(_, hint)| hint.as_str()),
                '&' => Some("conjunction is written &&"),
                '|' => Some("disjunction is written ||, an array [| |]"),
                '"' | '\'' => Some("the language has no texts; a value is printed by write e"),
                '%' => Some("the remainder is written modulo a b"),
                '{' | '}' => Some("grouping is written with ( )"),
                '@' => Some("arrays are joined by append v w"),
                '#' => Some("a comment begins with //"),
                '^' => Some("a power is written **"),
                '.' => Some("an element is written v[i], an operator without a point; names have no points"),
                '\\' | 'λ' => Some("a function is written fun x -> e"),
                _ => None,
            };
            self.error(place, format!("no token begins with `{}`", character.escape_debug()), hint);
        }
    }
}
