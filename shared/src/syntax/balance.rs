//! Whether parentheses pair up, checked before the grammar sees the tokens, because an unpaired parenthesis deserves a
//! better message than "unexpected token".

use super::lexer::{Bracket, Token, TokenKind};
use crate::diagnostic::{Diagnostic, Kind};
use crate::report::Report;
use crate::source::{FileId, Span};

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// Every parenthesis has its partner.
    Even,
    /// Some have none; they have been reported.
    Uneven,
}

/// Checks that every parenthesis has a partner of the same kind.
pub fn check(file: FileId, tokens: &[Token], report: &mut Report) -> Balance {
    let mut open: Vec<(Bracket, Span)> = vec![];
    let mut balance = Balance::Even;
    for token in tokens {
        let span = Span::new(file, token.start, token.end);
        match token.kind {
            TokenKind::Open(bracket) => open.push((bracket, span)),
            TokenKind::Close(bracket) => match open.pop() {
                Some((opening, _)) if opening == bracket => {}
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
    if let Some((bracket, place)) = open.last() {
        balance = Balance::Uneven;
        report.push(unclosed(*bracket, *place, &open));
    }
    balance
}

fn unclosed(bracket: Bracket, place: Span, open: &[(Bracket, Span)]) -> Diagnostic {
    let diagnostic = Diagnostic::new(Kind::Read, place, format!("this `{}` is never closed", opening_text(bracket)));
    match open {
        [(_, outermost), _, ..] => {
            diagnostic.with_label(*outermost, format!("the outermost of {} that are open at the end", open.len()))
        }
        _ => diagnostic,
    }
}

fn mismatched(opening: Bracket, place: Span, closing: Bracket, span: Span) -> Diagnostic {
    let (expected, found) = (closing_text(opening), closing_text(closing));
    Diagnostic::new(Kind::Read, span, format!("`{expected}` expected, found `{found}`"))
        .with_label(place, format!("the `{}` to be closed", opening_text(opening)))
}

fn opening_text(bracket: Bracket) -> char {
    match bracket {
        Bracket::Round => '(',
        Bracket::Square => '[',
    }
}

fn closing_text(bracket: Bracket) -> char {
    match bracket {
        Bracket::Round => ')',
        Bracket::Square => ']',
    }
}
