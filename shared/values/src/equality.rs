//! `equal?`: structural equality of two values, in constant host stack. Each pair of shared parts is compared once.

use crate::capsule::hole_of;
use crate::fault::RuntimeError;
use crate::lifted::Number;
use crate::tagged::{Reading, ValueView};
use crate::value::{Elements, Skeleton, Tagged, Value, Vector, slot_values};
use crate::watch::LimitCheck;
use std::collections::HashSet;
use std::rc::Rc;
use vlad_core::Program;
use vlad_core::equality::same_code;

/// The way in which two reals are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reals {
    /// By `=` on their primals, as data.
    Primals,
    /// As parts of two skeletons: holes by number, constants by value, with NaN equal to NaN.
    Constants,
}

/// `equal?`: compares reals by `=` on their primals, data by parts, procedures by code and slots, capsules by code and
/// the values that their continuations need.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn same_value(
    program: &Program,
    first: &Value,
    second: &Value,
    watch: &mut LimitCheck,
) -> Result<bool, RuntimeError> {
    compare(program, vec![(ValueView::as_is(first), ValueView::as_is(second), Reals::Primals)], watch)
}

/// Returns true if two capsules differ in their reals at most.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn same_skeleton(
    program: &Program,
    first: &Rc<Skeleton>,
    second: &Rc<Skeleton>,
    watch: &mut LimitCheck,
) -> Result<bool, RuntimeError> {
    if Rc::ptr_eq(first, second) {
        return Ok(true);
    }
    let mut pending = Vec::new();
    Ok(owe_skeletons(program, first, second, &mut pending) && compare(program, pending, watch)?)
}

/// The pairs of parts that are still to be compared.
type Pending<'value> = Vec<(ValueView<'value>, ValueView<'value>, Reals)>;

/// Compares the points of two skeletons, and adds their values to the pending pairs.
fn owe_skeletons<'value>(
    program: &Program,
    first: &'value Skeleton,
    second: &'value Skeleton,
    pending: &mut Pending<'value>,
) -> bool {
    let values = first.values.iter().zip(&second.values);
    pending.extend(values.rev().map(|(a, b)| (ValueView::as_is(a), ValueView::as_is(b), Reals::Constants)));
    first.values.len() == second.values.len() && first.points.same(&*second.points, program)
}

fn compare(program: &Program, mut pending: Pending<'_>, watch: &mut LimitCheck) -> Result<bool, RuntimeError> {
    // The pairs of shared parts that are being compared or were: comparing them again finds nothing new. The comparison
    // of reals is not recorded with them: making and opening a capsule copies all parts, so no part is both in a
    // skeleton and outside of one.
    let mut seen: HashSet<(LevelPart, LevelPart)> = HashSet::new();
    while let Some((first, second, reals)) = pending.pop() {
        watch.work()?;
        let readings = Readings { first: first.reading, second: second.reading };
        let same = match (first.value, second.value) {
            (Value::Nil, Value::Nil) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Primitive(a), Value::Primitive(b)) => a == b,
            (Value::Pair(a), Value::Pair(b)) => {
                if readings.note(a, b, &mut seen) {
                    pending.push((first.part(&a.second), second.part(&b.second), reals));
                    pending.push((first.part(&a.first), second.part(&b.first), reals));
                }
                true
            }
            (Value::Procedure { code: a, slots: a_slots }, Value::Procedure { code: b, slots: b_slots }) => {
                let is_new = match (a_slots, b_slots) {
                    (Some(a), Some(b)) => readings.note(a, b, &mut seen),
                    (None, _) | (_, None) => true,
                };
                let (a_slots, b_slots) = (slot_values(a_slots), slot_values(b_slots));
                if is_new {
                    let slots = a_slots.iter().zip(b_slots).rev();
                    pending.extend(slots.map(|(a, b)| (first.part(a), second.part(b), reals)));
                }
                a_slots.len() == b_slots.len() && same_code(program, *a, *b)
            }
            (Value::Capsule(a), Value::Capsule(b)) => {
                let same = |a: &Number, b: &Number| same_number(&first.read(a.clone()), &second.read(b.clone()), reals);
                !readings.note(a, b, &mut seen)
                    || a.reals.len() == b.reals.len()
                        && a.reals.iter().zip(&b.reals).all(|(a, b)| same(a, b))
                        && (Rc::ptr_eq(&a.skeleton, &b.skeleton)
                            || owe_skeletons(program, &a.skeleton, &b.skeleton, &mut pending))
            }
            (Value::Tagged(a), Value::Tagged(b)) => {
                if a.tag() == b.tag() && readings.note(a, b, &mut seen) {
                    let parts = first.parts_of(a).into_iter().zip(second.parts_of(b)).rev();
                    pending.extend(parts.map(|(a, b)| (a, b, reals)));
                }
                a.tag() == b.tag() && reads_of(a, first.reading) == reads_of(b, second.reading)
            }
            (Value::Vector(a), Value::Vector(b)) => {
                let same = a.len() == b.len();
                if same && readings.note(a, b, &mut seen) {
                    match (a.elements(), b.elements()) {
                        (Elements::Values(of_a), Elements::Values(of_b)) => {
                            let elements = of_a.iter().zip(of_b).rev();
                            pending.extend(elements.map(|(a, b)| (first.part(a), second.part(b), reals)));
                            true
                        }
                        (Elements::Reals(_), _) | (_, Elements::Reals(_)) => {
                            same_reals(a, b, &mut |a, b| same_number(&first.read(a), &second.read(b), reals), watch)?
                        }
                    }
                } else {
                    same
                }
            }
            _ => match (first.number(), second.number()) {
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

/// Returns true if two vectors of the same length, one of which has nothing but reals, have equal reals.
fn same_reals(
    first: &Vector,
    second: &Vector,
    same: &mut dyn FnMut(Number, Number) -> bool,
    watch: &mut LimitCheck,
) -> Result<bool, RuntimeError> {
    for (a, b) in first.iter().zip(second.iter()) {
        watch.work()?;
        let is_same = match (a.number(), b.number()) {
            (Some(a), Some(b)) => same(a, b),
            (None, _) | (_, None) => false,
        };
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The numbers that a backpropagator reads when it executes its procedure again; none if it does not.
fn reads_of(tagged: &Tagged, reading: Reading) -> &[f64] {
    match (tagged, reading) {
        (Tagged::Backpropagator(backpropagator), Reading::AsIs) => backpropagator.reads.as_deref().unwrap_or(&[]),
        (_, _) => &[],
    }
}

/// A part with the way in which it is read. No two live parts have the same address.
type LevelPart = (*const (), Reading);

/// The ways in which two parts are read.
struct Readings {
    first: Reading,
    second: Reading,
}

impl Readings {
    /// Records two parts if they may occur together again; returns false if they have been recorded before.
    fn note<T>(&self, a: &Rc<T>, b: &Rc<T>, noted: &mut HashSet<(LevelPart, LevelPart)>) -> bool {
        let may_occur_again = |part: &Rc<T>, reading| Rc::strong_count(part) > 1 || reading == Reading::AsZero;
        !(may_occur_again(a, self.first) && may_occur_again(b, self.second))
            || noted.insert(((Rc::as_ptr(a).cast(), self.first), (Rc::as_ptr(b).cast(), self.second)))
    }
}

fn same_number(a: &Number, b: &Number, reals: Reals) -> bool {
    let (x, y) = (a.base(), b.base());
    match reals {
        Reals::Primals => x == y,
        Reals::Constants => hole_of(a) == hole_of(b) && (x == y || x.is_nan() && y.is_nan()),
    }
}
