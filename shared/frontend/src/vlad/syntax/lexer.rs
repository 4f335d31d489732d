//! The lexer: text to tokens.
//!
//! Invariant: the spans of the tokens are increasing, and every byte outside of them is white space, a comment, or has
//! been reported. An error never stops the lexer: a malformed number or name becomes [`Atom::Invalid`], so that the
//! following passes see the shape of the text and report nothing at the same place.

use logos::{Lexer, Logos};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, Span};
use vlad_language::Encoding;
use vlad_language::invisible;
use vlad_language::names::{NameId, Names};
use vlad_table::number;

/// A kind of parenthesis; brackets have the same meaning as parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bracket {
    /// `(` and `)`.
    Round,
    /// `[` and `]`.
    Square,
}

/// A datum of one token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Atom {
    /// A number.
    Real(f64),
    /// `#t` or `#f`.
    Boolean(bool),
    /// A name.
    Name(NameId),
    /// A string; its contents are kept among the names.
    Text(NameId),
    /// A malformed datum, which has been reported.
    Invalid,
}

/// The kind of a token, with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind {
    /// An opening parenthesis.
    Open(Bracket),
    /// The opening of a vector: `#` and a parenthesis.
    OpenVector(Bracket),
    /// A closing parenthesis.
    Close(Bracket),
    /// `'`.
    Quote,
    /// `#;`.
    DatumComment,
    /// `.` alone.
    Dot,
    /// A datum.
    Atom(Atom),
}

/// A token with its range of bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
}

/// The extent to which a text could be analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The whole text.
    Whole,
    /// The text up to an error that hides the rest, so nothing can be said about missing parts.
    Hidden,
}

/// The result of the lexer.
#[derive(Clone, Debug)]
pub struct Lexed {
    /// The tokens in order.
    pub tokens: Vec<Token>,
    /// The extent of the text that they cover.
    pub extent: Extent,
    /// True if the text ends in a comment that has no end.
    pub is_in_comment: bool,
}

/// The hint for a `#` that begins no token.
const AFTER_HASH: &str =
    "`#` begins #t, #f, a vector as in #(1 2), a number as in #xff, or a comment as in #| |# and #;";

/// The token shapes that the generated automaton distinguishes. Words are classified further by hand, since the class
/// of a word depends on its beginning, and so does the message if it is malformed.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\n\r\x0b\x0c\u{feff}]+")]
#[logos(skip(r";[^\n\r]*", allow_greedy = true))]
enum RawToken {
    #[token("(")]
    OpenRound,
    #[token("[")]
    OpenSquare,
    #[token(")")]
    CloseRound,
    #[token("]")]
    CloseSquare,
    #[token("#(")]
    OpenRoundVector,
    #[token("#[")]
    OpenSquareVector,
    #[token("'")]
    Quote,
    #[token("#;")]
    DatumComment,
    #[token("#|")]
    BlockComment,
    #[token("\"")]
    Text,
    #[regex(r#"[^\x00-\x20\x7f\u{feff}()\[\]"';#](?:[^\x00-\x20\x7f\u{feff}()\[\]"';#]|#[^\x00-\x20\x7f\u{feff}()\[\]"';#|])*"#)]
    Word,
    #[regex(r##"#[^\x00-\x20\x7f\u{feff}()\[\]"';#|](?:[^\x00-\x20\x7f\u{feff}()\[\]"';#]|#[^\x00-\x20\x7f\u{feff}()\[\]"';#|])*"##)]
    HashWord,
}

/// Splits a text into tokens; `text` must be shorter than 4 GB.
pub fn lex(file: FileId, text: &str, encoding: Encoding, names: &mut Names, report: &mut Report) -> Lexed {
    let mut reader = Reader {
        lexer: RawToken::lexer(text),
        file,
        encoding,
        names,
        report,
        // A token takes three to four bytes of an ordinary program.
        lexed: Lexed { tokens: Vec::with_capacity(text.len() / 4), extent: Extent::Whole, is_in_comment: false },
    };
    while let Some(shape) = reader.lexer.next() {
        match shape {
            Ok(shape) => reader.token(shape),
            Err(()) => reader.stray(),
        }
    }
    reader.lexed
}

