//! Tagged values: the data of the reflective basis (report, part 17; TR-ECE-08-01, section 4.1).
//!
//! A tag is at the root of a value: the bundle of two pairs is one bundle, not a pair of bundles. So only the
//! primitives of the basis, and procedures with the same tag, see through a tag, and a tagged procedure remains a
//! procedure. The tangent of a constant is made on demand: `(j* x)` takes constant time, and traversals read x a second
//! time, with each real as +0 ([`Reading`]).

use crate::lifted::Number;
use crate::value::{Backpropagator, Bundle, Primals, Tagged, Tagging, Tangent, Value};
use smallvec::{SmallVec, smallvec};
use std::fmt;
use std::rc::Rc;
use vlad_table::Tag;

impl Backpropagator {
    /// A backpropagator without a tape.
    pub fn new(operator: Value, operand: Value, reads: Option<Rc<[f64]>>) -> Backpropagator {
        Backpropagator { operator, operand, reads, record: None }
    }

    /// The same backpropagator with other parts, and without a tape.
    pub fn of_others(&self, operator: Value, operand: Value, primals: Primals) -> Backpropagator {
        Backpropagator::new(operator, operand, self.reads.clone().filter(|_| primals == Primals::Same))
    }

    /// The pair of f and x.
    pub fn parts(&self) -> Value {
        Value::pair(self.operator.clone(), self.operand.clone())
    }
}

impl Primals {
    /// The relation for a part with the given reading.
    #[must_use]
    pub fn read(self, reading: Reading) -> Primals {
        if reading == Reading::AsIs { self } else { Primals::Other }
    }
}

impl Tagging {
    /// The join of two markings: tagged if either is.
    #[must_use]
    pub fn or(self, other: Tagging) -> Tagging {
        if self == Tagging::Tagged { self } else { other }
    }
}

/// The reading of the reals of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// As they are.
    AsIs,
    /// As +0: the value is seen as the zero of its tangent space.
    AsZero,
}

/// A value with the way in which it is read.
#[derive(Clone, Copy)]
pub struct ValueView<'value> {
    /// The value.
    pub value: &'value Value,
    /// The way of reading.
    pub reading: Reading,
}

impl<'value> ValueView<'value> {
    /// A value with its reals as they are.
    pub fn as_is(value: &'value Value) -> ValueView<'value> {
        ValueView { value, reading: Reading::AsIs }
    }

    /// A part of the value, read in the same way.
    #[must_use]
    pub fn part(self, value: &'value Value) -> ValueView<'value> {
        ValueView { value, reading: self.reading }
    }

    /// The value as a real, if it is one.
    pub fn number(self) -> Option<Number> {
        self.value.number().map(|number| self.read(number))
    }

    /// A real of the value, read in the same way.
    pub fn read(self, number: Number) -> Number {
        match self.reading {
            Reading::AsIs => number,
            Reading::AsZero => Number::Real(0.0),
        }
    }

    /// The parts of the value, which is the given tagged value. The zero tangent of a constant is one of them.
    pub fn parts_of(self, tagged: &'value Tagged) -> SmallVec<[ValueView<'value>; 2]> {
        let mut parts: SmallVec<[ValueView<'value>; 2]> =
            tagged.contents().into_iter().map(|part| self.part(part)).collect();
        if let Tagged::Bundle(Bundle { primal, tangent: Tangent::Zero, .. }) = tagged {
            parts.push(ValueView { value: primal, reading: Reading::AsZero });
        }
        parts
    }
}

impl Tagged {
    /// The tag.
    pub fn tag(&self) -> Tag {
        match self {
            Tagged::Perturbation(_) => Tag::Perturbation,
            Tagged::Sensitivity(_) => Tag::Sensitivity,
            Tagged::Reverse(_) => Tag::Reverse,
            Tagged::Bundle(_) => Tag::Bundle,
            Tagged::Backpropagator(_) => Tag::Backpropagator,
        }
    }

    /// The values under the tag, one or two.
    pub fn contents(&self) -> SmallVec<[&Value; 2]> {
        match self {
            Tagged::Perturbation(content)
            | Tagged::Sensitivity(content)
            | Tagged::Reverse(content)
            | Tagged::Bundle(Bundle { primal: content, tangent: Tangent::Zero, .. }) => smallvec![content],
            Tagged::Bundle(Bundle { primal, tangent: Tangent::Given(tangent), .. }) => smallvec![primal, tangent],
            Tagged::Backpropagator(Backpropagator { operator, operand, .. }) => smallvec![operator, operand],
        }
    }

    /// Makes a value with the same tag and other contents: as many as [`Tagged::contents`], or [`ValueView::parts_of`],
    /// returns.
    #[must_use]
    pub fn with(&self, first: Value, second: Option<Value>, primals: Primals) -> Tagged {
        match self {
            Tagged::Perturbation(_) => Tagged::Perturbation(first),
            Tagged::Sensitivity(_) => Tagged::Sensitivity(first),
            Tagged::Reverse(_) => Tagged::Reverse(first),
            Tagged::Bundle(Bundle { marking, .. }) => {
                let tangent = second.map_or(Tangent::Zero, Tangent::Given);
                Tagged::Bundle(Bundle { primal: first, tangent, marking: *marking })
            }
            Tagged::Backpropagator(backpropagator) => {
                Tagged::Backpropagator(backpropagator.of_others(first, second.unwrap_or_default(), primals))
            }
        }
    }
}

/// Returns true if a value can be applied: a primitive, a procedure, or one of these under tags.
pub fn is_procedure(value: &Value) -> bool {
    let mut value = value;
    loop {
        value = match value {
            Value::Primitive(_) | Value::Procedure { .. } => return true,
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Pair(_)
            | Value::Capsule(_)
            | Value::Vector(_) => {
                return false;
            }
            Value::Tagged(tagged) => match &**tagged {
                Tagged::Perturbation(content) | Tagged::Sensitivity(content) | Tagged::Reverse(content) => content,
                Tagged::Bundle(bundle) => &bundle.primal,
                Tagged::Backpropagator(_) => return true,
            },
        };
    }
}

// As for pairs, the parts are omitted.
impl fmt::Debug for Tagged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.tag())
    }
}
