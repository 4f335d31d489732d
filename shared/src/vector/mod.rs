//! Vectors: sequences of values that are found by index (report, part 18).
//!
//! A vector of reals keeps them unboxed, whatever levels they carry ([`Reals`]); any other vector keeps values. Nothing in the
//! language can see which of the two it is. A vector is immutable; what makes a vector of another one ([`Vector::push`],
//! [`Vector::set`]) works in place where nobody else has the old one.

mod apply;
mod reals;

pub(crate) use apply::{apply, element};
pub use reals::Reals;

use crate::room;
use crate::value::Value;
use std::fmt;

/// The most elements of a vector: 2^32.
pub const MOST_ELEMENTS: u64 = 1 << 32;

/// A vector.
#[derive(Clone)]
pub struct Vector {
    elements: Elements,
    /// Whether there may be reals with levels among its elements.
    may_be_lifted: bool,
}

/// The elements of a vector.
#[derive(Clone)]
pub enum Elements {
    /// Reals, all of them.
    Reals(Reals),
    /// Any values.
    Values(Vec<Value>),
}

impl Vector {
    /// The elements.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.elements {
            Elements::Reals(reals) => reals.len(),
            Elements::Values(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An element; none if there are not so many.
    pub fn get(&self, index: usize) -> Option<Value> {
        match &self.elements {
            Elements::Reals(reals) => reals.get(index).map(Value::from),
            Elements::Values(values) => values.get(index).cloned(),
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator {
        (0..self.len()).map(|index| self.get(index).unwrap_or_default())
    }

    /// Whether there may be reals with levels among its elements.
    pub fn may_be_lifted(&self) -> bool {
        self.may_be_lifted
    }

    /// Makes room for an element more; false if the system gives no memory.
    pub fn has_room(&mut self) -> bool {
        match &mut self.elements {
            Elements::Reals(reals) => reals.has_room(),
            Elements::Values(values) => room::for_one_more(values),
        }
    }

    /// Adds an element behind the last one.
    pub fn push(&mut self, value: Value) {
        self.may_be_lifted |= matches!(value, Value::Lifted(_));
        match (&mut self.elements, value.number()) {
            (Elements::Reals(reals), Some(number)) => reals.push(number),
            (Elements::Reals(_), None) => self.values().push(value),
            (Elements::Values(values), _) => values.push(value),
        }
    }

    /// Replaces an element that there is.
    pub fn set(&mut self, index: usize, value: Value) {
        self.may_be_lifted |= matches!(value, Value::Lifted(_));
        match (&mut self.elements, value.number()) {
            (Elements::Reals(reals), Some(number)) => reals.set(index, number),
            (Elements::Reals(_), None) | (Elements::Values(_), _) => {
                if let Some(place) = self.values().get_mut(index) {
                    *place = value;
                }
            }
        }
    }

    /// The elements as values, in which form they are kept from now on.
    fn values(&mut self) -> &mut Vec<Value> {
        if let Elements::Reals(_) = &self.elements {
            self.elements = Elements::Values(self.iter().collect());
        }
        match &mut self.elements {
            Elements::Values(values) => values,
            Elements::Reals(_) => crate::internal_bug!("the elements are kept as values"),
        }
    }

    /// Takes out all values, which are not needed any more.
    pub(crate) fn empty(&mut self, take: &mut dyn FnMut(Value)) {
        if let Elements::Values(values) = &mut self.elements {
            values.drain(..).for_each(take);
        }
    }
}

impl Default for Vector {
    fn default() -> Vector {
        Vector::from(Reals::default())
    }
}

impl From<Reals> for Vector {
    fn from(reals: Reals) -> Vector {
        let may_be_lifted = matches!(reals, Reals::Lifted(_));
        Vector { elements: Elements::Reals(reals), may_be_lifted }
    }
}

impl FromIterator<Value> for Vector {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Vector {
        let mut vector = Vector::default();
        values.into_iter().for_each(|value| vector.push(value));
        vector
    }
}

// As for pairs, parts are left out.
impl fmt::Debug for Vector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} elements", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_unboxed_until_something_else_comes() {
        let mut vector: Vector = [1.0, 2.0].map(Value::Real).into_iter().collect();
        assert!(matches!(vector.elements(), Elements::Reals(_)));
        vector.push(Value::Nil);
        assert!(matches!(vector.elements(), Elements::Values(_)));
        vector.set(0, Value::Boolean(true));
        let shown: Vec<String> = vector.iter().map(|value| format!("{value:?}")).collect();
        assert_eq!(shown, ["Boolean(true)", "Real(2.0)", "Nil"]);
    }
}
