//! Matrices of a fast path that are made in the memory of the caller, with rows of one length.
//!
//! If that length is known before the first row is made, one test decides that the matrix fits. If all rows are mostly zeros
//! ([`crate::storage::patterns::one_hot`], [`crate::storage::patterns::sparse`]), all of it is filled with zeros first.

use super::destinations::Destination;
use super::known_length::{KnownLength, Lengths};
use crate::Content;
use crate::storage::patterns::one_hot::OneHot;
use crate::storage::patterns::sparse::equalities;
use crate::{Block, Function, Statement, Variable};
use std::collections::{BTreeSet, HashMap};

/// The rows of a matrix in the memory of the caller, which have one length.
pub struct EvenRows {
    /// The length.
    pub length: KnownLength,
    /// The elements before the first row is made.
    pub content: Content,
}

/// The matrices among the given ones that have rows of one length, by the indices of their rows. All their rows have destinations.
pub fn even_rows(
    function: &Function,
    matrices: &BTreeSet<Variable>,
    destination: &dyn Fn(Variable) -> Option<Destination>,
) -> HashMap<Variable, EvenRows> {
    let mut found = HashMap::new();
    for statement in function.body.all_statements() {
        if let Statement::Build { targets, index, body, .. } = statement
            && let [matrix] = targets.as_slice()
            && matrices.contains(matrix)
        {
            found.extend(rows_of(*index, body, destination).map(|rows| (*index, rows)));
        }
    }
    found
}

/// The rows of a matrix that is built with an index; none if their length is not known before, or not the same.
fn rows_of(index: Variable, body: &Block, destination: &dyn Fn(Variable) -> Option<Destination>) -> Option<EvenRows> {
    let known = Lengths::of(body, &[index]);
    let is_row = |target: &Variable| destination(*target).is_some_and(|place| place.is_row_with(index));
    let (mut lengths, mut are_zero) = (Vec::new(), true);
    for statement in body.all_statements() {
        if !statement.targets().iter().any(is_row) {
            continue;
        }
        match statement {
            Statement::Build { length, index, body, .. } => {
                lengths.push(known.known(*length));
                are_zero &= OneHot::of(body, *index).is_some_and(|hot| hot.is_zero_elsewhere())
                    || equalities(body, *index).is_some();
            }
            Statement::Array { elements, .. } => {
                lengths.push(Some(KnownLength::Elements(elements.len())));
                are_zero = false;
            }
            _ => {}
        }
    }
    let length = (*lengths.first()?)?;
    let content = if are_zero { Content::Zeros } else { Content::Unset };
    lengths.iter().all(|other| *other == Some(length)).then_some(EvenRows { length, content })
}
