//! The parser: a line of tokens to named core, by operator precedence with stacks of its own, so that nesting needs no
//! host stack.

use crate::lexer::{Token, TokenKind};
use vlad_shared::core::Constant;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::{FileId, Span};
use vlad_shared::language::named::name_set::NameSet;
use vlad_shared::language::named::{Named, NamedItem, NamedLambda, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_shared::language::names::{NameId, Names};
use vlad_shared::language::{Piece, ReadingContext};
use vlad_shared::table::{Primitive, number};

/// Reads a line, which is not empty; none if it is malformed, which is reported.
pub fn parse(line: &[Token], text: &str, reading: &mut ReadingContext<'_>) -> Option<Piece> {
    let mut parser = Parser { text, reading, values: vec![], pending: vec![] };
    match parser.line(line) {
        Ok(piece) => Some(piece),
        Err((span, message)) => {
            // Uses of a name whose definition is refused are not reported as well.
            let is_definition = line.iter().any(|token| token.kind == TokenKind::Equals);
            if let (true, Some(Token { kind: TokenKind::Name, span })) = (is_definition, line.first()) {
                let name = parser.name(*span);
                reading.named.mark_refused(name);
            }
            reading.report.push(Diagnostic::new(Kind::Syntax, span, message));
            None
        }
    }
}

/// The place and message of an error.
type Error = (Span, &'static str);

/// An operation or a bracket whose operands are not complete.
enum Pending {
    /// An operation on two operands, the first of which is there.
    Binary(Primitive),
    /// The sign, with its span.
    Negate(Span),
    /// `(`.
    Group(Span),
    /// A call of the last value before the operands, which begin at this index of the values.
    Call(usize, Span),
}

struct Parser<'line, 'loading> {
    text: &'line str,
    reading: &'line mut ReadingContext<'loading>,
    values: Vec<NodeId>,
    pending: Vec<Pending>,
}

impl Parser<'_, '_> {
    fn line(&mut self, line: &[Token]) -> Result<Piece, Error> {
        if let [Token { kind: TokenKind::Use, span }, rest @ ..] = line {
            return match rest {
                [Token { kind: TokenKind::File, span }] => {
                    let name = self.written(*span).trim_matches('"').to_owned();
                    Ok(Piece::Include { name, span: *span })
                }
                _ => Err((*span, "expected use \"file\"")),
            };
        }
        let Some(equals) = line.iter().position(|token| token.kind == TokenKind::Equals) else {
            return Ok(Piece::Item(NamedItem::Expression(self.expression(line)?)));
        };
        let (header, [equals, body @ ..]) = line.split_at(equals) else {
            return Err((extent(line), "expected a definition"));
        };
        match header {
            [Token { kind: TokenKind::Name, span }] => {
                let value = self.defined(body, equals.span)?;
                Ok(Piece::Item(NamedItem::Define(self.name(*span), *span, value)))
            }
            [
                Token { kind: TokenKind::Name, span },
                Token { kind: TokenKind::Open, .. },
                parameters @ ..,
                Token { kind: TokenKind::Close, .. },
            ] => {
                let pattern = self.parameters(parameters, extent(header))?;
                let (name, body) = (self.name(*span), self.defined(body, equals.span)?);
                let whole = extent(line);
                let lambda = NamedLambda { name: Some(name), pattern, body, span: whole };
                let lambda = self.reading.named.add_lambda(lambda);
                let node = self.reading.named.add(Node::Lambda(lambda), whole);
                Ok(Piece::Item(NamedItem::Define(name, *span, node)))
            }
            _ => Err((extent(line), "expected name = formula, or name(parameter, ...) = formula")),
        }
    }

    fn defined(&mut self, body: &[Token], equals: Span) -> Result<NodeId, Error> {
        if body.is_empty() { Err((equals, "expected a formula behind `=`")) } else { self.expression(body) }
    }

    /// Reads names with commas between them to the pattern of a tuple.
    fn parameters(&mut self, tokens: &[Token], header: Span) -> Result<NamedPatternId, Error> {
        let mut patterns: Vec<NamedPatternId> = vec![];
        let mut names = NameSet::default();
        names.begin();
        for (place, token) in tokens.iter().enumerate() {
            match (place % 2, token.kind) {
                (0, TokenKind::Name) => {
                    let name = self.name(token.span);
                    if names.note(name, token.span).is_some() {
                        return Err((token.span, "this parameter is named twice"));
                    }
                    patterns.push(self.reading.named.add_pattern(NamedPattern::Variable(name), token.span));
                }
                (1, TokenKind::Comma) if place + 1 < tokens.len() => {}
                _ => return Err((token.span, "expected parameters with commas between them")),
            }
        }
        let named = &mut *self.reading.named;
        let tuple =
            patterns.into_iter().rev().reduce(|rest, first| named.add_pattern(NamedPattern::Pair(first, rest), header));
        Ok(tuple.unwrap_or_else(|| named.add_pattern(NamedPattern::Constant(Named::NIL), header)))
    }

    fn expression(&mut self, tokens: &[Token]) -> Result<NodeId, Error> {
        let whole = extent(tokens);
        let mut tokens = tokens.iter().copied().peekable();
        let mut last = None;
        let mut wants_value = true;
        while let Some(Token { kind, span }) = tokens.next() {
            last = Some(span);
            match (wants_value, kind) {
                (true, TokenKind::Number) => {
                    let Some(real) = number::parse(self.written(span)) else {
                        return Err((span, "this is no number"));
                    };
                    let constant = self.reading.named.add_constant(Constant::Real(real));
                    self.value(Node::Constant(constant), span);
                    wants_value = false;
                }
                (true, TokenKind::Name) => {
                    let name = self.name(span);
                    self.value(Node::Variable(name), span);
                    wants_value = false;
                    if tokens.next_if(|next| next.kind == TokenKind::Open).is_some() {
                        self.pending.push(Pending::Call(self.values.len(), span));
                        match tokens.next_if(|next| next.kind == TokenKind::Close) {
                            Some(close) => self.close(close.span)?,
                            None => wants_value = true,
                        }
                    }
                }
                (true, TokenKind::Minus) => self.pending.push(Pending::Negate(span)),
                (true, TokenKind::Open) => self.pending.push(Pending::Group(span)),
                (false, TokenKind::Plus) => wants_value = self.operation(Primitive::Add),
                (false, TokenKind::Minus) => wants_value = self.operation(Primitive::Subtract),
                (false, TokenKind::Times) => wants_value = self.operation(Primitive::Multiply),
                (false, TokenKind::Over) => wants_value = self.operation(Primitive::Divide),
                (false, TokenKind::Close) => self.close(span)?,
                (false, TokenKind::Comma) => {
                    self.reduce(0);
                    if !matches!(self.pending.last(), Some(Pending::Call(..))) {
                        return Err((span, "a comma stands only between operands"));
                    }
                    wants_value = true;
                }
                (true, _) => return Err((span, "expected a value")),
                (false, _) => return Err((span, "expected an operation")),
            }
        }
        self.reduce(0);
        match (self.pending.pop(), self.values.pop(), last) {
            (Some(Pending::Group(open) | Pending::Call(_, open)), _, _) => Err((open, "this is never closed")),
            (_, Some(value), _) if !wants_value => Ok(value),
            (_, _, last) => Err((last.unwrap_or(whole), "expected a value behind this")),
        }
    }

    /// Adds a value.
    fn value(&mut self, node: Node, span: Span) {
        let node = self.reading.named.add(node, span);
        self.values.push(node);
    }

    /// Begins an operation on two operands, the first of which is the last value; a value follows.
    fn operation(&mut self, primitive: Primitive) -> bool {
        self.reduce(precedence(primitive));
        self.pending.push(Pending::Binary(primitive));
        true
    }

    /// Completes the operations that bind at least as tightly as an operation of some precedence.
    fn reduce(&mut self, least: u8) {
        while let Some(pending) = self.pending.last() {
            match *pending {
                Pending::Binary(primitive) if precedence(primitive) >= least => {
                    let (Some(second), Some(first)) = (self.values.pop(), self.values.pop()) else { return };
                    let span = self.span(first).to(self.span(second));
                    let operands = self.reading.named.add(Node::Cons(first, second), span);
                    self.apply(primitive, operands, span);
                }
                Pending::Negate(sign) => {
                    let Some(operand) = self.values.pop() else { return };
                    self.apply(Primitive::Subtract, operand, sign.to(self.span(operand)));
                }
                Pending::Binary(_) | Pending::Group(_) | Pending::Call(..) => return,
            }
            self.pending.pop();
        }
    }

    /// Adds the value of a primitive that is applied to an argument.
    fn apply(&mut self, primitive: Primitive, argument: NodeId, span: Span) {
        let operator = self.reading.named.add(Node::Variable(Names::primitive(primitive)), span);
        self.value(Node::Application(operator, argument), span);
    }

    /// Ends the innermost group or call.
    fn close(&mut self, close: Span) -> Result<(), Error> {
        self.reduce(0);
        match self.pending.pop() {
            Some(Pending::Group(_)) => {}
            Some(Pending::Call(first, open)) => {
                let operands = self.values.split_off(first.min(self.values.len()));
                let Some(operator) = self.values.pop() else { return Err((open, "expected a procedure")) };
                let argument = self.tuple(operands, open.to(close));
                self.value(Node::Application(operator, argument), open.to(close));
            }
            Some(Pending::Binary(_) | Pending::Negate(_)) | None => return Err((close, "this closes nothing")),
        }
        Ok(())
    }

    /// Returns the tuple of operands, of which there may be none.
    fn tuple(&mut self, operands: Vec<NodeId>, call: Span) -> NodeId {
        let named = &mut *self.reading.named;
        let pair = |rest: NodeId, first: NodeId| {
            let span = named.span(first).to(named.span(rest));
            named.add(Node::Cons(first, rest), span)
        };
        let tuple = operands.into_iter().rev().reduce(pair);
        tuple.unwrap_or_else(|| self.reading.named.add(Node::Constant(Named::NIL), call))
    }

    fn span(&self, node: NodeId) -> Span {
        self.reading.named.span(node)
    }

    fn written(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    fn name(&mut self, span: Span) -> NameId {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        self.reading.names.intern(text)
    }
}

/// Returns the precedence of an operation on two operands.
fn precedence(primitive: Primitive) -> u8 {
    match primitive {
        Primitive::Multiply | Primitive::Divide => 2,
        _ => 1,
    }
}

/// Returns the span of some tokens, of which there is at least one.
fn extent(tokens: &[Token]) -> Span {
    let spans = tokens.iter().map(|token| token.span);
    spans.reduce(Span::to).unwrap_or(Span::new(FileId(0), 0, 0))
}
