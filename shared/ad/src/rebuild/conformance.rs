//! Messages for a companion that does not conform to the value beside which it is traversed.

use vlad_core::diagnostic::Kind;
use vlad_core::{LambdaId, Program};
use vlad_table::{Primitive, taken_by};
use vlad_values::fault::{Cause, RuntimeError};
use vlad_values::print::summary;
use vlad_values::{Value, Vector};

/// The role of a companion that is traversed beside a value, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Companion {
    /// The tangent given to `j*` or to `bundle`.
    Tangent(Primitive),
    /// The cotangent given to `*j`, or to another operator of reverse mode.
    Cotangent(Primitive),
    /// The operand of a backpropagator.
    Sensitivity,
    /// The second operand of `plus`.
    Summand,
}

/// The fault of a part of a companion that does not conform to the part of the value at the same place; with the index,
/// if both are elements of vectors.
pub fn nonconforming(
    role: Companion,
    value: &Value,
    companion: &Value,
    index: Option<usize>,
    program: &Program,
) -> RuntimeError {
    let cause = Cause::Nonconforming(value.clone());
    let is_long_tuple = value.base().is_some() && is_tuple(companion);
    let (value, found) = match (value, companion) {
        (Value::Capsule(_), Value::Capsule(_)) => (summary(program, value), "one of another computation".to_owned()),
        (Value::Procedure { code: a, .. }, Value::Procedure { code: b, .. }) => {
            (written(program, *a), written(program, *b))
        }
        (Value::Vector(a), Value::Vector(b)) => (of_length(a), of_length(b)),
        _ => (summary(program, value), summary(program, companion)),
    };
    let value = index.map_or_else(|| value.clone(), |index| format!("{value} at index {index}"));
    let message = match role {
        Companion::Tangent(operator) => {
            let name = operator.name();
            format!(
                "`{name}` expects a tangent of the shape of its primal; where that has {value}, the tangent has {found}"
            )
        }
        Companion::Sensitivity => format!(
            "a backpropagator expects a sensitivity of the shape of the result that it belongs to; where that has {value}, \
             the sensitivity has {found}"
        ),
        Companion::Cotangent(operator) => {
            let name = operator.name();
            format!(
                "`{name}` expects a cotangent of the shape of the result; where that has {value}, the cotangent has {found}"
            )
        }
        Companion::Summand => {
            format!("`plus` expects two values of one shape; where the first has {value}, the second has {found}")
        }
    };
    let trouble = RuntimeError::new(Kind::Conformance, message).with_cause(cause);
    match role {
        Companion::Tangent(operator) | Companion::Cotangent(operator) if is_long_tuple => {
            trouble.with_hint(format!("is the number of operands right? the operator takes {}", taken_by(operator)))
        }
        Companion::Tangent(_) | Companion::Cotangent(_) | Companion::Sensitivity | Companion::Summand => trouble,
    }
}

/// Returns true if a value looks like a tuple of several operands: a few pairs that do not end like a list.
fn is_tuple(value: &Value) -> bool {
    const MOST: usize = 8;
    let rest = |value: &Value| match value {
        Value::Pair(pair) => Some(pair.second.clone()),
        _ => None,
    };
    let mut last = None;
    for part in std::iter::successors(rest(value), rest).take(MOST) {
        last = Some(part);
    }
    last.is_some_and(|last| !matches!(last, Value::Nil | Value::Pair(_)))
}

/// A vector named by its length: long vectors look alike at their beginnings, and these two differ in length.
fn of_length(vector: &Vector) -> String {
    format!("a vector of length {}", vector.len())
}

/// A procedure with its source position: two procedures of different code may print alike.
fn written(program: &Program, code: LambdaId) -> String {
    let (lambda, value) = (program.lambda(code), Value::Procedure { code, slots: None });
    let place = program.sources.get(lambda.span.file).map(|file| file.position(lambda.span.start));
    match place {
        Some(place) if !program.is_shipped(lambda.body) => {
            format!("{} of line {}, column {}", summary(program, &value), place.line, place.column)
        }
        Some(_) | None => summary(program, &value),
    }
}
