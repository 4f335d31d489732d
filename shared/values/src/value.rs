//! Values: the data of VLAD programs.
//!
//! Invariants. Data is immutable and acyclic (`letrec` ties no knot, see [`Value::Procedure`]). A value takes 16 bytes;
//! copying one never copies what it refers to. Dropping a value of any depth takes constant host stack: when a pair or
//! a set of slots dies, its parts are put on a worklist. A program cannot observe whether two values are the same
//! object.

use crate::lifted::{Lifted, Number};
use crate::reals::Reals;
use smallvec::SmallVec;
use std::any::Any;
use std::fmt;
use std::rc::Rc;
use vlad_core::{LambdaId, Program};
use vlad_table::Primitive;

/// A value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// The empty list.
    #[default]
    Nil,
    /// `#t` or `#f`.
    Boolean(bool),
    /// A real at no level of differentiation.
    Real(f64),
    /// A real that takes part in a differentiation in progress.
    Lifted(Rc<Lifted>),
    /// A primitive procedure.
    Primitive(Primitive),
    /// A pair.
    Pair(Rc<Pair>),
    /// A closure made by a lambda: code and the values of its free variables.
    ///
    /// The members of a `letrec` group share their slots, which are the group's free variables without its own names; a
    /// reference from one member to another makes a procedure of the other's code and the same slots.
    Procedure {
        /// The code.
        code: LambdaId,
        /// The captured values; none if there are no free variables.
        slots: Option<Rc<Slots>>,
    },
    /// A capsule: a suspended computation as a value.
    Capsule(Rc<Capsule>),
    /// A tagged value of the reflective basis.
    Tagged(Rc<Tagged>),
    /// A vector.
    Vector(Rc<Vector>),
}

/// A pair of values.
pub struct Pair {
    /// The half that `car` returns.
    pub first: Value,
    /// The half that `cdr` returns.
    pub second: Value,
}

/// The captured values of a procedure, in order of first free occurrence.
pub struct Slots {
    pub(crate) values: SmallVec<[Value; 3]>,
}

/// A value with a tag.
pub enum Tagged {
    /// A tangent, made by `perturb`.
    Perturbation(Value),
    /// A cotangent, made by `sensitize`.
    Sensitivity(Value),
    /// A reversed value, for reverse mode, made by `*j` of a value.
    Reverse(Value),
    /// A bundle, for forward mode, made by `bundle`, or by `j*` of a value.
    Bundle(Bundle),
    /// The backpropagator of `((*j f) (*j x))`: a procedure with the parts f and x.
    Backpropagator(Backpropagator),
}

/// A value with a tangent.
pub struct Bundle {
    /// The value.
    pub primal: Value,
    /// The tangent, which conforms to it.
    pub tangent: Tangent,
    /// The form in which `tangent` returns it.
    pub marking: Tagging,
}

/// The tangent in a bundle.
pub enum Tangent {
    /// The zero of the primal's tangent space.
    Zero,
    /// A tangent that was given.
    Given(Value),
}

/// The form of tangents and cotangents at the interface of operators, in which the two published families of programs
/// differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tagging {
    /// Plain data.
    Plain,
    /// Tagged, as perturbations or sensitivities.
    Tagged,
}

/// A backpropagator.
pub struct Backpropagator {
    /// The procedure f.
    pub operator: Value,
    /// Its operand x.
    pub operand: Value,
    /// The input that the application has read; none if f or x have other primals than at the application.
    pub reads: Option<Rc<[f64]>>,
    /// The record of the application; none if f has to be executed at each call.
    pub record: Option<Box<dyn Record>>,
}

/// The recorded application that a backpropagator keeps: a tape, defined in the crate `vlad-ad`.
pub trait Record: fmt::Debug + Any {
    /// Moves all values out to `take`, which drops them in constant host stack.
    fn empty(&mut self, take: &mut dyn FnMut(Value));
}

/// The stop points of a skeleton, in the representation of the engine that made them.
pub trait Points: fmt::Debug + Any {
    /// Returns true if both are at the same places of equal code, up to bound names.
    fn same(&self, other: &dyn Points, program: &Program) -> bool;
}

/// The discrete part of a capsule, which capsules that differ only in their reals share.
pub struct Skeleton {
    /// The stop points at which the computation is suspended.
    pub points: Box<dyn Points>,
    /// The values that its continuation needs, in an order of the engine's, with holes.
    pub values: Vec<Value>,
}

