//! Values: what VLAD programs compute with.
//!
//! Invariants. Data is immutable and acyclic (`letrec` ties no knot, see [`Value::Procedure`]). A value takes 16 bytes; copying
//! one never copies what it refers to. Dropping a value of any depth takes constant host stack: a pair or a set of slots
//! that dies hands its parts to a worklist. Nothing in the language can see whether two values are one object.

use crate::capsule::{Capsule, Skeleton};
use crate::core::LambdaId;
use crate::table::Primitive;
use crate::tagged::Tagged;
use crate::vector::{Elements, Vector};
use smallvec::SmallVec;
use std::fmt;
use std::mem;
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// The empty list.
    #[default]
    Nil,
    /// `#t` or `#f`.
    Boolean(bool),
    /// A real that carries no level of differentiation.
    Real(f64),
    /// A real that takes part in a differentiation under way.
    Lifted(Rc<Lifted>),
    /// A primitive procedure.
    Primitive(Primitive),
    /// A pair.
    Pair(Rc<Pair>),
    /// A procedure made by a lambda: code and the values of its free variables.
    ///
    /// The members of a `letrec` group share their slots, which are the group's free variables without its own names; a
    /// reference from one member to another makes a procedure of the other's code and the same slots.
    Procedure {
        /// The code.
        code: LambdaId,
        /// The captured values; none when there are no free variables.
        slots: Option<Rc<Slots>>,
    },
    /// A suspended computation.
    Capsule(Rc<Capsule>),
    /// A value that the reflective basis has marked.
    Tagged(Rc<Tagged>),
    /// A vector.
    Vector(Rc<Vector>),
}

/// A pair of values.
pub struct Pair {
    /// What `car` gives.
    pub first: Value,
    /// What `cdr` gives.
    pub second: Value,
}

/// The captured values of a procedure, in order of first free occurrence.
pub struct Slots {
    values: SmallVec<[Value; 3]>,
}

/// The level of a differentiation: how many differentiations were under way when it began.
pub type Level = u32;

/// No level: what stands in a capsule's skeleton for one of its reals (see [`crate::capsule`]). Never seen outside.
pub const HOLE_LEVEL: Level = Level::MAX;

/// A real at a level: a dual number (forward mode) or a node of a tape (reverse mode), over a primal of lower levels.
#[derive(Debug)]
pub struct Lifted {
    /// The level, higher than any within `primal` and `part`.
    pub level: Level,
    /// The value at the levels below.
    pub primal: Number,
    /// What the level adds.
    pub part: Part,
}

/// What a level adds to a real.
#[derive(Clone, Debug)]
pub enum Part {
    /// Forward mode: the tangent.
    Tangent(Number),
    /// Reverse mode: the number of the node at its level.
    Node(u64),
}

/// A real, lifted or not: what the operations of the table work on.
#[derive(Clone, Debug)]
pub enum Number {
    /// A plain real.
    Real(f64),
    /// A real at one or more levels.
    Lifted(Rc<Lifted>),
}

impl Number {
    /// The plain real under all levels: what predicates, comparisons and printing look at.
    pub fn base(&self) -> f64 {
        let mut number = self;
        loop {
            match number {
                Number::Real(real) => return *real,
                Number::Lifted(lifted) => number = &lifted.primal,
            }
        }
    }
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
    /// The pair of two values.
    pub fn pair(first: Value, second: Value) -> Value {
        Value::Pair(Rc::new(Pair { first, second }))
    }

    /// A value that is marked.
    pub fn tagged(tagged: Tagged) -> Value {
        Value::Tagged(Rc::new(tagged))
    }

    /// A vector.
    pub fn vector(vector: Vector) -> Value {
        Value::Vector(Rc::new(vector))
    }

    /// The list of some values.
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

    /// The plain real under all levels, if it is a real.
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

    /// Whether a condition counts it as true: everything but `#f`.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Boolean(false))
    }

    /// Whether it may take much memory: it has parts, or is a vector.
    pub fn may_be_large(&self) -> bool {
        self.is_compound() || matches!(self, Value::Vector(_))
    }

    /// Whether it refers to parts that may in turn refer to parts.
    pub fn is_compound(&self) -> bool {
        match self {
            Value::Pair(_) | Value::Procedure { slots: Some(_), .. } | Value::Capsule(_) | Value::Tagged(_) => true,
            Value::Vector(vector) => matches!(vector.elements(), Elements::Values(_)),
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

// Parts are left out, since data may be deep; `print::summary` shows values to people.
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

impl Drop for Pair {
    fn drop(&mut self) {
        if self.first.is_compound() || self.second.is_compound() {
            let first = mem::take(&mut self.first);
            let second = mem::take(&mut self.second);
            if second.is_compound() { release(second, first) } else { release(first, second) }
        }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        for value in self.values.drain(..) {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        }
    }
}

impl Drop for Tagged {
    fn drop(&mut self) {
        self.empty(&mut |value| {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        });
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        self.empty(&mut |value| {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        });
    }
}

impl Drop for Skeleton {
    fn drop(&mut self) {
        for value in self.values.drain(..) {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        }
    }
}

/// Gives back a value and another one; parts that die with them go to a worklist, so no depth of data needs host stack.
fn release(mut current: Value, other: Value) {
    let mut waiting = Vec::new();
    let keep = |value: Value, waiting: &mut Vec<Value>| {
        if value.is_compound() {
            waiting.push(value);
        }
    };
    keep(other, &mut waiting);
    loop {
        match current {
            Value::Pair(pair) => {
                if let Some(mut pair) = Rc::into_inner(pair) {
                    let first = mem::take(&mut pair.first);
                    current = mem::take(&mut pair.second);
                    keep(first, &mut waiting);
                    continue;
                }
            }
            Value::Procedure { slots: Some(slots), .. } => {
                if let Some(mut slots) = Rc::into_inner(slots) {
                    slots.values.drain(..).for_each(|value| keep(value, &mut waiting));
                }
            }
            Value::Capsule(capsule) => {
                if let Some(mut skeleton) = Rc::into_inner(capsule).and_then(|capsule| Rc::into_inner(capsule.skeleton))
                {
                    skeleton.values.drain(..).for_each(|value| keep(value, &mut waiting));
                }
            }
            Value::Tagged(tagged) => {
                if let Some(mut tagged) = Rc::into_inner(tagged) {
                    tagged.empty(&mut |value| keep(value, &mut waiting));
                }
            }
            Value::Vector(vector) => {
                if let Some(mut vector) = Rc::into_inner(vector) {
                    vector.empty(&mut |value| keep(value, &mut waiting));
                }
            }
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Primitive(_)
            | Value::Procedure { slots: None, .. } => {}
        }
        match waiting.pop() {
            Some(next) => current = next,
            None => return,
        }
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

    #[test]
    fn deep_data_is_freed_in_constant_stack() {
        let leaning = |turn: fn(Value) -> Value| (0..1_000_000).fold(Value::Nil, |deep, _| turn(deep));
        drop(leaning(|deep| Value::pair(deep, Value::Nil)));
        drop(leaning(|deep| Value::pair(Value::Nil, deep)));
        drop(leaning(|deep| Value::Procedure { code: LambdaId(0), slots: Some(Rc::new(Slots::new([deep]))) }));
    }
}
