//! The reader: tokens to surface tree, item by item.

use super::explain::explain;
use super::grammar::ItemParser;
use super::layout::{self, ItemTokens, Soundness};
use super::lexer::{Token, TokenKind};
use super::tree::{
    Binding, BindingId, Pattern, Surface, SurfaceId, SurfaceItem, Target, Tree, WrittenType, WrittenTypeId,
};
use super::words::Words;
use crate::builtins::Builtin;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, Span};
use vlad_language::names::{NameId, Names};

/// An item of a text.
#[derive(Clone, Copy, Debug)]
pub enum ReadItem {
    /// An item that could be read.
    Read(SurfaceItem),
    /// The definition of a name that could not be read, which has been reported.
    Refused(NameId),
    /// An expression that could not be read, which has been reported.
    Unreadable,
}

/// Reads the items of a text.
pub fn read(file: FileId, tokens: &[Token], names: &Names, tree: &mut Tree, report: &mut Report) -> Vec<ReadItem> {
    let parser = ItemParser::new();
    let items = layout::items(file, tokens, report);
    items
        .iter()
        .flat_map(|item| {
            let words = Words { names, tokens: &item.tokens };
            read_item(file, (&parser, words), item, tree, report)
        })
        .collect()
}

/// Reads an item; one that could not be read is the names that it would define.
fn read_item(
    file: FileId,
    (parser, words): (&ItemParser, Words<'_>),
    item: &ItemTokens,
    tree: &mut Tree,
    report: &mut Report,
) -> Vec<ReadItem> {
    let tokens = &item.tokens;
    if let Some((word, hint)) = words.behind_let() {
        if item.soundness == Soundness::Sound {
            let message = format!("`let` has no `{}`", words.text(word));
            report.push(Diagnostic::new(Kind::Syntax, word.span(file), message).with_hint(hint));
        }
    } else if item.soundness == Soundness::Sound {
        let stream = tokens.iter().map(|token| Ok::<_, ()>((token.start, token.kind, token.end)));
        match parser.parse(&mut Builder { tree, file }, stream) {
            Ok(item) => return vec![ReadItem::Read(item)],
            Err(error) => report.push(explain(file, words, error)),
        }
    }
    let as_name =
        |token: &Token| if let TokenKind::Name(name) = token.kind { Some(ReadItem::Refused(name)) } else { None };
    let mut tokens = tokens.iter();
    if tokens.next().is_none_or(|first| first.kind != TokenKind::Let) {
        return vec![ReadItem::Unreadable];
    }
    if words.behind_let().is_some_and(|(word, _)| tokens.as_slice().first() == Some(word)) {
        tokens.next();
    }
    match tokens.as_slice().first().and_then(as_name) {
        Some(refused) => vec![refused],
        None => {
            let pattern = tokens.take_while(|token| token.kind != TokenKind::Equals);
            pattern.filter_map(as_name).chain([ReadItem::Unreadable]).collect()
        }
    }
}

/// The builder of the tree, called by the parser.
pub struct Builder<'loading> {
    tree: &'loading mut Tree,
    file: FileId,
}

impl Builder<'_> {
    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, start, end)
    }

    /// Adds an expression.
    pub(super) fn add(&mut self, expression: Surface, start: u32, end: u32) -> SurfaceId {
        let span = self.span(start, end);
        self.tree.expressions.push((expression, span))
    }

    /// Adds a function.
    pub(super) fn lambda(&mut self, parameters: &[Pattern], body: SurfaceId, start: u32, end: u32) -> SurfaceId {
        let parameters = self.tree.parameters.add(parameters.iter().copied());
        self.add(Surface::Lambda(parameters, body), start, end)
    }

    /// Adds an application.
    pub(super) fn application(&mut self, function: SurfaceId, argument: SurfaceId) -> SurfaceId {
        let span = self.tree.span(function).to(self.tree.span(argument));
        self.tree.expressions.push((Surface::Application(function, argument), span))
    }

    /// Adds an operator with its operands.
    pub(super) fn infix(
        &mut self,
        operator: Builtin,
        first: SurfaceId,
        second: SurfaceId,
        start: u32,
        end: u32,
    ) -> SurfaceId {
        let symbol = self.span(start, end);
        let span = self.tree.span(first).to(self.tree.span(second));
        self.tree.expressions.push((Surface::Infix(operator, first, second, symbol), span))
    }

    /// Gives an expression in parentheses the span with them.
    pub(super) fn parenthesised(&mut self, inner: SurfaceId, start: u32, end: u32) -> SurfaceId {
        let span = self.span(start, end);
        self.tree.expressions[inner].1 = span;
        inner
    }

    /// Adds an array.
    pub(super) fn array(&mut self, elements: &[SurfaceId], start: u32, end: u32) -> SurfaceId {
        let elements = self.tree.elements.add(elements.iter().copied());
        self.add(Surface::Array(elements), start, end)
    }

    /// Adds a `deriv`, whose variable begins at an offset.
    pub(super) fn deriv(&mut self, body: SurfaceId, name: NameId, start: u32, from: u32, end: u32) -> SurfaceId {
        let variable = self.span(from, end);
        self.add(Surface::Deriv(body, name, variable), start, end)
    }

    /// Makes a pattern without a type.
    pub(super) fn pattern(&mut self, target: Target, start: u32, end: u32) -> Pattern {
        Pattern { target, span: self.span(start, end), annotation: None }
    }

    /// Makes the pattern of a pair.
    pub(super) fn pair_pattern(&mut self, first: Pattern, second: Pattern, start: u32, end: u32) -> Pattern {
        let target = Target::Pair(self.tree.patterns.push(first), self.tree.patterns.push(second));
        self.pattern(target, start, end)
    }

    /// Adds the binding of a pattern, whose type is that of the value.
    pub(super) fn binding_of_pattern(&mut self, pattern: Pattern, value: SurfaceId) -> BindingId {
        let Pattern { target, span, annotation } = pattern;
        self.binding((target, span.start, span.end), &[], annotation, value)
    }

    /// Adds a binding.
    pub(super) fn binding(
        &mut self,
        (target, start, end): (Target, u32, u32),
        parameters: &[Pattern],
        annotation: Option<WrittenTypeId>,
        value: SurfaceId,
    ) -> BindingId {
        let parameters = self.tree.parameters.add(parameters.iter().copied());
        let span = self.span(start, end);
        self.tree.bindings.push(Binding { target, span, parameters, annotation, value })
    }

    /// Adds a written type.
    pub(super) fn written_type(&mut self, written: WrittenType, start: u32, end: u32) -> WrittenTypeId {
        let span = self.span(start, end);
        self.tree.types.push((written, span))
    }
}
