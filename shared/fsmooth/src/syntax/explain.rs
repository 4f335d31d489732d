//! The messages for tokens that do not fit the grammar.

use super::lexer::{Place, Token, TokenKind};
use super::token_class::TokenClass;
use super::words::Words;
use lalrpop_util::ParseError;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::{FileId, Span};

/// Returns the diagnostic for the error of an item.
pub fn explain(file: FileId, words: Words<'_>, error: ParseError<u32, TokenKind, ()>) -> Diagnostic {
    let tokens = words.tokens;
    let index = match error {
        ParseError::UnrecognizedToken { token: (start, kind, _), .. }
        | ParseError::ExtraToken { token: (start, kind, _) } => {
            tokens.iter().position(|token| token.start == start && token.kind == kind).unwrap_or(tokens.len())
        }
        ParseError::UnrecognizedEof { .. } | ParseError::InvalidToken { .. } | ParseError::User { .. } => tokens.len(),
    };
    let (before, from) = tokens.split_at(index.min(tokens.len()));
    let (before, found) = (before.last(), from.first());
    let is_virtual = |token: &Token| token.kind == TokenKind::In && token.start == token.end;
    let place = match (found, before) {
        (Some(found), Some(before)) if is_virtual(found) => before.span(file),
        (Some(token), _) | (None, Some(token)) => token.span(file),
        (None, None) => Span::new(file, 0, 0),
    };
    let message = match (found, before) {
        (Some(token), _) if is_virtual(token) => match before {
            Some(before) => format!("the value of a `let` is not complete behind {}", before.kind.text()),
            None => "the value of a `let` is not complete".to_owned(),
        },
        (Some(token), Some(before)) => {
            format!("{} cannot stand here, behind {}", token.kind.text(), before.kind.text())
        }
        (Some(token), None) => format!("{} cannot begin an item", token.kind.text()),
        (None, Some(before)) => format!("something is missing behind {}", before.kind.text()),
        (None, None) => "something is missing here".to_owned(),
    };
    let diagnostic = Diagnostic::new(Kind::Syntax, place, message);
    match words.foreign_form().or_else(|| hint(tokens.get(..index).unwrap_or(tokens), found)) {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    }
}

/// Returns advice for the usual mistakes.
fn hint(before: &[Token], found: Option<&Token>) -> Option<&'static str> {
    let last = before.last().map(|token| token.kind);
    let in_type = before
        .iter()
        .rev()
        .take_while(|token| !matches!(token.kind, TokenKind::Equals))
        .any(|token| token.kind == TokenKind::Colon);
    if is_without_variable(before) {
        return Some("`deriv` takes an expression and the name of a variable: deriv (x * x) x");
    }
    if let Some(head) = Head::of(before) {
        let found = found.map(|token| token.kind);
        if let Some(hint) = found.and_then(|found| head.hint(found)).filter(|_| !in_type) {
            return Some(hint);
        }
    }
    Some(match (last, found.map(|token| token.kind)) {
        (_, Some(TokenKind::Fun)) => "a function among operands stands in parentheses: (fun x -> e)",
        (_, Some(TokenKind::Let)) if found.is_some_and(|token| token.place == Place::Later) => {
            "a `let` among operands stands in parentheses; between two of them stands `in`, or the end of a line"
        }
        (_, Some(TokenKind::Let | TokenKind::If)) => "among operands it stands in parentheses",
        (_, Some(TokenKind::Arrow)) if !before.iter().any(|token| token.kind == TokenKind::Fun) => {
            "a function is written fun x -> e"
        }
        (_, Some(TokenKind::Comma)) if open_bracket(before) == Some(TokenKind::OpenIndex) => {
            "an element of an array of arrays is written m[i][j]"
        }
        (_, Some(TokenKind::Comma)) if open_bracket(before) == Some(TokenKind::OpenArray) => {
            "`;` stands between the elements of an array: [| a; b |]; a pair is written (a, b)"
        }
        (_, Some(TokenKind::Comma)) => {
            "a pair is written (a, b), and of more parts (a, (b, c)); operands stand side by side: f a b"
        }
        (_, Some(TokenKind::Semicolon)) => {
            "`;` stands between the elements of an array: [| a; b |]; what is to happen before is bound: let x = write e in e"
        }
        (_, Some(TokenKind::Colon)) if open_bracket(before) == Some(TokenKind::OpenIndex) => {
            "a part of an array is vectorSlice v first last"
        }
        (Some(TokenKind::Open), Some(TokenKind::Close)) => "there is no empty value: a function has a parameter",
        (Some(last), Some(found)) if !in_type && is_comparison(found) && ends_operand(last) => {
            "comparisons do not chain: a < b && b < c"
        }
        (Some(TokenKind::Name(_)), Some(TokenKind::Name(_) | TokenKind::Open)) if in_type => {
            "the type of an array is written Array<T>"
        }
        (Some(TokenKind::Let), _) => "a definition is written let f x y = e",
        (Some(TokenKind::Equals), None) => "an expression has to follow `=`",
        (Some(TokenKind::OpenIndex), Some(TokenKind::CloseIndex)) => "an empty array is written [| |]",
        (_, Some(TokenKind::OpenIndex)) => "an array is written [| a; b |], its element v[i]",
        (_, Some(TokenKind::Deriv)) => "among operands it stands in parentheses: (deriv e x)",
        (_, Some(TokenKind::In)) => "`in` ends a `let`, whose value stands before it",
        (_, Some(TokenKind::Else)) => "`else` stands behind if e then e",
        (_, None) if is_open_if(before) => "every `if` has a `then` and an `else`",
        (_, _) => return None,
    })
}

