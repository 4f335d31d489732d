//! `equal?`: whether two values are the same, in constant host stack.

use crate::core::Program;
use crate::core_equality::same_code;
use crate::run::{Trouble, Watch};
use crate::value::{Pair, Slots, Value, slot_values};
use std::collections::HashSet;
use std::rc::Rc;

/// `equal?`: reals by `=` on their primals, data by parts, procedures by code and slots.
///
/// # Errors
/// A limit of the run.
pub fn same_value(program: &Program, first: &Value, second: &Value, watch: &mut Watch) -> Result<bool, Trouble> {
    // Shared parts that are being compared or were: comparing them again finds nothing new.
    let mut seen: HashSet<(*const Pair, *const Pair)> = HashSet::new();
    let mut seen_slots: HashSet<(*const Slots, *const Slots)> = HashSet::new();
    let mut pending = vec![(first, second)];
    while let Some((a, b)) = pending.pop() {
        watch.work()?;
        let same = match (a, b) {
            (Value::Nil, Value::Nil) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Primitive(a), Value::Primitive(b)) => a == b,
            (Value::Pair(a), Value::Pair(b)) => {
                let is_shared = Rc::strong_count(a) > 1 && Rc::strong_count(b) > 1;
                if !is_shared || seen.insert((Rc::as_ptr(a), Rc::as_ptr(b))) {
                    pending.push((&a.second, &b.second));
                    pending.push((&a.first, &b.first));
                }
                true
            }
            (Value::Procedure { code: a, slots: a_slots }, Value::Procedure { code: b, slots: b_slots }) => {
                let is_new = match (a_slots, b_slots) {
                    (Some(a), Some(b)) if Rc::strong_count(a) > 1 && Rc::strong_count(b) > 1 => {
                        seen_slots.insert((Rc::as_ptr(a), Rc::as_ptr(b)))
                    }
                    _ => true,
                };
                let (a_slots, b_slots) = (slot_values(a_slots), slot_values(b_slots));
                if is_new {
                    pending.extend(a_slots.iter().zip(b_slots).rev());
                }
                a_slots.len() == b_slots.len() && same_code(program, *a, *b)
            }
            _ => match (a.base(), b.base()) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}
