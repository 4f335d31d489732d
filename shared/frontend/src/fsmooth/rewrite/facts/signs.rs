//! Two questions about numbers: if one can be -0, and if one is a tangent.

use super::known::Facts;
use crate::fsmooth::rewrite::terms;
use crate::fsmooth::typed::{Expression, ExpressionId, LocalId, Program};
use vlad_table::operations::Operation;

/// The deepest term that is examined.
const DEEPEST: usize = 24;

/// Returns true if a Double is proved not to be -0. States of iterations are among the given ones if they are proved or
/// supposed not to be.
///
/// A sum is -0 only if both of its terms are. Recursion is bounded by the depth.
pub fn is_not_negative_zero(program: &Program, facts: &Facts, id: ExpressionId, states: &[LocalId]) -> bool {
    Signs { program, facts }.is_safe(id, &mut states.to_vec(), DEEPEST)
}

struct Signs<'signs> {
    program: &'signs Program,
    facts: &'signs Facts,
}

impl Signs<'_> {
    fn is_safe(&self, id: ExpressionId, states: &mut Vec<LocalId>, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        let depth = depth - 1;
        match self.program.expression(id) {
            Expression::Number(number) => number.to_bits() != (-0.0_f64).to_bits(),
            Expression::Local(local) => {
                states.contains(&local)
                    || self.facts.value(local).is_some_and(|value| self.is_safe(value, states, depth))
            }
            Expression::Let { body, .. } => self.is_safe(body, states, depth),
            Expression::If { consequent, alternative, .. } => {
                self.is_safe(consequent, states, depth) && self.is_safe(alternative, states, depth)
            }
            Expression::Ifold { function, start, .. } => {
                self.is_safe(start, states, depth) && self.is_safe_step(function, states, depth)
            }
            Expression::Get { array, .. } => {
                let made = self.element(array, depth);
                made.is_some_and(|element| self.is_safe(element, states, depth))
            }
            // Sizes and indices of loops are not negative.
            Expression::Widen(operand) => match self.program.expression(operand) {
                Expression::Local(local) => self.facts.range(local).is_some(),
                operand => matches!(operand, Expression::Length(_)),
            },
            Expression::Unary(Operation::Exponential | Operation::Absolute, _) => true,
            Expression::Binary(Operation::Add, first, second) => {
                self.is_safe(first, states, depth) || self.is_safe(second, states, depth)
            }
            Expression::Binary(Operation::Multiply, first, second) => terms::same(self.program, first, second),
            // A product with a factor of magnitude 1 at least does not underflow.
            Expression::Binary(Operation::GuardedMultiply, first, second) => {
                self.is_large(first) || self.is_large(second) || terms::same(self.program, first, second)
            }
            Expression::Boolean(_)
            | Expression::Global(_)
            | Expression::Lambda { .. }
            | Expression::Application { .. }
            | Expression::Array(_)
            | Expression::Build { .. }
            | Expression::OfLength { .. }
            | Expression::Length(_)
            | Expression::Pair(..)
            | Expression::First(_)
            | Expression::Second(_)
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Compare(..)
            | Expression::Not(_)
            | Expression::Write(_)
            | Expression::Deriv { .. }
            | Expression::Derivative { .. }
            | Expression::Forward { .. }
            | Expression::Reverse { .. } => false,
        }
    }

    /// Returns the term that makes the elements of an array. Recursion is bounded by the depth.
    fn element(&self, array: ExpressionId, depth: usize) -> Option<ExpressionId> {
        let array = self.facts.resolved(self.program, array);
        let mut made = array;
        if let Expression::Get { array, .. } = self.program.expression(array) {
            made = self.element(array, depth.checked_sub(1)?)?;
        }
        let Expression::Build { function, .. } = self.program.expression(made) else { return None };
        let Expression::Lambda { body, .. } = self.program.expression(function) else { return None };
        Some(body)
    }

    /// Returns true if a step of an iteration makes no -0 of a state that is none.
    fn is_safe_step(&self, function: ExpressionId, states: &mut Vec<LocalId>, depth: usize) -> bool {
        let Expression::Lambda { parameter, body } = self.program.expression(function) else { return false };
        let Expression::Lambda { body, .. } = self.program.expression(body) else { return false };
        states.push(parameter);
        let is_safe = self.is_safe(body, states, depth);
        states.pop();
        is_safe
    }

    fn is_large(&self, id: ExpressionId) -> bool {
        matches!(self.program.expression(id), Expression::Number(number) if number.abs() >= 1.0)
    }
}

/// Returns the state of an iteration over Doubles, if it is never -0.
pub fn state_without_negative_zero(
    program: &Program,
    facts: &Facts,
    id: ExpressionId,
    states: &[LocalId],
) -> Option<LocalId> {
    let Expression::Ifold { function, start, .. } = program.expression(id) else { return None };
    let Expression::Lambda { parameter, .. } = program.expression(function) else { return None };
    let signs = Signs { program, facts };
    let mut states = states.to_vec();
    let is_safe = signs.is_safe(start, &mut states, DEEPEST) && signs.is_safe_step(function, &mut states, DEEPEST);
    is_safe.then_some(parameter)
}

/// Returns true if a Double is a tangent: a guarded product, or made of such by sums, signs, choices and iterations.
/// Recursion is bounded by the depth.
pub fn is_tangent(program: &Program, facts: &Facts, id: ExpressionId) -> bool {
    is_tangent_at(program, facts, id, DEEPEST)
}

fn is_tangent_at(program: &Program, facts: &Facts, id: ExpressionId, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    let is_tangent = |part| is_tangent_at(program, facts, part, depth - 1);
    match program.expression(terms::body(program, id)) {
        Expression::Binary(Operation::GuardedMultiply, ..) => true,
        Expression::Binary(Operation::Add | Operation::Subtract, first, second) => {
            is_tangent(first) || is_tangent(second)
        }
        Expression::Unary(Operation::Negate, operand) => is_tangent(operand),
        Expression::If { consequent, alternative, .. } => is_tangent(consequent) || is_tangent(alternative),
        Expression::Local(local) => facts.value(local).is_some_and(is_tangent),
        Expression::Ifold { function, .. } => {
            if let Expression::Lambda { body, .. } = program.expression(function)
                && let Expression::Lambda { body, .. } = program.expression(body)
            {
                return is_tangent(body);
            }
            false
        }
        Expression::Number(_)
        | Expression::Boolean(_)
        | Expression::Global(_)
        | Expression::Lambda { .. }
        | Expression::Application { .. }
        | Expression::Let { .. }
        | Expression::Array(_)
        | Expression::Build { .. }
        | Expression::Get { .. }
        | Expression::OfLength { .. }
        | Expression::Length(_)
        | Expression::Pair(..)
        | Expression::First(_)
        | Expression::Second(_)
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Compare(..)
        | Expression::Not(_)
        | Expression::Write(_)
        | Expression::Widen(_)
        | Expression::Deriv { .. }
        | Expression::Derivative { .. }
        | Expression::Forward { .. }
        | Expression::Reverse { .. } => false,
    }
}
