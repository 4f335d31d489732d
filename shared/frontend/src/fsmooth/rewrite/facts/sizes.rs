//! The length of an array as a term that does not make the array: what `build` is given, as far as that is known.
//!
//! ```text
//! |build n f|  =  n        |ofLength e n|  =  n       |(build n (fun i -> e))[k]|  =  |e[i := k]|
//! |let x = a in b|  =  |b|  where x is a              |[| a; ...; b |]|  =  the number of elements
//! |ifold f z m|  =  |z|  if that is the length of what each step makes
//! ```
//!
//! These hold where the array has a value at all, so proofs and assumptions may use them; a rule that puts the length in
//! the place of the array has the condition that the array is total.

use super::known::Facts;
use crate::fsmooth::rewrite::terms;
use crate::fsmooth::typed::copy::Substitution;
use crate::fsmooth::typed::{Expression, ExpressionId, LocalId, Program, Types};
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
        None => {
            let span = program.span(array);
            program.add(Expression::Length(array), Types::INDEX, span)
        }
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
        let span = program.span(array);
        if let Expression::Array(elements) = expression {
            let count = program.elements(elements).len() as f64;
            return program.add(Expression::Number(count), Types::INDEX, span);
        }
        if let Expression::Ifold { function, start, .. } = expression
            && steps > 0
            && let Some(turn) = turn(program, function)
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
        program.add(Expression::Length(measured), Types::INDEX, span)
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
            } else if let Expression::First(pair) | Expression::Second(pair) = expression {
                let pair = self.reduced(program, pair, steps - step - 1);
                part(program, expression, pair)
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
        let Expression::Build { function, .. } = program.expression(array) else { return None };
        let Expression::Lambda { parameter, body } = program.expression(function) else { return None };
        // A copy that was taken apart before has another index.
        match self.values.get(&parameter) {
            Some(earlier) if !terms::same(program, *earlier, index) => return None,
            Some(_) | None => {}
        }
        // An index is no value of itself.
        if program.expression(index) != Expression::Local(parameter) {
            self.values.insert(parameter, index);
        }
        Some(body)
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
            size = program.copy(size, &values);
        }
        None
    }
}

/// The term that a step of an iteration makes.
fn turn(program: &Program, function: ExpressionId) -> Option<ExpressionId> {
    let Expression::Lambda { body, .. } = program.expression(function) else { return None };
    let Expression::Lambda { body, .. } = program.expression(body) else { return None };
    Some(body)
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
    Some(program.add(Expression::Get { array, index }, program.type_of(id), program.span(id)))
}

fn part(program: &Program, projection: Expression, pair: ExpressionId) -> Option<ExpressionId> {
    let Expression::Pair(first, second) = program.expression(pair) else { return None };
    if matches!(projection, Expression::First(_)) { Some(first) } else { Some(second) }
}
