//! Tagged values: what the reflective basis marks (report, part 17; TR-ECE-08-01, section 4.1).
//!
//! A tag stands at the root of a value: the bundle of two pairs is one bundle, not a pair of bundles. So nothing but the
//! primitives of the basis, and procedures that carry the tag themselves, see through one, and a tagged procedure stays a
//! procedure. The tangent of a constant is not made before somebody looks: `(j* x)` takes constant time, and walks read x a
//! second time, with each real as +0 ([`Reading`]).

use crate::differentiation::backpropagator::Backpropagator;
use crate::differentiation::rebuild::Primals;
use crate::value::{Number, Value};
use smallvec::{SmallVec, smallvec};
use std::fmt;
use std::mem;

/// A value with a tag.
pub enum Tagged {
    /// What `perturb` makes: a tangent.
    Perturbation(Value),
    /// What `sensitize` makes: a cotangent.
    Sensitivity(Value),
    /// What `*j` makes of a value: for reverse mode.
    Reverse(Value),
    /// What `bundle` makes, or `j*` of a value: for forward mode.
    Bundle(Bundle),
    /// The way back of `((*j f) (*j x))`: a procedure, of which f and x are the parts.
    Backpropagator(Backpropagator),
}

/// A value and a tangent of it.
pub struct Bundle {
    /// The value.
    pub primal: Value,
    /// The tangent, which conforms to it.
    pub tangent: Tangent,
    /// How `tangent` gives it.
    pub marking: Marking,
}

/// The tangent in a bundle.
pub enum Tangent {
    /// The zero of the tangent space of the primal.
    Zero,
    /// One that was given.
    Given(Value),
}

/// Whether tangents and cotangents come and go tagged: the two published families of programs differ in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marking {
    /// As plain data.
    Plain,
    /// As perturbations, or sensitivities.
    Tagged,
}

impl Marking {
    /// That of what comes of two.
    #[must_use]
    pub fn or(self, other: Marking) -> Marking {
        if self == Marking::Tagged { self } else { other }
    }
}

/// The tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// `perturbation`.
    Perturbation,
    /// `sensitivity`.
    Sensitivity,
    /// `reverse`.
    Reverse,
    /// `forward`.
    Bundle,
    /// That of a backpropagator, which is not shown.
    Backpropagator,
}

/// How the reals of a value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// As they are.
    AsIs,
    /// As +0: the value stands for the zero of its tangent space.
    AsZero,
}

/// A value, and how it is read.
#[derive(Clone, Copy)]
pub struct Seen<'value> {
    /// The value.
    pub value: &'value Value,
    /// How.
    pub reading: Reading,
}

impl<'value> Seen<'value> {
    /// A value as it is.
    pub fn as_is(value: &'value Value) -> Seen<'value> {
        Seen { value, reading: Reading::AsIs }
    }

    /// A part of it.
    #[must_use]
    pub fn part(self, value: &'value Value) -> Seen<'value> {
        Seen { value, reading: self.reading }
    }

    /// The real that it is, if it is one.
    pub fn number(self) -> Option<Number> {
        self.value.number().map(|number| self.read(number))
    }

    /// A real of it.
    pub fn read(self, number: Number) -> Number {
        match self.reading {
            Reading::AsIs => number,
            Reading::AsZero => Number::Real(0.0),
        }
    }

    /// The parts of a tagged value that it is: the tangent of a constant is one.
    pub fn parts_of(self, tagged: &'value Tagged) -> SmallVec<[Seen<'value>; 2]> {
        let mut parts: SmallVec<[Seen<'value>; 2]> =
            tagged.contents().into_iter().map(|part| self.part(part)).collect();
        if let Tagged::Bundle(Bundle { primal, tangent: Tangent::Zero, .. }) = tagged {
            parts.push(Seen { value: primal, reading: Reading::AsZero });
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

    /// The values that it has, one or two.
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

    /// A value with the same tag of other values: as many as [`Tagged::contents`], or [`Seen::parts_of`], gives.
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

    /// Takes out all values, which are not needed any more.
    pub(crate) fn empty(&mut self, take: &mut dyn FnMut(Value)) {
        match self {
            Tagged::Perturbation(content) | Tagged::Sensitivity(content) | Tagged::Reverse(content) => {
                take(mem::take(content));
            }
            Tagged::Bundle(Bundle { primal, tangent, .. }) => {
                take(mem::take(primal));
                if let Tangent::Given(tangent) = tangent {
                    take(mem::take(tangent));
                }
            }
            Tagged::Backpropagator(backpropagator) => backpropagator.empty(take),
        }
    }
}

/// Whether a value can be applied: a primitive, a procedure, or one of these with tags.
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

// As for pairs, parts are left out.
impl fmt::Debug for Tagged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.tag())
    }
}
