//! The reader: tokens to surface tree, item by item.

use super::explain::explain;
use super::grammar::ItemParser;
use super::layout::{self, ItemTokens, Soundness};
use super::lexer::{Operator, Token, TokenKind};
use super::tree::{Binding, BindingId, Parameter, Surface, SurfaceId, SurfaceItem, Tree, WrittenType, WrittenTypeId};
use crate::names::NameId;
use vlad_core::report::Report;
use vlad_core::source::{FileId, Span};

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
pub fn read(file: FileId, tokens: &[Token], tree: &mut Tree, report: &mut Report) -> Vec<ReadItem> {
    let parser = ItemParser::new();
    let items = layout::items(file, tokens, report);
    items.iter().map(|item| read_item(file, &parser, item, tree, report)).collect()
}

fn read_item(file: FileId, parser: &ItemParser, item: &ItemTokens, tree: &mut Tree, report: &mut Report) -> ReadItem {
    let tokens = &item.tokens;
    if item.soundness == Soundness::Sound {
        let stream = tokens.iter().map(|token| Ok::<_, ()>((token.start, token.kind, token.end)));
        match parser.parse(&mut Builder { tree, file }, stream) {
            Ok(item) => return ReadItem::Read(item),
            Err(error) => report.push(explain(file, tokens, error)),
        }
    }
    match tokens.as_slice() {
        [Token { kind: TokenKind::Let, .. }, Token { kind: TokenKind::Name(name), .. }, ..] => ReadItem::Refused(*name),
        _ => ReadItem::Unreadable,
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
        self.tree.add(expression, span)
    }

    /// Adds a function.
    pub(super) fn lambda(&mut self, parameters: &[Parameter], body: SurfaceId, start: u32, end: u32) -> SurfaceId {
        let parameters = self.tree.add_parameters(parameters);
        self.add(Surface::Lambda(parameters, body), start, end)
    }

    /// Adds an application.
    pub(super) fn application(&mut self, function: SurfaceId, argument: SurfaceId) -> SurfaceId {
        let span = self.tree.span(function).to(self.tree.span(argument));
        self.tree.add(Surface::Application(function, argument), span)
    }

    /// Adds an operator with its operands.
    pub(super) fn infix(
        &mut self,
        operator: Operator,
        first: SurfaceId,
        second: SurfaceId,
        start: u32,
        end: u32,
    ) -> SurfaceId {
        let symbol = self.span(start, end);
        let span = self.tree.span(first).to(self.tree.span(second));
        self.tree.add(Surface::Infix(operator, first, second, symbol), span)
    }

    /// Gives an expression in parentheses the span with them.
    pub(super) fn parenthesised(&mut self, inner: SurfaceId, start: u32, end: u32) -> SurfaceId {
        let span = self.span(start, end);
        self.tree.set_span(inner, span);
        inner
    }

    /// Adds an array.
    pub(super) fn array(&mut self, elements: &[SurfaceId], start: u32, end: u32) -> SurfaceId {
        let elements = self.tree.add_elements(elements);
        self.add(Surface::Array(elements), start, end)
    }

    /// Adds a `deriv`, whose variable begins at an offset.
    pub(super) fn deriv(&mut self, body: SurfaceId, name: NameId, start: u32, from: u32, end: u32) -> SurfaceId {
        let variable = self.span(from, end);
        self.add(Surface::Deriv(body, name, variable), start, end)
    }

    /// Makes a parameter.
    pub(super) fn parameter(
        &mut self,
        name: NameId,
        start: u32,
        end: u32,
        annotation: Option<WrittenTypeId>,
    ) -> Parameter {
        Parameter { name, span: self.span(start, end), annotation }
    }

    /// Adds a binding.
    pub(super) fn binding(
        &mut self,
        name: NameId,
        start: u32,
        end: u32,
        parameters: &[Parameter],
        annotation: Option<WrittenTypeId>,
        value: SurfaceId,
    ) -> BindingId {
        let parameters = self.tree.add_parameters(parameters);
        let span = self.span(start, end);
        self.tree.add_binding(Binding { name, span, parameters, annotation, value })
    }

    /// Adds a written type.
    pub(super) fn written_type(&mut self, written: WrittenType, start: u32, end: u32) -> WrittenTypeId {
        let span = self.span(start, end);
        self.tree.add_type(written, span)
    }
}