struct Reader<'text, 'loading> {
    lexer: Lexer<'text, RawToken>,
    file: FileId,
    encoding: Encoding,
    names: &'loading mut Names,
    report: &'loading mut Report,
    lexed: Lexed,
}

impl Reader<'_, '_> {
    fn token(&mut self, shape: RawToken) {
        match shape {
            RawToken::OpenRound => self.push(TokenKind::Open(Bracket::Round)),
            RawToken::OpenSquare => self.push(TokenKind::Open(Bracket::Square)),
            RawToken::CloseRound => self.push(TokenKind::Close(Bracket::Round)),
            RawToken::CloseSquare => self.push(TokenKind::Close(Bracket::Square)),
            RawToken::OpenRoundVector => self.push(TokenKind::OpenVector(Bracket::Round)),
            RawToken::OpenSquareVector => self.push(TokenKind::OpenVector(Bracket::Square)),
            RawToken::Quote => self.push(TokenKind::Quote),
            RawToken::DatumComment => self.push(TokenKind::DatumComment),
            RawToken::BlockComment => self.block_comment(),
            RawToken::Text => self.text(),
            RawToken::Word => self.word(),
            RawToken::HashWord => self.hash_word(),
        }
    }

    fn push(&mut self, kind: TokenKind) {
        let span = self.lexer.span();
        self.lexed.tokens.push(Token { kind, start: span.start as u32, end: span.end as u32 });
    }

    /// Returns the span of the current token.
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

    /// Reports characters that begin no token.
    fn stray(&mut self) {
        let span = self.span();
        for (offset, character) in self.lexer.slice().char_indices() {
            self.stray_character(span.start + offset as u32, character);
        }
    }

    fn stray_character(&mut self, start: u32, character: char) {
        if character == char::REPLACEMENT_CHARACTER && self.encoding == Encoding::Replaced {
            return;
        }
        let hint = match character {
            '{' | '}' => Some("parentheses are ( ) or [ ]"),
            '`' | ',' => Some("there is no quasiquotation"),
            '#' => Some(AFTER_HASH),
            '|' => Some("a block comment is written #| |#"),
            _ => None,
        };
        let message = match character {
            '\0' => "a NUL character is no part of a program".to_string(),
            _ if character.is_control()
                || invisible(character).is_some()
                || character == char::REPLACEMENT_CHARACTER =>
            {
                format!("the character U+{:04X} is no part of a program", u32::from(character))
            }
            _ => format!("the character `{character}` is no part of a program"),
        };
        let span = Span::new(self.file, start, start + character.len_utf8() as u32);
        self.error(span, message, hint);
    }

    /// Skips a block comment, whose beginning is the current token; such comments nest.
    fn block_comment(&mut self) {
        let opening = self.span();
        let mut depth = 1_usize;
        let mut length = 0;
        let mut rest = self.lexer.remainder().as_bytes();
        while depth > 0 {
            let taken = match rest {
                [] => {
                    self.error(opening, "this comment has no end", Some("a comment that begins with #| ends with |#"));
                    self.lexed.extent = Extent::Hidden;
                    self.lexed.is_in_comment = true;
                    break;
                }
                [b'|', b'#', ..] => {
                    depth -= 1;
                    2
                }
                [b'#', b'|', ..] => {
                    depth += 1;
                    2
                }
                [_, ..] => 1,
            };
            length += taken;
            rest = rest.get(taken..).unwrap_or(&[]);
        }
        self.lexer.bump(length);
    }

