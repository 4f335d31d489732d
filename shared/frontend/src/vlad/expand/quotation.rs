//! Desugaring of `quote` and vector literals: numbers, booleans, the empty list, and pairs, lists and vectors of them
//! are one constant, whatever their size.

use crate::vlad::expand::Expander;
use crate::vlad::syntax::tree::{Datum, DatumId};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::{Constant, ConstantId};
use vlad_language::named::{Named, Node, NodeId};

/// A pending step in the evaluation of a quoted datum.
enum Step {
    /// Find the constant of a datum.
    Visit(DatumId),
    /// Make the last few constants a list.
    List(usize),
    /// Make the last few constants a list whose rest is the last of them.
    Dotted(usize),
    /// Make the last few constants a vector.
    Vector(usize),
}

/// The hint that says which data can be quoted.
const SYMBOLS: &str =
    "a number can stand for a symbol, as after (define red 0); a list of values is (list expression ...)";

/// The hint for other quoted data.
const QUOTED_DATA: &str = "quoted data are numbers, booleans, the empty list, and pairs, lists and vectors of them";
/// The additional hint within a vector literal.
const WITHIN_VECTORS: &str = "#(...) holds data, as a quotation does; a vector of values is (vector expression ...)";

impl Expander<'_> {
    /// Makes a node the constant of a datum.
    pub(super) fn expand_quoted(&mut self, into: NodeId, datum: DatumId) {
        let constant = self.quoted(datum);
        self.named.set(into, Node::Constant(constant));
    }

    /// The constant of a quoted datum.
    pub(super) fn quoted(&mut self, datum: DatumId) -> ConstantId {
        let mut constants: Vec<ConstantId> = vec![];
        let mut steps = vec![Step::Visit(datum)];
        let mut open_vectors = 0_usize;
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(datum) => match self.tree.datum(datum) {
                    Datum::List(parts) => {
                        steps.push(Step::List(parts.count()));
                        steps.extend(self.tree.parts(parts).iter().rev().map(|part| Step::Visit(*part)));
                    }
                    Datum::Dotted(parts) => {
                        steps.push(Step::Dotted(parts.count()));
                        steps.extend(self.tree.parts(parts).iter().rev().map(|part| Step::Visit(*part)));
                    }
                    Datum::Vector(parts) => {
                        open_vectors += 1;
                        steps.push(Step::Vector(parts.count()));
                        steps.extend(self.tree.parts(parts).iter().rev().map(|part| Step::Visit(*part)));
                    }
                    Datum::Real(_)
                    | Datum::Boolean(_)
                    | Datum::Name(_)
                    | Datum::Text(_)
                    | Datum::Quote(_)
                    | Datum::Invalid => {
                        let hint = if open_vectors > 0 { WITHIN_VECTORS } else { QUOTED_DATA };
                        constants.push(self.quoted_atom(datum, hint));
                    }
                },
                Step::List(count) => {
                    let first = constants.len() - count;
                    let list = self.named.add_constant_list(constants.drain(first..), Named::NIL);
                    constants.push(list);
                }
                Step::Dotted(count) => {
                    let last = constants.pop().unwrap_or(Named::NIL);
                    let first = constants.len() + 1 - count;
                    let list = self.named.add_constant_list(constants.drain(first..), last);
                    constants.push(list);
                }
                Step::Vector(count) => {
                    open_vectors -= 1;
                    let first = constants.len() - count;
                    let vector = Constant::Vector(constants.drain(first..).collect());
                    constants.push(self.named.add_constant(vector));
                }
            }
        }
        constants.pop().unwrap_or(Named::NIL)
    }

    /// The constant of a quoted datum that has no parts.
    fn quoted_atom(&mut self, datum: DatumId, hint: &str) -> ConstantId {
        let message = match self.tree.datum(datum) {
            Datum::Real(real) => return self.named.add_constant(Constant::Real(real)),
            Datum::Boolean(boolean) => return self.named.add_constant(Constant::Boolean(boolean)),
            Datum::Invalid | Datum::List(_) | Datum::Dotted(_) | Datum::Vector(_) => return Named::NIL,
            Datum::Name(name) => {
                let text = self.names.text(name);
                let message = format!("`{text}` within a quotation would be a symbol, and there are no symbols");
                let hint = if hint == QUOTED_DATA { SYMBOLS } else { hint };
                return self.no_datum(datum, message, hint);
            }
            Datum::Text(_) => "there are no strings among the values of the language".to_string(),
            Datum::Quote(_) => "a quotation within a quotation would be a symbol, and there are no symbols".to_string(),
        };
        self.no_datum(datum, message, hint)
    }

    fn no_datum(&mut self, datum: DatumId, message: String, hint: &str) -> ConstantId {
        self.report.push(Diagnostic::new(Kind::Syntax, self.tree.span(datum), message).with_hint(hint));
        Named::NIL
    }
}
