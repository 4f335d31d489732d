//! The variables of a call, and the values of operands.

use super::value::Value;
use crate::{Operand, Variable};
use vlad_table::internal_bug;
use vlad_values::Number;

/// The variables of a call, by number.
pub type Frame = Vec<Option<Value>>;

/// The number of an operand of a comparison: a real, or an integer with its sign, which is one.
pub fn compared(frame: &Frame, operand: Operand) -> f64 {
    match value(frame, operand) {
        Value::Integer(integer) => integer as i64 as f64,
        other => other.number().base(),
    }
}

/// An integer, or a real that is a whole number.
pub fn integer(frame: &Frame, operand: Operand) -> u64 {
    match value(frame, operand) {
        Value::Integer(integer) => integer,
        other => other.number().base() as i64 as u64,
    }
}

/// Assigns values to variables.
pub fn assign(frame: &mut Frame, targets: &[Variable], values: Vec<Value>) {
    for (target, value) in targets.iter().zip(values) {
        if let Some(place) = frame.get_mut(target.0 as usize) {
            *place = Some(value);
        }
    }
}

/// The value of an operand.
pub fn value(frame: &Frame, operand: Operand) -> Value {
    match operand {
        Operand::Variable(variable) => match frame.get(variable.0 as usize) {
            Some(Some(value)) => value.clone(),
            Some(None) | None => internal_bug!("variable {} is assigned before it is used", variable.0),
        },
        Operand::Real(bits) => Value::Real(Number::Real(bits.real())),
        Operand::Boolean(boolean) => Value::Boolean(boolean),
    }
}

/// The values of operands.
pub fn all(frame: &Frame, operands: &[Operand]) -> Vec<Value> {
    operands.iter().map(|operand| value(frame, *operand)).collect()
}

/// The number of a real.
pub fn number(frame: &Frame, operand: Operand) -> Number {
    value(frame, operand).number()
}

/// The truth value of a boolean.
pub fn truth(frame: &Frame, operand: Operand) -> bool {
    match value(frame, operand) {
        Value::Boolean(boolean) => boolean,
        Value::Real(_) | Value::Integer(_) | Value::Array(_) | Value::Place(..) | Value::Cell(_) | Value::Absent => {
            internal_bug!("operands are of their kinds")
        }
    }
}
