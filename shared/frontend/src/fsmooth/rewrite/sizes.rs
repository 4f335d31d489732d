//! The length of an array as a term that does not make the array: what `build` is given, as far as that is known.
//!
//! ```text
//! |build n f|  =  n        |ofLength e n|  =  n       |(build n (fun i -> e))[k]|  =  |e[i := k]|
//! |let x = a in b|  =  |b|  where x is a              |[| a; ...; b |]|  =  the number of elements
//! ```
//!
//! These hold where the array has a value at all, so proofs and assumptions may use them; a rule that puts the length in
//! the place of the array has the condition that the array is total.

use super::facts::Facts;
use super::terms;
use crate::fsmooth::typed::copy::Substitution;
use crate::fsmooth::typed::{Expression, ExpressionId, Program, Types};
use std::collections::HashMap;

/// The number of steps of finding a length at most.
const MOST_STEPS: usize = 40;

/// The largest element that is instantiated for its length.
const LARGEST_ELEMENT: usize = 2_000;

/// Returns the length of an array.
pub fn length_of(program: &mut Program, facts: &Facts, array: ExpressionId) -> ExpressionId {
    length_within(program, facts, array, MOST_STEPS)
}

/// Returns a size in which lengths are replaced by what is known of them.
pub fn known(program: &mut Program, facts: &Facts, size: ExpressionId) -> ExpressionId {
    known_within(program, facts, size, MOST_STEPS)
}

/// Recursion is bounded by the number of steps.
fn known_within(program: &mut Program, facts: &Facts, size: ExpressionId, steps: usize) -> ExpressionId {
    if steps == 0 {
        return size;
    }
    terms::replace(program, size, |program, id| {
        let Expression::Length(array) = program.expression(id) else { return None };
        Some(length_within(program, facts, array, steps - 1))
    })
}

fn length_within(program: &mut Program, facts: &Facts, array: ExpressionId, steps: usize) -> ExpressionId {
    let form = reduced(program, facts, array, steps);
    let expression = program.expression(form);
    if let Expression::Build { size, .. } | Expression::OfLength { length: size, .. } = expression {
        return known_within(program, facts, size, steps.saturating_sub(1));
    }
    let span = program.span(array);
    if let Expression::Array(elements) = expression {
        let count = program.elements(elements).len() as f64;
        return program.add(Expression::Number(count), Types::INDEX, span);
    }
    if let Expression::If { consequent, alternative, .. } = expression
        && steps > 0
    {
        let one = length_within(program, facts, consequent, steps / 2);
        let other = length_within(program, facts, alternative, steps / 2);
        if terms::same(program, one, other) {
            return one;
        }
    }
    program.add(Expression::Length(form), Types::INDEX, span)
}

/// Returns a term whose root is the constructor of its value, if it is known.
fn reduced(program: &mut Program, facts: &Facts, term: ExpressionId, steps: usize) -> ExpressionId {
    let mut id = term;
    for step in 0..steps {
        let expression = program.expression(id);
        let next = if let Expression::Local(local) = expression {
            facts.value(local)
        } else if let Expression::Let { local, value, body } = expression {
            substituted(program, body, &HashMap::from([(local, value)]))
        } else if let Expression::Get { array, index } = expression {
            let array = reduced(program, facts, array, steps - step - 1);
            element(program, array, index).or_else(|| with_array(program, id, array))
        } else if let Expression::First(pair) | Expression::Second(pair) = expression {
            let pair = reduced(program, facts, pair, steps - step - 1);
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

fn substituted(program: &mut Program, body: ExpressionId, values: &Substitution) -> Option<ExpressionId> {
    (terms::size(program, body, LARGEST_ELEMENT) < LARGEST_ELEMENT).then(|| program.copy(body, values))
}

/// The element of a `build` at an index.
fn element(program: &mut Program, array: ExpressionId, index: ExpressionId) -> Option<ExpressionId> {
    let mut array = array;
    while let Expression::OfLength { array: inner, .. } = program.expression(array) {
        array = inner;
    }
    let Expression::Build { function, .. } = program.expression(array) else { return None };
    let Expression::Lambda { parameter, body } = program.expression(function) else { return None };
    substituted(program, body, &HashMap::from([(parameter, index)]))
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
