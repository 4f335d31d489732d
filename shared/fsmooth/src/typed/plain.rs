//! Index literals that are printed without `: Index`. Inference reads them as Index, since an Index is expected of them or stands
//! beside them.

use super::{Expression, ExpressionId, Program, Types};
use vlad_table::operations::Operation;

/// Returns the operands of an expression that inference reads as Index if they are whole numbers, given whether an Index is expected
/// of the expression itself.
pub(super) fn parts(program: &Program, id: ExpressionId, is_expected: bool) -> Vec<ExpressionId> {
    let expression = program.expression(id);
    if let Expression::Get { index: only, .. }
    | Expression::Build { size: only, .. }
    | Expression::OfLength { length: only, .. }
    | Expression::Application { argument: only, .. } = expression
    {
        return vec![only];
    }
    if let Expression::Ifold { function, start, count } = expression {
        let is_lambda = matches!(program.expression(function), Expression::Lambda { .. });
        return if is_lambda { vec![start, count] } else { vec![count] };
    }
    if let Expression::Unary(_, operand) = expression {
        return if is_expected { vec![operand] } else { vec![] };
    }
    let (Expression::Binary(_, first, second) | Expression::Compare(_, first, second)) = expression else {
        return vec![];
    };
    let is_quotient = matches!(expression, Expression::Binary(Operation::Divide, ..));
    let is_arithmetic = matches!(expression, Expression::Binary(..));
    if is_arithmetic && is_expected || is_quotient && program.type_of(id) == Types::INDEX {
        return vec![first, second];
    }
    let is_number = |id| matches!(program.expression(id), Expression::Number(_));
    match (is_number(first), is_number(second)) {
        (true, false) => vec![first],
        (false, true) => vec![second],
        (true, true) | (false, false) => vec![],
    }
}