    /// Reads a string, whose opening quote is the current token. It ends on its own line.
    fn text(&mut self) {
        let start = self.span().start;
        let mut contents = String::new();
        let mut characters = self.lexer.remainder().char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.lexer.bump(offset + 1);
                    let name = self.names.intern(&contents);
                    return self.push(TokenKind::Atom(Atom::Text(name)));
                }
                '\n' | '\r' => break,
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => contents.push(escaped),
                    _ => {
                        let at = start + 1 + offset as u32;
                        self.error(
                            Span::new(self.file, at, at + 1),
                            "a backslash in a string stands before `\"` or another backslash only",
                            None,
                        );
                    }
                },
                _ => contents.push(character),
            }
        }
        let line = self.lexer.remainder().split(['\n', '\r']).next().map_or(0, str::len);
        self.lexer.bump(line);
        self.error(
            self.span(),
            "this string has no end",
            Some("a string ends with `\"` on the line that it begins on"),
        );
        self.lexed.extent = Extent::Hidden;
        self.push(TokenKind::Atom(Atom::Invalid));
    }

    /// Reads a run of characters that is a number, a name or a dot.
    fn word(&mut self) {
        let word = self.lexer.slice();
        let kind = if word == "." {
            TokenKind::Dot
        } else if begins_like_a_number(word) {
            TokenKind::Atom(self.number(word))
        } else if word.bytes().all(is_name_byte) {
            TokenKind::Atom(Atom::Name(self.names.intern(word)))
        } else {
            match self.unusual_name(word) {
                Some(atom) => TokenKind::Atom(atom),
                None => return,
            }
        };
        self.push(kind);
    }

    /// Reads a word with unusual characters: a name if they are letters. None if no character of it is allowed in a
    /// name, since then it is no malformed datum but something between data.
    fn unusual_name(&mut self, word: &str) -> Option<Atom> {
        let start = self.span().start;
        let (mut strays, mut characters) = (0, 0);
        for (offset, character) in word.char_indices() {
            characters += 1;
            if is_stray(character) {
                strays += 1;
                self.stray_character(start + offset as u32, character);
            }
        }
        match strays {
            0 => Some(Atom::Name(self.names.intern(word))),
            _ if strays == characters => None,
            _ => Some(Atom::Invalid),
        }
    }

    fn number(&mut self, word: &str) -> Atom {
        if let Some(real) = number::parse(word) {
            return Atom::Real(real);
        }
        let start = self.span().start;
        let strays: Vec<(usize, char)> =
            word.char_indices().filter(|(_, character)| !character.is_ascii() && is_stray(*character)).collect();
        if !strays.is_empty() {
            strays.into_iter().for_each(|(offset, character)| self.stray_character(start + offset as u32, character));
            return Atom::Invalid;
        }
        let hint = match word.split_once('/') {
            Some((above, below)) if number::parse(above).is_some() && number::parse(below).is_some() => {
                format!("there are no fractions: write (/ {above} {below})")
            }
            _ => "numbers are written as in 1, -1.5, .5, 1e-3, #xff; a name cannot begin like a number".to_string(),
        };
        self.error(self.span(), format!("`{word}` is not a number"), Some(&hint));
        Atom::Invalid
    }

    /// Reads a word that begins with `#`: a boolean or a number with a radix.
    fn hash_word(&mut self) {
        let word = self.lexer.slice();
        let atom = match word {
            "#t" | "#true" => Atom::Boolean(true),
            "#f" | "#false" => Atom::Boolean(false),
            _ if word.trim_start_matches('#').starts_with(['x', 'X', 'b', 'B', 'o', 'O', 'd', 'D']) => {
                self.number(word)
            }
            _ => {
                self.error(self.span(), format!("`{word}` is no part of the language"), Some(AFTER_HASH));
                Atom::Invalid
            }
        };
        self.push(TokenKind::Atom(atom));
    }
}

/// Returns true if a word is to be a number: it begins with a digit, after an optional sign and an optional point, or
/// is one of the special values.
fn begins_like_a_number(word: &str) -> bool {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let digits = unsigned.strip_prefix('.').unwrap_or(unsigned);
    digits.starts_with(|character: char| character.is_ascii_digit())
        || unsigned.len() < word.len()
            && (unsigned.eq_ignore_ascii_case("inf.0") || unsigned.eq_ignore_ascii_case("nan.0"))
}

/// Returns true for a character that no word has.
fn is_stray(character: char) -> bool {
    match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => !is_name_byte(byte),
        _ => !character.is_alphanumeric(),
    }
}

/// Returns true if a byte is one of the usual characters of names.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!$%&*/:<=>?^_~+-.@".contains(&byte)
}
