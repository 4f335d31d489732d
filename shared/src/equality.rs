//! `equal?`: whether two values are the same, in constant host stack.

use crate::capsule::{Capsule, Skeleton, hole_of};
use crate::core::Program;
use crate::core_equality::same_code;
use crate::run::{Trouble, Watch};
use crate::value::{Number, Pair, Slots, Value, slot_values};
use std::collections::HashSet;
use std::rc::Rc;

/// How two reals are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reals {
    /// By `=` on their primals.
    Primals,
    /// Those of two skeletons: holes by number, constants by their value, NaN being equal to NaN.
    Constants,
}

/// `equal?`: reals by `=` on their primals, data by parts, procedures by code and slots, capsules by code and what the rest
/// of their computations needs.
///
/// # Errors
/// A limit of the run.
pub fn same_value(program: &Program, first: &Value, second: &Value, watch: &mut Watch) -> Result<bool, Trouble> {
    compare(program, vec![(first, second, Reals::Primals)], watch)
}

/// Whether two capsules differ in their reals alone, if at all.
///
/// # Errors
/// A limit of the run.
pub fn same_skeleton(
    program: &Program,
    first: &Rc<Skeleton>,
    second: &Rc<Skeleton>,
    watch: &mut Watch,
) -> Result<bool, Trouble> {
    if Rc::ptr_eq(first, second) {
        return Ok(true);
    }
    let mut pending = Vec::new();
    Ok(owe_skeletons(program, first, second, &mut pending) && compare(program, pending, watch)?)
}

/// What is still to be compared.
type Pending<'value> = Vec<(&'value Value, &'value Value, Reals)>;

/// Compares the points of two skeletons, and leaves their values to be compared.
fn owe_skeletons<'value>(
    program: &Program,
    first: &'value Skeleton,
    second: &'value Skeleton,
    pending: &mut Pending<'value>,
) -> bool {
    let values = first.values.iter().zip(&second.values);
    pending.extend(values.rev().map(|(a, b)| (a, b, Reals::Constants)));
    first.values.len() == second.values.len() && first.points.same(&*second.points, program)
}

fn compare(program: &Program, mut pending: Pending<'_>, watch: &mut Watch) -> Result<bool, Trouble> {
    // Shared parts that are being compared or were: comparing them again finds nothing new. How reals are compared is not
    // among what is noted: making a capsule and opening it copy all parts, so none is both in a skeleton and outside.
    let mut seen: HashSet<(*const Pair, *const Pair)> = HashSet::new();
    let mut seen_slots: HashSet<(*const Slots, *const Slots)> = HashSet::new();
    let mut seen_capsules: HashSet<(*const Capsule, *const Capsule)> = HashSet::new();
    while let Some((a, b, reals)) = pending.pop() {
        watch.work()?;
        let same = match (a, b) {
            (Value::Nil, Value::Nil) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Primitive(a), Value::Primitive(b)) => a == b,
            (Value::Pair(a), Value::Pair(b)) => {
                let is_shared = Rc::strong_count(a) > 1 && Rc::strong_count(b) > 1;
                if !is_shared || seen.insert((Rc::as_ptr(a), Rc::as_ptr(b))) {
                    pending.push((&a.second, &b.second, reals));
                    pending.push((&a.first, &b.first, reals));
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
                    pending.extend(a_slots.iter().zip(b_slots).rev().map(|(a, b)| (a, b, reals)));
                }
                a_slots.len() == b_slots.len() && same_code(program, *a, *b)
            }
            (Value::Capsule(a), Value::Capsule(b)) => {
                let is_shared = Rc::strong_count(a) > 1 && Rc::strong_count(b) > 1;
                let is_new = !is_shared || seen_capsules.insert((Rc::as_ptr(a), Rc::as_ptr(b)));
                !is_new
                    || a.reals.len() == b.reals.len()
                        && a.reals.iter().zip(&b.reals).all(|(a, b)| same_number(a, b, reals))
                        && (Rc::ptr_eq(&a.skeleton, &b.skeleton)
                            || owe_skeletons(program, &a.skeleton, &b.skeleton, &mut pending))
            }
            _ => match (a.number(), b.number()) {
                (Some(a), Some(b)) => same_number(&a, &b, reals),
                _ => false,
            },
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_number(a: &Number, b: &Number, reals: Reals) -> bool {
    let (x, y) = (a.base(), b.base());
    match reals {
        Reals::Primals => x == y,
        Reals::Constants => hole_of(a) == hole_of(b) && (x == y || x.is_nan() && y.is_nan()),
    }
}
