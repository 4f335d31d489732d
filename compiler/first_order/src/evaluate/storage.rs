//! The evaluation of storage code. The places of arrays mean nothing.
//!
//! A mark is the number of arrays that have been allocated. Whatever has been allocated since a mark is released without regard to a
//! limit: arrays that are kept are copied, and no element of the others can be read.

use super::frame::{Frame, all, assign, integer, number, truth, value};
use super::value::Value;
use super::{Evaluation, Next, Stop};
use crate::{Block, IntegerOperation, Operand, Place, Storage};
use std::rc::Rc;
use vlad_table::{Operation, internal_bug};
use vlad_values::Number;

/// The most iterations of a part: few, so that tests have several.
const LONGEST_PART: u64 = 3;

impl Evaluation<'_> {
    /// Executes a statement and returns the values of its targets.
    pub fn storage(&mut self, statement: &Storage<Block>, frame: &mut Frame, depth: u32) -> Result<Vec<Value>, Stop> {
        match statement {
            Storage::Integer { operation, operands, .. } => return Ok(vec![executed(*operation, operands, frame)]),
            Storage::For { variables, initial, end, listed, body, .. } => {
                let (Some((_, first)), Some(from)) = (initial.split_first(), initial.first()) else {
                    internal_bug!("a loop over a range has an index")
                };
                let indices: Vec<u64> = match listed {
                    Some((test, items)) if truth(frame, *test) => {
                        items.iter().map(|item| integer(frame, *item)).collect()
                    }
                    Some(_) | None => (integer(frame, *from)..integer(frame, *end)).collect(),
                };
                let mut state = all(frame, first);
                for index in indices {
                    self.limits.statements = self.limits.statements.checked_sub(1).ok_or(Stop::TooLong)?;
                    assign(frame, variables, [Value::Integer(index)].into_iter().chain(state).collect());
                    match self.block(body, frame, depth)? {
                        Next::Repeat(next) => state = next,
                        Next::Yield(_) => internal_bug!("a loop over a range goes on"),
                    }
                }
                return Ok(state);
            }
            Storage::Allocate { length, place, .. } => {
                let length = usize::try_from(integer(frame, *length)).unwrap_or(usize::MAX);
                let array = Value::array(vec![Value::Absent; length.min(1 << 20)]);
                if *place == Place::Memory {
                    self.allocated.push(array.clone());
                }
                return Ok(vec![array]);
            }
            Storage::Fill { array, .. } => fill(&value(frame, *array)),
            Storage::CountEach { steps, times } => {
                self.steps = self.steps.wrapping_add(steps.wrapping_mul(integer(frame, *times)));
            }
            Storage::Mark { .. } => return Ok(vec![Value::Integer(self.allocated.len() as u64)]),
            Storage::Keep { mark, limit, values, .. } => {
                let limit = limit.map(|limit| Value::Integer(integer(frame, limit)));
                let kept = self.keep(integer(frame, *mark) as usize, &all(frame, values));
                return Ok(limit.into_iter().chain(kept).collect());
            }
            Storage::Part { range: [from, end], .. } => {
                let (from, end) = (integer(frame, *from), integer(frame, *end));
                return Ok(vec![Value::Integer(end.min(from.saturating_add(LONGEST_PART)).max(from))]);
            }
            Storage::Apart { values, .. } => return Ok(all(frame, values)),
            Storage::SineAndCosine { angle, .. } => {
                let angle = number(frame, *angle);
                let of_angle = |operation| Value::Real(self.levels.unary(operation, &angle));
                return Ok([Operation::Sine, Operation::Cosine].map(of_angle).to_vec());
            }
            Storage::BeginRows { .. } | Storage::Turns { .. } => {}
        }
        Ok(Vec::new())
    }
}

