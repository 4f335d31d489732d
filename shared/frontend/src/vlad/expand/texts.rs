//! Desugaring of applications with texts among their operands: `(write "x = " x)` is `write-text` applied to the pair of a
//! template, which is one constant, and the tuple of the values; and so `error`, with `error-text`.
//!
//! Texts are no values. In the template each is the vector of its character codes, and `#t` is in the place of a value.

use crate::vlad::expand::Expander;
use crate::vlad::expand::lists::{Operand, PairSpans, TupleEnd};
use crate::vlad::syntax::tree::{Datum, DatumId, Parts};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::{Constant, ConstantId};
use vlad_language::named::{Named, Node, NodeId};
use vlad_language::names::Names;
use vlad_table::Primitive;

impl Expander<'_> {
    /// Returns the primitive that an operator means if there is a text among its operands, and its name takes texts.
    pub(super) fn operator_of_texts(&self, operator: DatumId, operands: Parts) -> Option<Primitive> {
        let Datum::Name(name) = self.tree.datum(operator) else { return None };
        let is_text = |operand: &DatumId| matches!(self.tree.datum(*operand), Datum::Text(_));
        if !self.tree.parts(operands).iter().any(is_text) {
            return None;
        }
        Primitive::named(self.names.text(name))?.with_texts()
    }

    /// `(write "x = " x)`.
    pub(super) fn expand_texts(&mut self, into: NodeId, operator: (DatumId, Primitive), operands: Parts) {
        let (written, primitive) = operator;
        let span = self.tree.span(written);
        let operator = self.named.add(Node::Variable(Names::primitive(primitive)), span);
        if let Datum::Name(name) = self.tree.datum(written) {
            self.named.note_texts(operator, name);
        }
        let whole = self.tree.span_of(operands).unwrap_or(span);
        let mut template = Vec::new();
        let mut values = Vec::new();
        for datum in self.tree.parts(operands) {
            match self.tree.datum(*datum) {
                Datum::Text(text) => template.push(self.text(*datum, self.names.text(text))),
                _ => {
                    template.push(Named::TRUE);
                    values.push(*datum);
                }
            }
        }
        let template = self.named.add_constant_list(template.into_iter(), Named::NIL);
        let template = self.named.add(Node::Constant(template), whole);
        let of_values = values.first().zip(values.last());
        let tuple = of_values.map_or(whole, |(first, last)| self.tree.span(*first).to(self.tree.span(*last)));
        let tuple = self.named.reserve(tuple);
        let operand = self.named.add(Node::Cons(template, tuple), whole);
        self.named.set(into, Node::Application(operator, operand));
        let values = values.into_iter().map(|datum| Operand { datum: Some(datum), name: None });
        self.tuple(tuple, values, PairSpans::ToTheLast, TupleEnd::Operand);
    }

    /// The vector of the character codes of a text.
    fn text(&mut self, datum: DatumId, text: &str) -> ConstantId {
        if text.contains(|character: char| character.is_control() && character != '\t') {
            let message = "a text that is printed has no control characters but the tab";
            self.report.push(Diagnostic::new(Kind::Syntax, self.tree.span(datum), message));
        }
        let codes = text.chars().map(|character| Constant::Real(f64::from(u32::from(character))));
        let codes = codes.map(|code| self.named.add_constant(code)).collect();
        self.named.add_constant(Constant::Vector(codes))
    }
}
