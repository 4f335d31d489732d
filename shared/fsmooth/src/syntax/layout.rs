//! Layout: tokens to items, with an `in` for every `let` that a line ends.
//!
//! - A line that starts in the column of the first one, or before it, begins an item, unless it starts with a closing
//!   bracket, `in`, `then` or `else`. That column is 1, unless a program is indented as a whole.
//! - A `let` without `in` ends where a line starts in its own column. In a body that was begun so, no further line may
//!   start in that column: it would be a second expression.
//!
//! Brackets are paired here as well, so the parser sees balanced items. An item with an error is reported once and left
//! out.

use super::lexer::{Place, Token, TokenKind};
use super::token_class::TokenClass;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, Span};

/// The tokens of an item.
#[derive(Clone, Debug)]
pub struct ItemTokens {
    /// The tokens, with every `in`.
    pub tokens: Vec<Token>,
    /// The soundness of brackets and layout.
    pub soundness: Soundness,
}

/// The soundness of an item's brackets and layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Soundness {
    /// The item can be parsed.
    Sound,
    /// An error has been reported.
    Broken,
}

/// Splits tokens into items.
pub fn items(file: FileId, tokens: &[Token], report: &mut Report) -> Vec<ItemTokens> {
    let mut items = vec![];
    let mut rest = tokens;
    let column = tokens.first().map_or(1, |token| token.column);
    while let Some((_, behind)) = rest.split_first() {
        let length = 1 + behind.iter().position(|token| begins_item(token, column)).unwrap_or(behind.len());
        let (item, next) = rest.split_at(length);
        items.push(Layout::of(file, item, report));
        rest = next;
    }
    items
}

fn begins_item(token: &Token, column: u32) -> bool {
    token.column <= column
        && token.place == Place::First
        && token.kind.class() != TokenClass::Close
        && !matches!(token.kind, TokenKind::In | TokenKind::Then | TokenKind::Else)
}

/// Returns the bracket that closes another one.
fn counterpart(open: TokenKind) -> TokenKind {
    match open {
        TokenKind::Open => TokenKind::Close,
        TokenKind::OpenIndex => TokenKind::CloseIndex,
        _ => TokenKind::CloseArray,
    }
}

/// A construct that is open.
#[derive(Clone, Copy)]
enum Context {
    /// A `let` whose `in` is missing so far, with its column.
    Let(u32, Span),
    /// A body behind an `in` that layout has put there, with the column of its `let`.
    Body(u32),
    /// An opening bracket.
    Bracket(TokenKind, Span),
}

struct Layout<'loading> {
    file: FileId,
    report: &'loading mut Report,
    tokens: Vec<Token>,
    contexts: Vec<Context>,
}

/// The error has been reported.
struct Reported;