impl Evaluation<'_> {
    /// Releases the arrays that have been allocated since a mark, and returns values with copies of those that are kept. Cells may
    /// refer to elements of arrays: nothing is released beside them.
    fn keep(&mut self, mark: usize, values: &[Value]) -> Vec<Value> {
        if values.iter().any(|value| matches!(value, Value::Cell(_) | Value::Absent)) {
            return values.to_vec();
        }
        let released = self.allocated.split_off(mark.min(self.allocated.len()));
        let kept = values.iter().map(|value| self.moved(value, &released)).collect();
        for array in released {
            if let Value::Array(elements) = array {
                elements.borrow_mut().fill(Value::Absent);
            }
        }
        kept
    }

    /// A copy of an array if it is one of those that are released.
    fn moved(&mut self, value: &Value, released: &[Value]) -> Value {
        let Value::Array(elements) = value else { return value.clone() };
        let is_same = |other: &Value| matches!(other, Value::Array(other) if Rc::ptr_eq(elements, other));
        if !released.iter().any(is_same) {
            return value.clone();
        }
        let copy = Value::array(elements.borrow().iter().map(|element| self.moved(element, released)).collect());
        self.allocated.push(copy.clone());
        copy
    }
}

fn fill(array: &Value) {
    if let Value::Array(elements) = array {
        elements.borrow_mut().fill(Value::Real(Number::Real(0.0)));
    }
}

/// The result of an operation on integers.
fn executed(operation: IntegerOperation, operands: &[Operand], frame: &Frame) -> Value {
    use IntegerOperation as O;
    let operand = |place: usize| match operands.get(place) {
        Some(operand) => *operand,
        None => internal_bug!("an operation on integers has its operands"),
    };
    let integer = |place| integer(frame, operand(place));
    let real = |place| number(frame, operand(place)).base();
    let truth = |place| truth(frame, operand(place));
    let is_moderate = |real: f64| real.abs() < 1_099_511_627_776.0 && real.floor() == real;
    match operation {
        O::Add => Value::Integer(integer(0).wrapping_add(integer(1))),
        O::Subtract => Value::Integer(integer(0).wrapping_sub(integer(1))),
        O::Multiply => Value::Integer(integer(0).wrapping_mul(integer(1))),
        O::Choose => Value::Integer(if truth(0) { integer(1) } else { integer(2) }),
        O::Solve(inverse, twos) => Value::Integer(integer(0).wrapping_mul(inverse).rotate_right(twos)),
        O::Whole => Value::Integer(real(0) as i64 as u64),
        O::Bound => Value::Integer(real(0).ceil().clamp(0.0, 9_007_199_254_740_992.0) as u64),
        O::Moderate => Value::Integer(if is_moderate(real(0)) { real(0) as i64 as u64 } else { 0 }),
        O::ModerateInteger => {
            let is_moderate = (integer(0) as i64).unsigned_abs() < 1_099_511_627_776;
            Value::Integer(if is_moderate { integer(0) } else { 0 })
        }
        O::NotNegative => Value::Integer((integer(0) as i64).max(0) as u64),
        O::Remainder => Value::Integer(match integer(1) as i64 {
            size @ 1.. => (integer(0) as i64).rem_euclid(size) as u64,
            _ => u64::MAX,
        }),
        O::RealOfRemainder => {
            let real = if integer(0) == u64::MAX { f64::NAN } else { integer(0) as f64 };
            Value::Real(Number::Real(real))
        }
        O::Same => Value::Boolean(integer(0) == integer(1)),
        O::Equals => Value::Boolean(integer(0) as i64 as f64 == real(1)),
        O::Real => Value::Real(Number::Real(integer(0) as i64 as f64)),
        O::Bits => Value::Integer(real(0).to_bits()),
        O::Periods => {
            let [left, period, steps, before] = [0, 1, 2, 3].map(integer);
            let (periods, most) = (left / period, (1 << 53) - before.min(1 << 53));
            let are_told_apart = steps == 0 || before <= 1 << 53 && periods <= most / steps;
            Value::Integer(if are_told_apart { periods } else { 0 })
        }
        O::Below => Value::Boolean(integer(0) < integer(1)),
        O::NotBelow => Value::Boolean(integer(0) >= integer(1)),
        O::Less => Value::Boolean((integer(0) as i64) < integer(1) as i64),
        O::Not => Value::Boolean(!truth(0)),
        O::Both => Value::Boolean(truth(0) && truth(1)),
        O::Likely => Value::Boolean(truth(0)),
    }
}
