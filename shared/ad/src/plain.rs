//! Plain reals: operations on them, and the plain real under all levels of a number.

use std::rc::Rc;
use vlad_table::{Evaluation, Operation, internal_bug};
use vlad_values::{Lifted, Number};

/// Evaluates an operation on one plain real.
#[inline]
pub fn evaluate_unary(operation: Operation, x: f64) -> f64 {
    match operation.row().evaluation {
        Evaluation::Unary(evaluate) => evaluate(x),
        Evaluation::Binary(_) => internal_bug!("`{}` is applied to two reals", operation.row().name),
    }
}

/// Evaluates an operation on two plain reals.
#[inline]
pub fn evaluate_binary(operation: Operation, a: f64, b: f64) -> f64 {
    match operation.row().evaluation {
        Evaluation::Binary(evaluate) => evaluate(a, b),
        Evaluation::Unary(_) => internal_bug!("`{}` is applied to one real", operation.row().name),
    }
}

/// Strips the sign of a zero from a tangent or cotangent that leaves an operator: the result is +0 (rule 5b). No node
/// is made.
pub fn given_back(number: &Number) -> Number {
    let base = number.base();
    if base == 0.0 && base.is_sign_negative() { with_base(number, 0.0) } else { number.clone() }
}

/// Replaces the plain real under all levels of a number.
fn with_base(number: &Number, base: f64) -> Number {
    match number {
        Number::Real(_) => Number::Real(base),
        Number::Lifted(lifted) => Number::Lifted(Rc::new(Lifted {
            level: lifted.level,
            primal: with_base(&lifted.primal, base),
            part: lifted.part.clone(),
        })),
    }
}
