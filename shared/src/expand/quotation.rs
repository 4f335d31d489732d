//! `quote` and vector literals: numbers, booleans, the empty list, and pairs, lists and vectors of them are one constant,
//! whatever their size.

use super::Expander;
use super::named::{Node, NodeId};
use crate::diagnostic::{Diagnostic, Kind};
use crate::syntax::tree::{Datum, DatumId};
use crate::value::Value;
use crate::vector::Vector;

/// What is still to be done for a quoted datum.
enum Step {
    /// Find the value of a datum.
    Visit(DatumId),
    /// Make the last few values a list.
    List(usize),
    /// Make the last few values a list whose rest is the last of them.
    Dotted(usize),
    /// Make the last few values a vector.
    Vector(usize),
}

/// What quoted data are.
const QUOTED_DATA: &str = "quoted data are numbers, booleans, the empty list, and pairs, lists and vectors of them";
/// And what to write instead of a vector of them.
const WITHIN_VECTORS: &str = "#(...) holds data, as a quotation does; a vector of values is (vector expression ...)";

impl Expander<'_> {
    /// Makes a node the constant that a datum is.
    pub(super) fn expand_quoted(&mut self, into: NodeId, datum: DatumId) {
        let value = self.quoted(datum);
        let constant = self.named.add_constant(value);
        self.named.set(into, Node::Constant(constant));
    }

    /// The value of a quoted datum.
    pub(super) fn quoted(&mut self, datum: DatumId) -> Value {
        let mut values: Vec<Value> = vec![];
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
                        values.push(self.quoted_atom(datum, hint));
                    }
                },
                Step::List(count) => {
                    let first = values.len() - count;
                    let list = Value::list(values.drain(first..));
                    values.push(list);
                }
                Step::Dotted(count) => {
                    let last = values.pop().unwrap_or_default();
                    let first = values.len() + 1 - count;
                    let list = values.drain(first..).rev().fold(last, |rest, value| Value::pair(value, rest));
                    values.push(list);
                }
                Step::Vector(count) => {
                    open_vectors -= 1;
                    let first = values.len() - count;
                    let vector: Vector = values.drain(first..).collect();
                    values.push(Value::vector(vector));
                }
            }
        }
        values.pop().unwrap_or_default()
    }

    /// The value of a quoted datum that has no parts.
    fn quoted_atom(&mut self, datum: DatumId, hint: &str) -> Value {
        let message = match self.tree.datum(datum) {
            Datum::Real(real) => return Value::Real(real),
            Datum::Boolean(boolean) => return Value::Boolean(boolean),
            Datum::Invalid | Datum::List(_) | Datum::Dotted(_) | Datum::Vector(_) => return Value::Nil,
            Datum::Name(name) => {
                let text = self.names.text(name);
                format!("`{text}` within a quotation would be a symbol, and there are no symbols")
            }
            Datum::Text(_) => "there are no strings in the language but file names".to_string(),
            Datum::Quote(_) => "a quotation within a quotation would be a symbol, and there are no symbols".to_string(),
        };
        self.report.push(Diagnostic::new(Kind::Syntax, self.tree.span(datum), message).with_hint(hint));
        Value::Nil
    }
}
