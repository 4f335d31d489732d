//! Values whose reals have 96 digits, for the evaluator that computes difference quotients.
//!
//! Every value with parts is a [`Compound`], so that each traversal of data - collecting its reals, replacing them,
//! equality, dropping - is written once. All of them run in constant host stack.

use astro_float_num::BigFloat;
use std::mem;
use std::rc::Rc;
use vlad_shared::core::equality::same_code;
use vlad_shared::core::{LambdaId, Program};
use vlad_shared::table::Primitive;

/// A value.
#[derive(Clone, Default)]
pub enum Value {
    /// The empty list.
    #[default]
    Nil,
    /// `#t` or `#f`.
    Boolean(bool),
    /// A real.
    Real(Rc<BigFloat>),
    /// A primitive procedure.
    Primitive(Primitive),
    /// A value with parts.
    Compound(Rc<Compound>),
}

/// A value with parts.
pub struct Compound {
    /// Its kind.
    pub sort: CompoundKind,
    /// Its parts in order.
    pub parts: Vec<Value>,
}

/// The kind of a value with parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompoundKind {
    /// A pair.
    Pair,
    /// A vector of its elements.
    Vector,
    /// A procedure with its captured slots.
    Procedure(LambdaId),
    /// A value and its tangent.
    Bundle,
    /// The result of `perturb`.
    Perturbation,
    /// The result of `sensitize`.
    Sensitivity,
    /// The result of `*j` on a value.
    Reverse,
    /// The backpropagator of a reversed call: the procedure and its operand.
    Backpropagator,
}

impl Value {
    /// Makes a value with parts.
    pub fn compound(sort: CompoundKind, parts: impl Into<Vec<Value>>) -> Value {
        Value::Compound(Rc::new(Compound { sort, parts: parts.into() }))
    }

    /// A pair.
    pub fn pair(first: Value, second: Value) -> Value {
        Value::compound(CompoundKind::Pair, [first, second])
    }

    /// A real.
    pub fn real(real: BigFloat) -> Value {
        Value::Real(Rc::new(real))
    }

    /// The parts, if the value is of that sort.
    pub fn parts(&self, sort: CompoundKind) -> Option<&[Value]> {
        match self {
            Value::Compound(compound) if compound.sort == sort => Some(&compound.parts),
            Value::Compound(_) | Value::Nil | Value::Boolean(_) | Value::Real(_) | Value::Primitive(_) => None,
        }
    }

    /// The halves, if it is a pair.
    pub fn halves(&self) -> Option<(&Value, &Value)> {
        match self.parts(CompoundKind::Pair) {
            Some([first, second]) => Some((first, second)),
            _ => None,
        }
    }

    /// The value under this tag, if the value has it.
    pub fn marked(&self, sort: CompoundKind) -> Option<&Value> {
        self.parts(sort).and_then(<[Value]>::first)
    }

    /// Returns true if a condition takes it as true.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Boolean(false))
    }

    /// Its reals, in order.
    pub fn reals(&self) -> Vec<Rc<BigFloat>> {
        let mut reals = Vec::new();
        let mut pending = vec![self];
        while let Some(value) = pending.pop() {
            match value {
                Value::Real(real) => reals.push(Rc::clone(real)),
                Value::Compound(compound) => pending.extend(compound.parts.iter().rev()),
                Value::Nil | Value::Boolean(_) | Value::Primitive(_) => {}
            }
        }
        reals
    }

    /// The same value with its reals replaced in order; if there are fewer reals than it has, the rest of its own stay.
    pub fn with_reals(&self, reals: impl IntoIterator<Item = BigFloat>) -> Value {
        enum Task<'value> {
            Visit(&'value Value),
            Make(CompoundKind, usize),
        }
        let mut reals = reals.into_iter();
        let (mut tasks, mut made) = (vec![Task::Visit(self)], Vec::new());
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(Value::Real(real)) => {
                    made.push(reals.next().map_or_else(|| Value::Real(Rc::clone(real)), Value::real));
                }
                Task::Visit(Value::Compound(compound)) => {
                    tasks.push(Task::Make(compound.sort, compound.parts.len()));
                    tasks.extend(compound.parts.iter().rev().map(Task::Visit));
                }
                Task::Visit(value @ (Value::Nil | Value::Boolean(_) | Value::Primitive(_))) => made.push(value.clone()),
                Task::Make(sort, count) => {
                    let parts = made.split_off(made.len().saturating_sub(count));
                    made.push(Value::compound(sort, parts));
                }
            }
        }
        made.pop().unwrap_or_default()
    }

    /// Returns true if two values are `equal?`.
    pub fn is_equal(&self, other: &Value, program: &Program) -> bool {
        let mut pending = vec![(self, other)];
        while let Some(pair) = pending.pop() {
            let same = match pair {
                (Value::Nil, Value::Nil) => true,
                (Value::Boolean(a), Value::Boolean(b)) => a == b,
                (Value::Real(a), Value::Real(b)) => a == b,
                (Value::Primitive(a), Value::Primitive(b)) => a == b,
                (Value::Compound(a), Value::Compound(b)) => {
                    let same_sort = match (a.sort, b.sort) {
                        (CompoundKind::Procedure(a), CompoundKind::Procedure(b)) => same_code(program, a, b),
                        (a, b) => a == b,
                    };
                    pending.extend(a.parts.iter().zip(&b.parts));
                    same_sort && a.parts.len() == b.parts.len()
                }
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }
}

impl Drop for Compound {
    fn drop(&mut self) {
        let mut pending = mem::take(&mut self.parts);
        while let Some(value) = pending.pop() {
            if let Value::Compound(compound) = value
                && let Some(mut compound) = Rc::into_inner(compound)
            {
                pending.append(&mut compound.parts);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extended::arithmetic::{Reference, to_double};

    #[test]
    fn reals_are_exchanged_in_place() {
        let real = |real| Value::real(Reference::number(real));
        let inner = Value::compound(CompoundKind::Vector, [real(2.0), Value::Boolean(true), real(3.0)]);
        let value = Value::pair(real(1.0), inner);
        let doubled =
            value.with_reals(value.reals().iter().map(|real| real.add(real, 320, astro_float_num::RoundingMode::None)));
        let reals: Vec<f64> = doubled.reals().iter().map(|real| to_double(real)).collect();
        assert_eq!(reals, [2.0, 4.0, 6.0]);
        assert!(!value.is_equal(&doubled, &Program::default()));
        assert!(value.is_equal(&value.with_reals([]), &Program::default()));
    }

    #[test]
    fn deep_data_takes_no_stack() {
        let deep = (0..300_000).fold(Value::Nil, |rest, _| Value::pair(rest, Value::Boolean(true)));
        let same = deep.with_reals([]);
        assert!(deep.is_equal(&same, &Program::default()));
        assert!(deep.reals().is_empty());
    }
}