impl Layout<'_> {
    fn of(file: FileId, item: &[Token], report: &mut Report) -> ItemTokens {
        let mut layout = Layout { file, report, tokens: Vec::with_capacity(item.len()), contexts: vec![] };
        let soundness = match layout.item(item) {
            Ok(()) => Soundness::Sound,
            Err(Reported) => Soundness::Broken,
        };
        ItemTokens { tokens: if soundness == Soundness::Sound { layout.tokens } else { item.to_vec() }, soundness }
    }

    fn item(&mut self, item: &[Token]) -> Result<(), Reported> {
        for (index, token) in item.iter().enumerate() {
            if token.place == Place::First && index > 0 {
                self.begin_line(token)?;
            }
            let span = token.span(self.file);
            match token.kind {
                // The first `let` of an item is a definition, or has an `in`.
                TokenKind::Let if index > 0 => self.contexts.push(Context::Let(token.column, span)),
                TokenKind::In => self.end_let(),
                kind if kind.class() == TokenClass::Open => self.contexts.push(Context::Bracket(kind, span)),
                kind if kind.class() == TokenClass::Close => self.close(kind, span)?,
                TokenKind::Invalid => return Err(Reported),
                _ => {}
            }
            self.tokens.push(*token);
        }
        self.end()
    }

    /// Ends the `let` in whose column a line starts.
    fn begin_line(&mut self, token: &Token) -> Result<(), Reported> {
        while let Some(context) = self.contexts.last().copied() {
            match context {
                Context::Let(column, _) if column < token.column => break,
                Context::Let(column, _) if column == token.column && !continues(token.kind) => {
                    let virtual_in = Token { kind: TokenKind::In, end: token.start, ..*token };
                    self.tokens.push(virtual_in);
                    self.contexts.pop();
                    self.contexts.push(Context::Body(column));
                    break;
                }
                Context::Let(column, _) if column == token.column => break,
                Context::Let(_, span) => {
                    if token.kind == TokenKind::In {
                        break;
                    }
                    return Err(self.without_use(span, Some(token.span(self.file))));
                }
                Context::Body(column) if column == token.column && !continues(token.kind) => {
                    return Err(self.second_expression(token));
                }
                Context::Body(column) if column <= token.column => break,
                Context::Body(_) => {
                    self.contexts.pop();
                }
                Context::Bracket(..) => break,
            }
        }
        Ok(())
    }

    /// Ends the innermost `let`; there is none for the `in` of an item's first `let`.
    fn end_let(&mut self) {
        while let Some(context) = self.contexts.last() {
            match context {
                Context::Body(_) => {
                    self.contexts.pop();
                }
                Context::Let(..) => {
                    self.contexts.pop();
                    return;
                }
                Context::Bracket(..) => return,
            }
        }
    }

    fn close(&mut self, closing: TokenKind, span: Span) -> Result<(), Reported> {
        while let Some(context) = self.contexts.pop() {
            match context {
                Context::Body(_) => {}
                Context::Let(_, place) => return Err(self.without_use(place, Some(span))),
                Context::Bracket(open, _) if counterpart(open) == closing => return Ok(()),
                Context::Bracket(open, place) => {
                    let message = format!("{} expected, found {}", counterpart(open).text(), closing.text());
                    let label = format!("the {} to be closed", open.text());
                    return Err(self.refuse(Diagnostic::new(Kind::Read, span, message).with_label(place, label)));
                }
            }
        }
        Err(self.refuse(Diagnostic::new(Kind::Read, span, format!("this {} closes nothing", closing.text()))))
    }

    /// Checks that nothing is open where the item ends.
    fn end(&mut self) -> Result<(), Reported> {
        let bracket = self.contexts.iter().rev().find_map(|context| match context {
            Context::Bracket(bracket, span) => Some((*bracket, *span)),
            Context::Let(..) | Context::Body(_) => None,
        });
        if let Some((bracket, span)) = bracket {
            let message = format!("this {} is never closed", bracket.text());
            let hint = "a line that starts in the column of the first one begins something new";
            return Err(self.refuse(Diagnostic::new(Kind::Read, span, message).with_hint(hint)));
        }
        let pending = self.contexts.iter().rev().find_map(|context| match context {
            Context::Let(_, span) => Some(*span),
            Context::Bracket(..) | Context::Body(_) => None,
        });
        match pending {
            Some(span) => Err(self.without_use(span, None)),
            None => Ok(()),
        }
    }

    fn without_use(&mut self, span: Span, end: Option<Span>) -> Reported {
        let diagnostic = Diagnostic::new(Kind::Syntax, span, "this `let` has no expression that uses it");
        let diagnostic = match end {
            Some(end) => diagnostic.with_label(end, "it would have to stand before this"),
            None => diagnostic,
        };
        let hint = "it stands behind `in`, or on a line that starts in the column of the `let`";
        self.refuse(diagnostic.with_hint(hint))
    }

    fn second_expression(&mut self, token: &Token) -> Reported {
        let message = "the expression that uses the `let` above ends before this line";
        let hint = "indent the line further if it belongs to that expression";
        self.refuse(Diagnostic::new(Kind::Syntax, token.span(self.file), message).with_hint(hint))
    }

    fn refuse(&mut self, diagnostic: Diagnostic) -> Reported {
        self.report.push(diagnostic);
        Reported
    }
}

/// Returns true if a token cannot begin an expression, so that a line that starts with it continues the one above.
fn continues(kind: TokenKind) -> bool {
    let begins =
        matches!(kind.class(), TokenClass::Number | TokenClass::Boolean | TokenClass::Name | TokenClass::Invalid)
            || matches!(
                kind,
                TokenKind::Fun
                    | TokenKind::Let
                    | TokenKind::If
                    | TokenKind::Deriv
                    | TokenKind::Open
                    | TokenKind::OpenArray
                    | TokenKind::Minus
                    | TokenKind::Not
            );
    !begins
}
