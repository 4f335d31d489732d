//! Vectors: sequences of values with access by index (report, part 18).
//!
//! A vector of reals stores them unboxed, whatever levels they carry ([`Reals`]); any other vector stores values. A
//! program cannot observe the difference. A vector is immutable; the operations that derive a vector from another one
//! ([`Vector::push`], [`Vector::set`]) work in place if the old one is not shared.

use crate::allocation;
use crate::reals::Reals;
use crate::value::{Elements, Value, Vector};
use std::fmt;

/// The most elements of a vector: 2^32.
pub const MOST_ELEMENTS: u64 = 1 << 32;

impl Vector {
    /// The elements.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match &self.elements {
            Elements::Reals(reals) => reals.len(),
            Elements::Values(values) => values.len(),
        }
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An element; none if the index is not below the length.
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

    /// Returns true if reals with levels may be among its elements.
    pub fn may_be_lifted(&self) -> bool {
        self.may_be_lifted
    }

    /// Returns the bytes that may be moved to make room for one more element.
    pub fn moved_for_one_more(&self) -> usize {
        match &self.elements {
            Elements::Reals(reals) => reals.moved_for_one_more(),
            Elements::Values(values) => allocation::moved_for_one_more(values),
        }
    }

    /// Reserves memory for one more element; returns false if the system refuses it.
    pub fn has_room(&mut self) -> bool {
        match &mut self.elements {
            Elements::Reals(reals) => reals.has_room(),
            Elements::Values(values) => allocation::for_one_more(values),
        }
    }

    /// Appends an element.
    pub fn push(&mut self, value: Value) {
        self.may_be_lifted |= matches!(value, Value::Lifted(_));
        match (&mut self.elements, value.number()) {
            (Elements::Reals(reals), Some(number)) => reals.push(number),
            (Elements::Reals(_), None) => self.values().push(value),
            (Elements::Values(values), _) => values.push(value),
        }
    }

    /// Replaces an existing element.
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

    /// Converts the elements to values, the form in which they are stored from then on.
    fn values(&mut self) -> &mut Vec<Value> {
        if let Elements::Reals(_) = &self.elements {
            self.elements = Elements::Values(self.iter().collect());
        }
        match &mut self.elements {
            Elements::Values(values) => values,
            Elements::Reals(_) => vlad_table::internal_bug!("the elements are kept as values"),
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

// As for pairs, the parts are omitted.
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
