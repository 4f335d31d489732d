//! The parts of typed expressions.

use super::{Expression, ExpressionId, Program};
use vlad_table::internal_bug;

impl Program {
    /// Appends the parts of an expression, in the order in which they are evaluated or stand.
    pub fn parts(&self, id: ExpressionId, parts: &mut Vec<ExpressionId>) {
        match self.expression(id) {
            Expression::Number(_) | Expression::Boolean(_) | Expression::Local(_) | Expression::Global(_) => {}
            Expression::Lambda { body: only, .. }
            | Expression::Length(only)
            | Expression::First(only)
            | Expression::Second(only)
            | Expression::Unary(_, only)
            | Expression::Not(only)
            | Expression::Write(only)
            | Expression::Widen(only)
            | Expression::Deriv { body: only, .. } => parts.push(only),
            Expression::Application { function: first, argument: second }
            | Expression::Let { value: first, body: second, .. }
            | Expression::Build { size: first, function: second }
            | Expression::Get { array: first, index: second }
            | Expression::OfLength { array: first, length: second }
            | Expression::Pair(first, second)
            | Expression::Binary(_, first, second)
            | Expression::Compare(_, first, second)
            | Expression::Derivative { function: first, point: second, .. } => parts.extend([first, second]),
            Expression::If { condition: first, consequent: second, alternative: third }
            | Expression::Ifold { function: first, start: second, count: third }
            | Expression::Forward { function: first, point: second, tangent: third }
            | Expression::Reverse { function: first, point: second, cotangent: third, .. } => {
                parts.extend([first, second, third]);
            }
            Expression::Array(elements) => parts.extend_from_slice(self.elements(elements)),
        }
    }

    /// Returns an expression with other parts, in their order.
    #[must_use]
    pub fn with_parts(&mut self, expression: Expression, new: &[ExpressionId]) -> Expression {
        let mut rest = new.iter().copied();
        let mut of = |_| {
            let Some(part) = rest.next() else { internal_bug!("every part has a successor") };
            part
        };
        match expression {
            Expression::Number(_) | Expression::Boolean(_) | Expression::Local(_) | Expression::Global(_) => expression,
            Expression::Lambda { parameter, body } => Expression::Lambda { parameter, body: of(body) },
            Expression::Application { function, argument } => {
                Expression::Application { function: of(function), argument: of(argument) }
            }
            Expression::Let { local, value, body } => Expression::Let { local, value: of(value), body: of(body) },
            Expression::If { condition, consequent, alternative } => {
                Expression::If { condition: of(condition), consequent: of(consequent), alternative: of(alternative) }
            }
            Expression::Array(_) => Expression::Array(self.add_elements(new.iter().copied())),
            Expression::Build { size, function } => Expression::Build { size: of(size), function: of(function) },
            Expression::Ifold { function, start, count } => {
                Expression::Ifold { function: of(function), start: of(start), count: of(count) }
            }
            Expression::Get { array, index } => Expression::Get { array: of(array), index: of(index) },
            Expression::Length(array) => Expression::Length(of(array)),
            Expression::OfLength { array, length } => Expression::OfLength { array: of(array), length: of(length) },
            Expression::Pair(first, second) => Expression::Pair(of(first), of(second)),
            Expression::First(pair) => Expression::First(of(pair)),
            Expression::Second(pair) => Expression::Second(of(pair)),
            Expression::Unary(operation, operand) => Expression::Unary(operation, of(operand)),
            Expression::Binary(operation, first, second) => Expression::Binary(operation, of(first), of(second)),
            Expression::Compare(comparison, first, second) => Expression::Compare(comparison, of(first), of(second)),
            Expression::Not(operand) => Expression::Not(of(operand)),
            Expression::Write(operand) => Expression::Write(of(operand)),
            Expression::Widen(operand) => Expression::Widen(of(operand)),
            Expression::Deriv { body, variable } => Expression::Deriv { body: of(body), variable },
            Expression::Derivative { operator, function, point } => {
                Expression::Derivative { operator, function: of(function), point: of(point) }
            }
            Expression::Forward { function, point, tangent } => {
                Expression::Forward { function: of(function), point: of(point), tangent: of(tangent) }
            }
            Expression::Reverse { operator, function, point, cotangent } => {
                Expression::Reverse { operator, function: of(function), point: of(point), cotangent: of(cotangent) }
            }
        }
    }
}
