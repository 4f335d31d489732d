//! The check that parentheses pair up. It runs before the parser, whose message for an unpaired parenthesis would be
//! "unexpected token".

use crate::vlad::syntax::lexer::{Bracket, Token, TokenKind};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::print::layout::VECTOR;
use vlad_core::source::{FileId, Span};

/// The result of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// Every parenthesis has its partner.
    Even,
    /// Some have no partner; they have been reported.
    Uneven,
}

/// Checks that every parenthesis has a partner of the same kind.
pub fn check(file: FileId, tokens: &[Token], report: &mut Report) -> Balance {
    let mut open: Vec<(Opening, Span)> = vec![];
    let mut balance = Balance::Even;
    for token in tokens {
        let span = Span::new(file, token.start, token.end);
        match token.kind {
            TokenKind::Open(bracket) => open.push((Opening::List(bracket), span)),
            TokenKind::OpenVector(bracket) => open.push((Opening::Vector(bracket), span)),
            TokenKind::Close(bracket) => match open.pop() {
                Some((opening, _)) if opening.bracket() == bracket => {}
                Some((opening, place)) => {
                    balance = Balance::Uneven;
                    report.push(mismatched(opening, place, bracket, span));
                }
                None => {
                    balance = Balance::Uneven;
                    let message = format!("this `{}` closes nothing", closing_text(bracket));
                    report.push(Diagnostic::new(Kind::Read, span, message));
                }
            },
            TokenKind::Quote | TokenKind::DatumComment | TokenKind::Dot | TokenKind::Atom(_) => {}
        }
    }
    if let Some((opening, place)) = open.last() {
        balance = Balance::Uneven;
        report.push(unclosed(*opening, *place, &open));
    }
    balance
}

/// Returns true if tokens are the beginning of a datum that is not whole: a parenthesis is open, or the datum of a quote or
/// of a comment is missing. Parentheses that do not pair up end a datum, with an error.
pub fn is_open(tokens: &[Token]) -> bool {
    let mut open = vec![];
    for token in tokens {
        match token.kind {
            TokenKind::Open(bracket) | TokenKind::OpenVector(bracket) => open.push(bracket),
            TokenKind::Close(bracket) => {
                if open.pop() != Some(bracket) {
                    return false;
                }
            }
            TokenKind::Quote | TokenKind::DatumComment | TokenKind::Dot | TokenKind::Atom(_) => {}
        }
    }
    let awaits = tokens.last().is_some_and(|last| matches!(last.kind, TokenKind::Quote | TokenKind::DatumComment));
    awaits || !open.is_empty()
}

/// An opening parenthesis.
#[derive(Clone, Copy)]
enum Opening {
    List(Bracket),
    Vector(Bracket),
}

impl Opening {
    fn bracket(self) -> Bracket {
        match self {
            Opening::List(bracket) | Opening::Vector(bracket) => bracket,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Opening::List(Bracket::Round) => "(",
            Opening::List(Bracket::Square) => "[",
            Opening::Vector(Bracket::Round) => VECTOR,
            Opening::Vector(Bracket::Square) => "#[",
        }
    }
}

fn unclosed(opening: Opening, place: Span, open: &[(Opening, Span)]) -> Diagnostic {
    let diagnostic = Diagnostic::new(Kind::Read, place, format!("this `{}` is never closed", opening.text()));
    match open {
        [(_, outermost), _, ..] => {
            diagnostic.with_label(*outermost, format!("the outermost of {} that are open at the end", open.len()))
        }
        _ => diagnostic,
    }
}

fn mismatched(opening: Opening, place: Span, closing: Bracket, span: Span) -> Diagnostic {
    let (expected, found) = (closing_text(opening.bracket()), closing_text(closing));
    Diagnostic::new(Kind::Read, span, format!("`{expected}` expected, found `{found}`"))
        .with_label(place, format!("the `{}` to be closed", opening.text()))
}

fn closing_text(bracket: Bracket) -> char {
    match bracket {
        Bracket::Round => ')',
        Bracket::Square => ']',
    }
}