/// A suspended computation.
pub struct Capsule {
    /// Its skeleton.
    pub skeleton: Rc<Skeleton>,
    /// The reals that fill the holes, by number.
    pub reals: Vec<Number>,
    /// The relation of these reals to those of the suspended computation: the same primals, or others.
    pub primals: Primals,
}

/// The relation of the primals of a rebuilt value or a capsule to those of its original. If they are the same, a
/// backpropagator in it still belongs to the same application, and keeps what that has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primals {
    /// They are the same: reals are lifted, or a level is stripped.
    Same,
    /// They need not be the same.
    Other,
}

/// A vector.
#[derive(Clone)]
pub struct Vector {
    pub(crate) elements: Elements,
    /// True if reals with levels may be among its elements.
    pub(crate) may_be_lifted: bool,
}

/// The elements of a vector.
#[derive(Clone)]
pub enum Elements {
    /// Only reals, unboxed.
    Reals(Reals),
    /// Any values.
    Values(Vec<Value>),
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        match number {
            Number::Real(real) => Value::Real(real),
            Number::Lifted(lifted) => Value::Lifted(lifted),
        }
    }
}

impl Value {
    /// Makes the pair of two values.
    #[inline]
    pub fn pair(first: Value, second: Value) -> Value {
        Value::Pair(Rc::new(Pair { first, second }))
    }

    /// Makes a tagged value.
    pub fn tagged(tagged: Tagged) -> Value {
        Value::Tagged(Rc::new(tagged))
    }

    /// Makes a vector.
    pub fn vector(vector: Vector) -> Value {
        Value::Vector(Rc::new(vector))
    }

    /// Makes the list of some values.
    pub fn list<I: IntoIterator<Item = Value>>(values: I) -> Value
    where
        I::IntoIter: DoubleEndedIterator,
    {
        values.into_iter().rev().fold(Value::Nil, |rest, value| Value::pair(value, rest))
    }

    /// The value as a number, if it is a real.
    pub fn number(&self) -> Option<Number> {
        match self {
            Value::Real(real) => Some(Number::Real(*real)),
            Value::Lifted(lifted) => Some(Number::Lifted(Rc::clone(lifted))),
            Value::Nil
            | Value::Boolean(_)
            | Value::Primitive(_)
            | Value::Pair(_)
            | Value::Procedure { .. }
            | Value::Capsule(_)
            | Value::Tagged(_)
            | Value::Vector(_) => None,
        }
    }

    /// The plain real under all levels, if the value is a real.
    pub fn base(&self) -> Option<f64> {
        match self {
            Value::Real(real) => Some(*real),
            Value::Lifted(lifted) => Some(lifted.primal.base()),
            Value::Nil
            | Value::Boolean(_)
            | Value::Primitive(_)
            | Value::Pair(_)
            | Value::Procedure { .. }
            | Value::Capsule(_)
            | Value::Tagged(_)
            | Value::Vector(_) => None,
        }
    }

    /// Returns true if a condition takes it as true: everything except `#f`.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Boolean(false))
    }

    /// Returns true if it may take much memory: it has parts, or is a vector.
    pub fn may_be_large(&self) -> bool {
        self.is_compound() || matches!(self, Value::Vector(_))
    }

    /// Returns true if it refers to parts that may in turn refer to parts.
    pub fn is_compound(&self) -> bool {
        match self {
            Value::Pair(_) | Value::Procedure { slots: Some(_), .. } | Value::Capsule(_) | Value::Tagged(_) => true,
            Value::Vector(vector) => matches!(vector.elements, Elements::Values(_)),
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Primitive(_)
            | Value::Procedure { slots: None, .. } => false,
        }
    }
}

/// The values in the slots of a procedure.
pub fn slot_values(slots: &Option<Rc<Slots>>) -> &[Value] {
    slots.as_ref().map_or(&[], |slots| &slots.values)
}

impl Slots {
    /// Slots of some values.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Slots {
        Slots { values: values.into_iter().collect() }
    }

    /// The values.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

// The parts are omitted, since data may be deep; `print::summary` shows values to users.
impl fmt::Debug for Pair {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Pair").finish_non_exhaustive()
    }
}

impl fmt::Debug for Slots {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} slots", self.values.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_16_bytes() {
        assert_eq!(size_of::<Value>(), 16);
        assert_eq!(size_of::<Number>(), 16);
    }
}
