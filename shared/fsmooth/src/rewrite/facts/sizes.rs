//! The length of an array as a term that does not make the array.
//!
//! ```text
//! |build n f|  =  n        |ofLength e n|  =  n       |(build n (fun i -> e))[k]|  =  |e[i := k]|
//! |let x = a in b|  =  |b|  where x is a              |[| a; ...; b |]|  =  the number of elements
//! |ifold f z m|  =  |z|  if each step makes an array of this length
//! ```
//!
//! These equations hold if the array has a value, so proofs and assumptions may use them. A rule that replaces the array by its length has
//! to know that the array is total.

use super::known::Facts;
use crate::rewrite::terms;
use crate::typed::copy::Substitution;
use crate::typed::{Build, Expression, ExpressionId, Ifold, LocalId, Program};
use rustc_hash::FxHashMap;

/// The number of steps of finding a length at most.
const MOST_STEPS: usize = 40;

/// The largest size in which the values of locals are put.
const LARGEST_SIZE: usize = 2_000;

/// Returns the length of an array.
pub fn length_of(program: &mut Program, facts: &Facts, array: ExpressionId) -> ExpressionId {
    let mut lengths = Lengths { facts, values: FxHashMap::default() };
    let length = lengths.length(program, array, MOST_STEPS);
    // Locals that are bound within the array are not known where its length is.
    match lengths.closed(program, length) {
        Some(length) => length,
        None => program.like(array).length(array),
    }
}

/// Returns a size in which lengths are replaced by what is known of them.
pub fn known(program: &mut Program, facts: &Facts, size: ExpressionId) -> ExpressionId {
    terms::replace(program, size, |program, id| {
        let Expression::Length(array) = program.expression(id) else { return None };
        Some(length_of(program, facts, array))
    })
}

/// The values of locals at a place, and of those on the way from an array to what makes it: the variables of `let`s within
/// it, and the indices of elements. Every local is bound at one place, and no array is made of its own elements, so each
/// has one value.
struct Lengths<'facts> {
    facts: &'facts Facts,
    values: FxHashMap<LocalId, ExpressionId>,
}

impl Lengths<'_> {
    /// Recursion is bounded by the number of steps.
    fn known(&mut self, program: &mut Program, size: ExpressionId, steps: usize) -> ExpressionId {
        if steps == 0 {
            return size;
        }
        terms::replace(program, size, |program, id| {
            let Expression::Length(array) = program.expression(id) else { return None };
            Some(self.length(program, array, steps - 1))
        })
    }

    fn length(&mut self, program: &mut Program, array: ExpressionId, steps: usize) -> ExpressionId {
        let form = self.reduced(program, array, steps);
        let expression = program.expression(form);
        if let Expression::Build { size, .. } | Expression::OfLength { length: size, .. } = expression {
            return self.known(program, size, steps.saturating_sub(1));
        }
        if let Expression::Array(elements) = expression {
            let count = program.elements(elements).len() as f64;
            return program.like(array).index(count);
        }
        if let Some(Ifold { turn, start, .. }) = program.as_ifold(form)
            && steps > 0
        {
            let (first, others) = (self.length(program, start, steps / 2), self.length(program, turn, steps / 2));
            if terms::same(program, first, others) {
                return first;
            }
        }
        if let Expression::If { consequent, alternative, .. } = expression
            && steps > 0
        {
            let one = self.length(program, consequent, steps / 2);
            let other = self.length(program, alternative, steps / 2);
            if terms::same(program, one, other) {
                return one;
            }
        }
        // A value that takes work is not computed again for its length.
        let measured = if is_read(program, form) { form } else { array };
        program.like(array).length(measured)
    }

    /// Returns a term whose root is the constructor of an array's value, if it is known.
    fn reduced(&mut self, program: &mut Program, term: ExpressionId, steps: usize) -> ExpressionId {
        let mut id = term;
        for step in 0..steps {
            let expression = program.expression(id);
            let next = if let Expression::Local(local) = expression {
                self.values.get(&local).copied().or_else(|| self.facts.value(local))
            } else if let Expression::Let { local, value, body } = expression {
                self.values.insert(local, value);
                Some(body)
            } else if let Expression::Get { array, index } = expression {
                let array = self.reduced(program, array, steps - step - 1);
                self.element(program, array, index).or_else(|| with_array(program, id, array))
            } else if let Some((side, pair)) = program.as_projection(id) {
                let pair = self.reduced(program, pair, steps - step - 1);
                let Expression::Pair(first, second) = program.expression(pair) else { break };
                Some(side.of((first, second)))
            } else {
                None
            };
            match next {
                Some(next) if next != id => id = next,
                Some(_) | None => break,
            }
        }
        id
    }

    /// The element of a `build` at an index.
    fn element(&mut self, program: &Program, array: ExpressionId, index: ExpressionId) -> Option<ExpressionId> {
        let mut array = array;
        while let Expression::OfLength { array: inner, .. } = program.expression(array) {
            array = inner;
        }
        let Build { index: own, element, .. } = program.as_build(array)?;
        // A copy that was taken apart before has another index.
        if self.values.get(&own).is_some_and(|earlier| !terms::same(program, *earlier, index)) {
            return None;
        }
        // An index is no value of itself.
        if !program.is_local(index, own) {
            self.values.insert(own, index);
        }
        Some(element)
    }

    /// Returns a size with the values of the locals on the way; none if it is too large.
    fn closed(&self, program: &mut Program, size: ExpressionId) -> Option<ExpressionId> {
        let mut size = size;
        for _ in 0..MOST_STEPS {
            let free = terms::free_locals(program, size);
            let values: Substitution =
                free.iter().filter_map(|local| Some((*local, *self.values.get(local)?))).collect();
            if values.is_empty() {
                return Some(size);
            }
            if terms::size(program, size, LARGEST_SIZE) >= LARGEST_SIZE {
                return None;
            }
            size = program.copy_with(size, &values);
        }
        None
    }
}

/// Returns true for a part of a variable.
fn is_read(program: &Program, id: ExpressionId) -> bool {
    let mut part = id;
    loop {
        let expression = program.expression(part);
        if let Expression::Get { array: inner, .. } | Expression::First(inner) | Expression::Second(inner) = expression
        {
            part = inner;
        } else {
            return matches!(expression, Expression::Local(_) | Expression::Global(_));
        }
    }
}

/// An element of another term for the same array, if that is a variable.
fn with_array(program: &mut Program, id: ExpressionId, array: ExpressionId) -> Option<ExpressionId> {
    let Expression::Get { array: old, index } = program.expression(id) else { return None };
    let is_variable = matches!(program.expression(array), Expression::Local(_) | Expression::Get { .. });
    if !is_variable || terms::same(program, old, array) {
        return None;
    }
    Some(program.like(id).get(array, index))
}
