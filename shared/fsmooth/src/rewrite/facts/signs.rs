//! Two properties of a Double: it is never -0, or it is a tangent.
//!
//! Rules that drop an addition of 0 need the first one. Rules of class Z, which change the signs of zeros, need the second one.

use super::known::Facts;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Ifold, LocalId, Program};
use vlad_table::operations::Operation;

/// The deepest term that is examined.
const DEEPEST: usize = 24;

/// Returns true if a Double is proved not to be -0. The given states of iterations count as proved: they are, or they are supposed
/// while the turn of their iteration is examined.
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
        let Some(depth) = depth.checked_sub(1) else { return false };
        let expression = self.program.expression(id);
        if let Expression::Number(number) = expression {
            return number.to_bits() != (-0.0_f64).to_bits();
        }
        if let Expression::Local(local) = expression {
            return states.contains(&local)
                || self.facts.value(local).is_some_and(|value| self.is_safe(value, states, depth));
        }
        if let Expression::Let { body, .. } = expression {
            return self.is_safe(body, states, depth);
        }
        if let Expression::If { consequent, alternative, .. } = expression {
            return self.is_safe(consequent, states, depth) && self.is_safe(alternative, states, depth);
        }
        if let Expression::Ifold { .. } = expression {
            return self.state(id, states, depth).is_some();
        }
        if let Expression::Get { array, .. } = expression {
            return self.element(array, depth).is_some_and(|element| self.is_safe(element, states, depth));
        }
        // Sizes and indices of loops are not negative.
        if let Expression::Widen(operand) = expression {
            let operand = self.program.expression(operand);
            return matches!(operand, Expression::Length(_))
                || matches!(operand, Expression::Local(local) if self.facts.range(local).is_some());
        }
        if let Expression::Binary(Operation::Add, first, second) = expression {
            return self.is_safe(first, states, depth) || self.is_safe(second, states, depth);
        }
        if let Expression::Binary(Operation::Multiply, first, second) = expression {
            return terms::same(self.program, first, second);
        }
        // A product with a factor of magnitude 1 at least does not underflow.
        if let Expression::Binary(Operation::GuardedMultiply, first, second) = expression {
            return self.is_large(first) || self.is_large(second) || terms::same(self.program, first, second);
        }
        matches!(expression, Expression::Unary(Operation::Exponential | Operation::Absolute, _))
    }

    /// Returns the term that makes the elements of an array. Recursion is bounded by the depth.
    fn element(&self, array: ExpressionId, depth: usize) -> Option<ExpressionId> {
        let array = self.facts.resolved(self.program, array);
        let mut made = array;
        if let Expression::Get { array, .. } = self.program.expression(array) {
            made = self.element(array, depth.checked_sub(1)?)?;
        }
        self.program.as_build(made).map(|build| build.element)
    }

    /// Returns the state of an iteration whose start is no -0, and whose turns make no -0 of a state that is none.
    fn state(&self, iteration: ExpressionId, states: &mut Vec<LocalId>, depth: usize) -> Option<LocalId> {
        let Ifold { state, turn, start, .. } = self.program.as_ifold(iteration)?;
        if !self.is_safe(start, states, depth) {
            return None;
        }
        states.push(state);
        let is_safe = self.is_safe(turn, states, depth);
        states.pop();
        is_safe.then_some(state)
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
    Signs { program, facts }.state(id, &mut states.to_vec(), DEEPEST)
}

/// Returns true for a Double of which a zero may have either sign: a guarded product, or its opposite, a sum with such a term, a
/// choice among them or an iteration that begins with one and makes one of one. A sum is -0 only if both of its terms are, so that
/// one term makes its sign free. Constants other than -0 may stand in branches and starts. Recursion is bounded by the depth.
pub fn is_tangent(program: &Program, facts: &Facts, id: ExpressionId) -> bool {
    Signs { program, facts }.is_tangent(id, &mut Vec::new(), DEEPEST)
}

impl Signs<'_> {
    /// Returns true for a tangent, given the states of iterations that are supposed to be tangents.
    fn is_tangent(&self, id: ExpressionId, states: &mut Vec<LocalId>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let inner = self.program.lets(id).1;
        let expression = self.program.expression(inner);
        if let Expression::Binary(Operation::Add | Operation::Subtract, first, second) = expression {
            return self.is_tangent(first, states, depth) || self.is_tangent(second, states, depth);
        }
        if let Expression::If { consequent, alternative, .. } = expression {
            let [first, second] = [consequent, alternative].map(|branch| self.is_tangent(branch, states, depth));
            return first && (second || self.is_constant_but_negative_zero(alternative))
                || second && self.is_constant_but_negative_zero(consequent);
        }
        if let Expression::Unary(Operation::Negate, operand) = expression {
            return self.is_tangent(operand, states, depth);
        }
        if let Expression::Local(local) = expression {
            return states.contains(&local)
                || self.facts.value(local).is_some_and(|value| self.is_tangent(value, states, depth));
        }
        if let Some(Ifold { state, turn, start, .. }) = self.program.as_ifold(inner) {
            let begins = self.is_tangent(start, states, depth) || self.is_constant_but_negative_zero(start);
            states.push(state);
            let goes_on = begins && self.is_tangent(turn, states, depth);
            states.pop();
            return goes_on;
        }
        matches!(expression, Expression::Binary(Operation::GuardedMultiply, ..))
    }

    /// Returns true for a constant that is not -0.
    fn is_constant_but_negative_zero(&self, id: ExpressionId) -> bool {
        matches!(self.program.expression(id), Expression::Number(number) if number.to_bits() != (-0.0_f64).to_bits())
    }
}
