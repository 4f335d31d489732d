//! The fast path of primitives that are applied to two operands: no tuple is made of them.
//!
//! The equation is [`apply`](super::apply::apply) with the tuple; a test compares the two on all primitives.

use super::vectors;
use vlad_ad::Levels;
use vlad_table::{Form, OnVector, Primitive};
use vlad_values::Value;
use vlad_values::fault::RuntimeError;

/// Applies a primitive to two numbers, or to a vector and an index: a fast path of
/// [`apply`](super::apply::apply) to their tuple. None if
/// the primitive has no such form or does not accept them.
///
/// # Errors
/// Returns an error if a limit was passed.
#[inline]
pub fn apply_to_two(
    primitive: Primitive,
    first: &Value,
    second: &Value,
    levels: &mut Levels,
) -> Result<Option<Value>, RuntimeError> {
    match primitive.row().form {
        Form::Fold { operation, .. } | Form::Binary(operation) => {
            if let (Value::Real(a), Value::Real(b)) = (first, second) {
                let result = levels.plain_binary(operation, *a, *b);
                levels.check()?;
                return Ok(Some(Value::Real(result)));
            }
            let (Some(first), Some(second)) = (first.number(), second.number()) else {
                return Ok(None);
            };
            let result = levels.binary(operation, &first, &second);
            levels.check()?;
            Ok(Some(result.into()))
        }
        Form::Chain(comparison) => match (first.base(), second.base()) {
            (Some(first), Some(second)) => Ok(Some(Value::Boolean(comparison.holds(first, second)))),
            _ => Ok(None),
        },
        Form::OnVector(OnVector::Element) => vectors::element(first, second, levels),
        // Every other form takes the general path, which applies all of them.
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::apply::apply;
    use crate::primitives::context::Context;
    use crate::run::StreamHost;
    use vlad_core::Program;
    use vlad_table::number::Notation;
    use vlad_table::primitives::PRIMITIVES;
    use vlad_values::watch::LimitCheck;
    use vlad_values::{LevelPart, Lifted, Number};

    /// A number with its tangents, as text that distinguishes all bits.
    fn bits(value: &Value) -> String {
        let mut text = String::new();
        let mut pending = vec![value.number()];
        while let Some(number) = pending.pop() {
            match number {
                None => return format!("{value:?}"),
                Some(Number::Real(real)) => text += &format!("{:016x} ", real.to_bits()),
                Some(Number::Lifted(lifted)) => {
                    let Lifted { level, primal, part } = &*lifted;
                    text += &format!("level {level} ");
                    match part {
                        LevelPart::Tangent(tangent) => pending.push(Some(tangent.clone())),
                        LevelPart::Node(node) => text += &format!("node {node} "),
                    }
                    pending.push(Some(primal.clone()));
                }
            }
        }
        text
    }

    /// Plain reals, duals of one and two levels, and values that are no numbers.
    fn samples(levels: [u32; 2]) -> Vec<Value> {
        let dual = |level, primal: Number, tangent: f64| {
            let part = LevelPart::Tangent(Number::Real(tangent));
            Number::Lifted(std::rc::Rc::new(Lifted { level, primal, part }))
        };
        let plain = [0.0, -0.0, 1.0, -2.5, 3.0, f64::INFINITY, f64::NAN];
        let mut samples: Vec<Value> = plain.into_iter().map(Value::Real).collect();
        for real in [0.0, 2.0, -1.5] {
            let once = dual(levels[0], Number::Real(real), 0.75);
            samples.push(dual(levels[1], once.clone(), -3.0).into());
            samples.push(once.into());
        }
        samples.extend([Value::Nil, Value::Boolean(true), Value::pair(Value::Real(1.0), Value::Real(2.0))]);
        samples
    }

    #[test]
    fn it_does_what_the_application_to_the_tuple_does() {
        let (program, mut watch) = (Program::default(), LimitCheck::default());
        let mut levels = Levels::new(watch.clone());
        let begun = [levels.begin_forward().unwrap(), levels.begin_forward().unwrap()];
        let mut values = samples(begun);
        let mut host = StreamHost::new(&b""[..], Vec::new(), Notation::Shortest);
        let mut context = Context { program: &program, levels: &mut levels, watch: &mut watch, host: &mut host };
        let list = Value::pair(Value::Real(4.0), Value::pair(Value::Real(-0.0), Value::Nil));
        values.push(apply(Primitive::ListToVector, list, &mut context).unwrap());
        let mut taken = 0;
        for row in PRIMITIVES.iter().filter(|row| !matches!(row.form, Form::Control(_))) {
            for (first, second) in values.iter().flat_map(|first| values.iter().map(move |second| (first, second))) {
                let Some(quick) = apply_to_two(row.primitive, first, second, context.levels).unwrap() else { continue };
                let tuple = Value::pair(first.clone(), second.clone());
                let slow = apply(row.primitive, tuple, &mut context).unwrap();
                assert_eq!(bits(&quick), bits(&slow), "({} {first:?} {second:?})", row.name);
                taken += 1;
            }
        }
        // Fourteen primitives on thirteen numbers each, and elements of a vector.
        assert!(taken > 13 * 13 * 13, "{taken}");
    }
}
