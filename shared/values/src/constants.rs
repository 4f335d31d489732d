//! Values of constants: engines make them once, before a run, so that each evaluation of a constant shares its parts.

use crate::value::Value;
use vlad_core::{Constant, ConstantId, Constants};
use vlad_table::internal_bug;

/// The values of all constants, by their numbers.
pub fn constant_values(constants: &Constants) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(constants.len());
    for constant in constants.iter() {
        let of_part = |part: &ConstantId| match values.get(part.0 as usize) {
            Some(value) => value.clone(),
            None => internal_bug!("constant {} stands before what it is a part of", part.0),
        };
        values.push(value(constant, of_part));
    }
    values
}

/// The value of one constant.
pub fn constant_value(constants: &Constants, id: ConstantId) -> Value {
    let mut copies = vec![None; id.0 as usize + 1];
    let mut only = Constants::default();
    let copy = only.copy(constants, id, &mut copies);
    match constant_values(&only).into_iter().nth(copy.0 as usize) {
        Some(value) => value,
        None => internal_bug!("constant {} has a value", copy.0),
    }
}

/// The value of a constant whose parts have values.
fn value(constant: &Constant, of_part: impl Fn(&ConstantId) -> Value) -> Value {
    match constant {
        Constant::Nil => Value::Nil,
        Constant::Boolean(truth) => Value::Boolean(*truth),
        Constant::Real(real) => Value::Real(*real),
        Constant::Pair(first, second) => Value::pair(of_part(first), of_part(second)),
        Constant::Vector(elements) => Value::vector(elements.iter().map(of_part).collect()),
    }
}