/// The form that has parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    Let,
    Fun,
}

/// The name and the parameters of a definition or function that the tokens end in.
struct Head<'tokens> {
    begin: Begin,
    /// The tokens behind `let` or `fun`.
    tokens: &'tokens [Token],
}

impl Head<'_> {
    /// Returns the head that tokens end in, if they do.
    fn of(before: &[Token]) -> Option<Head<'_>> {
        let place = before.iter().rposition(|token| matches!(token.kind, TokenKind::Let | TokenKind::Fun))?;
        let begin = if before.get(place)?.kind == TokenKind::Let { Begin::Let } else { Begin::Fun };
        let tokens = before.get(place + 1..)?;
        let end = if begin == Begin::Let { TokenKind::Equals } else { TokenKind::Arrow };
        (!tokens.iter().any(|token| token.kind == end)).then_some(Head { begin, tokens })
    }

    /// Returns advice about the next token, which cannot stand in the head.
    fn hint(&self, found: TokenKind) -> Option<&'static str> {
        let is_in_pattern = open_bracket(self.tokens) == Some(TokenKind::Open);
        let definition = "a definition is written let f x y = e";
        Some(match (found, self.begin) {
            (TokenKind::Close, _) if self.tokens.last().is_some_and(|token| token.kind == TokenKind::Open) => {
                "there is no empty value: a function has a parameter, and a value none: let x = e"
            }
            (TokenKind::Comma, _) if is_in_pattern => "a pair has two parts: (a, b), and of more parts (a, (b, c))",
            (TokenKind::Comma, _) => "the pattern of a pair stands in parentheses: (a, b)",
            (TokenKind::FunctionType | TokenKind::Equals, Begin::Fun) if !is_in_pattern => {
                "a function is written fun x y -> e"
            }
            (TokenKind::Arrow | TokenKind::FunctionType, Begin::Let) if !is_in_pattern => definition,
            (found, Begin::Let) if is_comparison(found) && !is_in_pattern => definition,
            (_, _) if is_in_pattern => {
                "a pattern is a name, `_`, a pair (a, b) of patterns, or one with a type (a : T)"
            }
            (_, _) => return None,
        })
    }
}

fn is_comparison(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Equals | TokenKind::EqualsTwice | TokenKind::Less | TokenKind::Greater | TokenKind::Comparison(_)
    )
}

/// Returns true if an operand may end with a token.
fn ends_operand(kind: TokenKind) -> bool {
    matches!(kind.class(), TokenClass::Name | TokenClass::Number | TokenClass::Boolean | TokenClass::Close)
}

/// Returns true if tokens end behind the expression of a `deriv`: one token, or one pair of brackets.
fn is_without_variable(before: &[Token]) -> bool {
    let Some(place) = before.iter().rposition(|token| token.kind == TokenKind::Deriv) else { return false };
    let (mut depth, mut operands) = (0_usize, 0_usize);
    for token in before.iter().skip(place + 1) {
        // An index belongs to the expression before it.
        operands += usize::from(depth == 0 && token.kind != TokenKind::OpenIndex);
        depth += usize::from(token.kind.class() == TokenClass::Open);
        depth = depth.saturating_sub(usize::from(token.kind.class() == TokenClass::Close));
    }
    depth == 0 && operands == 1
}

/// Returns the innermost bracket that is open.
fn open_bracket(before: &[Token]) -> Option<TokenKind> {
    let mut open = vec![];
    for token in before {
        if token.kind.class() == TokenClass::Open {
            open.push(token.kind);
        } else if token.kind.class() == TokenClass::Close {
            open.pop();
        }
    }
    open.pop()
}

/// Returns true if some `if` has no `else`.
fn is_open_if(before: &[Token]) -> bool {
    let count = |kind: TokenKind| before.iter().filter(|token| token.kind == kind).count();
    count(TokenKind::If) > count(TokenKind::Else)
}
