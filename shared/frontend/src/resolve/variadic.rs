//! Rewriting of calls with more operands than the callee takes, for procedures that in Scheme take any number (report,
//! part 3.2).
//!
//! A procedure of the language gets one tuple and cannot distinguish `(append a b c)` from `(append a (cons b c))`. So
//! the written form decides: where the name means the procedure of the prelude or of a library, an application with
//! more operands becomes several applications to two lists or vectors.

use super::unresolved::Texts;
use crate::resolve::scope::{Scopes, Variable};
use crate::vlad::prelude::{self, VariadicRewrite};
use vlad_core::source::Span;
use vlad_language::named::{Named, NamedItem, Node, NodeId};
use vlad_language::names::Names;
use vlad_table::Primitive;

/// Rewrites the applications of a program, whose names have been resolved.
pub fn rewrite(texts: Texts<'_>, named: &mut Named, scopes: &mut Scopes) {
    for number in 0..named.count() {
        let node = NodeId(number as u32);
        let Node::Application(operator, operand) = named.node(node) else { continue };
        let (Node::Variable(name), Some(written)) = (named.node(operator), named.operands_of(operator)) else {
            continue;
        };
        let Some(manner) = prelude::variadic_rewrite(texts.names.text(name)) else { continue };
        if written <= TAKEN || !scopes.variable(operator).is_some_and(|meant| is_shipped(texts, meant)) {
            continue;
        }
        let places = (named.span(operator), named.span(node));
        let mut rewriting = Rewriting { named, scopes, places };
        match manner {
            VariadicRewrite::Nested => rewriting.nest(operator, operand, written),
            VariadicRewrite::Paired(name) => {
                let Some(two) = library_binding(texts, name) else { continue };
                rewriting.become_variable(operator, two);
                if let Node::Cons(_, first) = rewriting.named.node(operand) {
                    rewriting.pair(two, first, written - 2);
                }
            }
            VariadicRewrite::PairedBefore(name) => {
                let Some(two) = library_binding(texts, name) else { continue };
                rewriting.pair(two, operand, written - 1);
            }
        }
    }
}

/// The number of lists or vectors that the procedures take.
const TAKEN: usize = 2;

/// The rewriting of one application.
struct Rewriting<'resolving> {
    named: &'resolving mut Named,
    scopes: &'resolving mut Scopes,
    /// The spans of its operator and of the whole application.
    places: (Span, Span),
}

impl Rewriting<'_> {
    /// `(f a b c ...)`, of so many operands, becomes `(f a (f b (f c ...)))`.
    fn nest(&mut self, operator: NodeId, operands: NodeId, count: usize) {
        let Some(meant) = self.scopes.variable(operator) else { return };
        let mut tuple = operands;
        for _ in TAKEN..count {
            let Node::Cons(first, rest) = self.named.node(tuple) else { return };
            let application = self.application(meant, rest);
            self.named.set(tuple, Node::Cons(first, application));
            tuple = rest;
        }
    }

    /// The second half of a tuple of so many lists `a b c ...` becomes `(two cons a (two cons b c ...))`.
    fn pair(&mut self, two: Variable, tuple: NodeId, count: usize) {
        let mut tuple = tuple;
        for _ in 1..count {
            let Node::Cons(first, lists) = self.named.node(tuple) else { return };
            let cons = self.variable(Variable::Primitive(Primitive::Cons));
            let operands = self.named.add(Node::Cons(cons, lists), self.places.1);
            let application = self.application(two, operands);
            self.named.set(tuple, Node::Cons(first, application));
            tuple = lists;
        }
    }

    fn application(&mut self, meant: Variable, operand: NodeId) -> NodeId {
        let operator = self.variable(meant);
        self.named.add(Node::Application(operator, operand), self.places.1)
    }

    fn variable(&mut self, meant: Variable) -> NodeId {
        let node = self.named.reserve(self.places.0);
        self.become_variable(node, meant);
        node
    }

    /// Makes a node a variable with that binding. The name in the node is a placeholder; the written name is the text
    /// at its span.
    fn become_variable(&mut self, node: NodeId, meant: Variable) {
        self.named.set(node, Node::Variable(Names::CONS));
        self.scopes.mean(node, meant);
    }
}

/// Returns the binding of a name in the prelude, or in libraries that the program includes.
fn library_binding(texts: Texts<'_>, name: &str) -> Option<Variable> {
    let name = texts.names.find(name)?;
    let place_in = |items: &[NamedItem], is_meant: &dyn Fn(Span) -> bool| {
        let definitions = items.iter().filter_map(|item| match *item {
            NamedItem::Define(name, span, _) => Some((name, span)),
            NamedItem::Expression(_) => None,
        });
        let place = definitions.into_iter().position(|(known, span)| known == name && is_meant(span));
        place.map(|place| place as u32)
    };
    let of_prelude = place_in(texts.prelude, &|_| true).map(Variable::Prelude);
    let of_library = || place_in(texts.items, &|span| texts.sources.is_library(span.file)).map(Variable::Program);
    of_prelude.or_else(of_library)
}

/// Returns true if a variable means a definition of the prelude or of a library.
fn is_shipped(texts: Texts<'_>, meant: Variable) -> bool {
    let definition = |place: u32| {
        let mut definitions = texts.items.iter().filter_map(|item| match item {
            NamedItem::Define(_, span, _) => Some(*span),
            NamedItem::Expression(_) => None,
        });
        definitions.nth(place as usize)
    };
    match meant {
        Variable::Prelude(_) => true,
        Variable::Program(place) => definition(place).is_some_and(|span| texts.sources.is_library(span.file)),
        Variable::Pattern(_) | Variable::Member(..) | Variable::Primitive(_) => false,
    }
}
