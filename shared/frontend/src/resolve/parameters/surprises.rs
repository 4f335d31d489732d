//! Warnings about calls that succeed, but not with what was meant.
//!
//! - *A list for operands*: `(append (list a))` passes a list to a procedure of two parameters or more, the last of which takes
//!   the rest of the list; `(+ '())` is the sum of no operands.
//! - *Joined words*: texts of `write` and `error` are printed as they are, so `(error "bad" 3)` prints `bad3`. A word of one
//!   letter is taken for a name that an index belongs to.
//! - *An operand too many* for a single name of a procedure that comes with vlad, also if it needs no real: of these only the few
//!   that take any value take tuples.

use super::{Callee, Checker};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::{Constant, ConstantId};
use vlad_language::named::{NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_table::{ArgumentUse, Primitive};

/// The procedures of the prelude and of libraries whose single operand may be any value, and so a tuple.
const OF_ANY_VALUE: [&str; 4] = ["identity", "tree-size", "tree-norm", "tree-finite?"];

impl Checker<'_> {
    /// Returns the warning about an application of one operand that is written as a list, or of texts.
    pub(super) fn surprise(&self, node: NodeId, callee: Callee, operand: NodeId, written: usize) -> Option<Diagnostic> {
        let named = self.unresolved.named;
        let warn = |message: String| Diagnostic::new(Kind::Operands, named.span(node), message);
        match callee {
            Callee::Lambda(lambda) => {
                let (count, last) = self.parameters(named.lambda(lambda).pattern);
                let is_taken_apart = count > 1 && matches!(named.pattern(last), NamedPattern::Variable(_));
                if written != 1 || !is_taken_apart || !self.is_list(operand) {
                    return None;
                }
                let name = named.lambda(lambda).name.map(|name| format!("`{}`", self.unresolved.names.text(name)));
                let name = name.unwrap_or_else(|| "this procedure".to_owned());
                let message = format!("{name} takes {count} operands, found a list");
                let hint = "the elements are taken for the operands, and the rest of the list for the last one";
                Some(warn(message).with_hint(hint))
            }
            Callee::Primitive(primitive @ (Primitive::WriteText | Primitive::ErrorText)) => {
                let Node::Cons(template, _) = named.node(operand) else { return None };
                let Node::Constant(template) = named.node(template) else { return None };
                let word = self.joined(template)?;
                let name = if primitive == Primitive::ErrorText { "error" } else { "write" };
                let message = format!("`{name}` prints the text `{word}` and the value next to it as one word");
                Some(warn(message).with_hint("a blank between them is part of the text"))
            }
            Callee::Primitive(primitive) => {
                let signature = primitive.row().form.signature();
                let is_of_several = signature.access == ArgumentUse::Reals && signature.operands.most.is_none();
                if written != 1 || !is_of_several || !self.is_list(operand) {
                    return None;
                }
                let name = primitive.name();
                let message = format!("`{name}` takes reals as its operands, found a list");
                Some(warn(message).with_hint(format!("to combine the elements of a list use `(reduce {name} ...)`")))
            }
        }
    }

    /// Returns true if the lambda belongs to the prelude or a library and takes one value, which is no tuple.
    pub(super) fn takes_no_tuple(&self, lambda: NamedLambdaId, pattern: NamedPatternId) -> bool {
        let named = self.unresolved.named;
        let is_of_prelude = || self.prelude.iter().any(|node| named.node(*node) == Node::Lambda(lambda));
        let is_shipped = self.unresolved.sources.is_library(named.pattern_span(pattern).file) || is_of_prelude();
        let name = named.lambda(lambda).name.map(|name| self.unresolved.names.text(name));
        is_shipped && name.is_some_and(|name| !OF_ANY_VALUE.contains(&name))
    }

    /// Returns true if an operand is written as a list: `(cons a '(b))` is not.
    fn is_list(&self, operand: NodeId) -> bool {
        let named = self.unresolved.named;
        let mut rest = operand;
        while let Node::Cons(_, others) = named.node(rest) {
            rest = others;
        }
        match named.node(rest) {
            Node::Constant(mut constant) => {
                while let Constant::Pair(_, others) = named.constant(constant)
                    && rest == operand
                {
                    constant = *others;
                }
                matches!(named.constant(constant), Constant::Nil)
            }
            Node::Variable(_)
            | Node::Lambda(_)
            | Node::Application(..)
            | Node::Cons(..)
            | Node::If(..)
            | Node::Letrec(..) => false,
        }
    }

    /// Returns the first text of a template that ends in a word and has a value behind it, or begins with one behind a value.
    fn joined(&self, template: ConstantId) -> Option<String> {
        let named = self.unresolved.named;
        let mut rest = template;
        let mut last: Option<String> = None;
        let mut is_behind_value = false;
        while let Constant::Pair(item, others) = *named.constant(rest) {
            match self.text_of(item) {
                Some(text) if is_behind_value && is_word(text.chars()) => return Some(text),
                Some(text) => (last, is_behind_value) = (Some(text), false),
                None => match last.take().filter(|text| is_word(text.chars().rev())) {
                    Some(text) => return Some(text),
                    None => is_behind_value = true,
                },
            }
            rest = others;
        }
        None
    }

    /// The text of an item of a template; none of the place of a value.
    fn text_of(&self, item: ConstantId) -> Option<String> {
        let Constant::Vector(codes) = self.unresolved.named.constant(item) else { return None };
        let character = |code: &ConstantId| match self.unresolved.named.constant(*code) {
            Constant::Real(code) => char::from_u32(*code as u32),
            _ => None,
        };
        codes.iter().map(character).collect()
    }
}

/// Returns true if characters begin with two letters.
fn is_word(characters: impl Iterator<Item = char>) -> bool {
    characters.take(2).filter(|character| character.is_alphabetic()).count() == 2
}
