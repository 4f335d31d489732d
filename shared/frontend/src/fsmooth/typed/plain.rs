//! The whole numbers that are read as Index without a mark: an Index is expected of them, or stands beside them.

use super::{Expression, ExpressionId, Program, Types};
use vlad_table::operations::Operation;

/// Returns the parts of an expression of which an Index is expected, if it has one, or stands beside them. Of the expression
/// itself one may be expected.
pub(super) fn parts(program: &Program, id: ExpressionId, is_expected: bool) -> Vec<ExpressionId> {
    let is_number = |id| matches!(program.expression(id), Expression::Number(_));
    match program.expression(id) {
        Expression::Get { index, .. } => vec![index],
        Expression::Build { size, .. } => vec![size],
        Expression::OfLength { length, .. } => vec![length],
        Expression::Ifold { function, start, count } => {
            let is_lambda = matches!(program.expression(function), Expression::Lambda { .. });
            if is_lambda { vec![start, count] } else { vec![count] }
        }
        Expression::Application { argument, .. } => vec![argument],
        Expression::Unary(_, operand) if is_expected => vec![operand],
        Expression::Binary(_, first, second) if is_expected => vec![first, second],
        Expression::Binary(Operation::Divide, first, second) if program.type_of(id) == Types::INDEX => {
            vec![first, second]
        }
        Expression::Binary(_, first, second) | Expression::Compare(_, first, second) => {
            match (is_number(first), is_number(second)) {
                (true, false) => vec![first],
                (false, true) => vec![second],
                (true, true) | (false, false) => vec![],
            }
        }
        Expression::Number(_)
        | Expression::Boolean(_)
        | Expression::Local(_)
        | Expression::Global(_)
        | Expression::Lambda { .. }
        | Expression::Let { .. }
        | Expression::If { .. }
        | Expression::Array(_)
        | Expression::Length(_)
        | Expression::Pair(..)
        | Expression::First(_)
        | Expression::Second(_)
        | Expression::Unary(..)
        | Expression::Not(_)
        | Expression::Write(_)
        | Expression::Widen(_)
        | Expression::Deriv { .. }
        | Expression::Derivative { .. }
        | Expression::Forward { .. }
        | Expression::Reverse { .. } => vec![],
    }
}
