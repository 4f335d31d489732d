//! Dropping values of any depth in constant host stack: the parts of a value that dies are put on a worklist.

use crate::value::{Backpropagator, Bundle, Elements, Pair, Skeleton, Slots, Tagged, Tangent, Value, Vector};
use std::mem;
use std::rc::Rc;

impl Tagged {
    /// Moves all contents out to `take`.
    fn empty(&mut self, take: &mut dyn FnMut(Value)) {
        match self {
            Tagged::Perturbation(content) | Tagged::Sensitivity(content) | Tagged::Reverse(content) => {
                take(mem::take(content));
            }
            Tagged::Bundle(Bundle { primal, tangent, .. }) => {
                take(mem::take(primal));
                if let Tangent::Given(tangent) = tangent {
                    take(mem::take(tangent));
                }
            }
            Tagged::Backpropagator(backpropagator) => backpropagator.empty(take),
        }
    }
}

impl Backpropagator {
    /// Moves all contents out to `take`.
    fn empty(&mut self, take: &mut dyn FnMut(Value)) {
        take(mem::take(&mut self.operator));
        take(mem::take(&mut self.operand));
        if let Some(record) = &mut self.record {
            record.empty(take);
        }
    }
}

impl Vector {
    /// Moves all values out to `take`.
    fn empty(&mut self, take: &mut dyn FnMut(Value)) {
        if let Elements::Values(values) = &mut self.elements {
            values.drain(..).for_each(take);
        }
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        if self.first.is_compound() || self.second.is_compound() {
            let first = mem::take(&mut self.first);
            let second = mem::take(&mut self.second);
            if second.is_compound() { release(second, first) } else { release(first, second) }
        }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        for value in self.values.drain(..) {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        }
    }
}

impl Drop for Tagged {
    fn drop(&mut self) {
        self.empty(&mut |value| {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        });
    }
}

impl Drop for Vector {
    fn drop(&mut self) {
        self.empty(&mut |value| {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        });
    }
}

impl Drop for Skeleton {
    fn drop(&mut self) {
        for value in self.values.drain(..) {
            if value.is_compound() {
                release(value, Value::Nil);
            }
        }
    }
}

/// Drops two values; parts that die with them go to a worklist, so no depth of data needs host stack.
fn release(mut current: Value, other: Value) {
    let mut waiting = Vec::new();
    let keep = |value: Value, waiting: &mut Vec<Value>| {
        if value.is_compound() {
            waiting.push(value);
        }
    };
    keep(other, &mut waiting);
    loop {
        match current {
            Value::Pair(pair) => {
                if let Some(mut pair) = Rc::into_inner(pair) {
                    let first = mem::take(&mut pair.first);
                    current = mem::take(&mut pair.second);
                    keep(first, &mut waiting);
                    continue;
                }
            }
            Value::Procedure { slots: Some(slots), .. } => {
                if let Some(mut slots) = Rc::into_inner(slots) {
                    slots.values.drain(..).for_each(|value| keep(value, &mut waiting));
                }
            }
            Value::Capsule(capsule) => {
                if let Some(mut skeleton) = Rc::into_inner(capsule).and_then(|capsule| Rc::into_inner(capsule.skeleton))
                {
                    skeleton.values.drain(..).for_each(|value| keep(value, &mut waiting));
                }
            }
            Value::Tagged(tagged) => {
                if let Some(mut tagged) = Rc::into_inner(tagged) {
                    tagged.empty(&mut |value| keep(value, &mut waiting));
                }
            }
            Value::Vector(vector) => {
                if let Some(mut vector) = Rc::into_inner(vector) {
                    vector.empty(&mut |value| keep(value, &mut waiting));
                }
            }
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Primitive(_)
            | Value::Procedure { slots: None, .. } => {}
        }
        match waiting.pop() {
            Some(next) => current = next,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_core::LambdaId;

    #[test]
    fn deep_data_is_freed_in_constant_stack() {
        let leaning = |turn: fn(Value) -> Value| (0..1_000_000).fold(Value::Nil, |deep, _| turn(deep));
        drop(leaning(|deep| Value::pair(deep, Value::Nil)));
        drop(leaning(|deep| Value::pair(Value::Nil, deep)));
        drop(leaning(|deep| Value::Procedure { code: LambdaId(0), slots: Some(Rc::new(Slots::new([deep]))) }));
    }

    #[test]
    fn a_chain_of_a_million_backpropagators_is_freed() {
        let link = |operand, _| {
            let backpropagator = Backpropagator::new(Value::Nil, operand, None);
            Value::tagged(Tagged::Backpropagator(backpropagator))
        };
        drop((0..1_000_000).fold(Value::Nil, link));
    }
}
