//! Quotients by a number whose reciprocal is known: of class R, since a product with it rounds otherwise.
//!
//! ```text
//! let t = 1.0 / e in c[a / e]  ~>  let t = 1.0 / e in c[a * t]
//! ```
//!
//! The derivative of a quotient has both, and a division takes as long as several products.

use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Program};
use vlad_table::operations::Operation;

/// The name of the rule.
pub const NAME: &str = "quotient by a known reciprocal";

/// Returns what replaces a `let` of a reciprocal whose body has other quotients by the same number.
pub fn rewritten(program: &mut Program, id: ExpressionId) -> Option<ExpressionId> {
    let Expression::Let { local, value, body } = program.expression(id) else { return None };
    let Expression::Binary(Operation::Divide, one, divisor) = program.expression(value) else { return None };
    if program.expression(one) != Expression::Number(1.0) {
        return None;
    }
    let mut is_found = false;
    let new = terms::replace(program, body, |program, part| {
        let Expression::Binary(Operation::Divide, dividend, other) = program.expression(part) else { return None };
        if !terms::same(program, other, divisor) {
            return None;
        }
        is_found = true;
        let reciprocal = terms::local(program, local, part);
        Some(program.like(part).binary(Operation::Multiply, dividend, reciprocal))
    });
    is_found.then(|| program.like(id).let_in(local, value, new))
}
