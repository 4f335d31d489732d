//! Walking data of any depth in constant host stack: rebuilding it leaf by leaf, alone or in step with data that must
//! have its shape.
//!
//! The parts of a pair are its two halves; the parts of a procedure are its slots. Leaves are reals; the rest is
//! discrete. User data are trees: each position is visited, left to right. Where what is made of a leaf does not depend
//! on its position, parts that are shared may be rebuilt once ([`Sharing::Kept`]): no program can tell.

use super::Surroundings;
use crate::capsule::Capsule;
use crate::core::{LambdaId, Program};
use crate::core_equality::same_code;
use crate::diagnostic::Kind;
use crate::equality::same_skeleton;
use crate::internal_bug;
use crate::operands::taken_by;
use crate::print::summary;
use crate::run::Trouble;
use crate::table::Primitive;
use crate::value::{Number, Pair, Slots, Value, slot_values};
use std::collections::HashMap;
use std::rc::Rc;

/// Whether shared parts may be rebuilt once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// They are rebuilt once and stay shared.
    Kept,
    /// Each position is rebuilt by itself.
    Undone,
}

/// What is still to be done; results wait on a stack of their own.
enum Task<'data> {
    Visit(&'data Value),
    MakePair(Option<*const Pair>),
    MakeProcedure(LambdaId, usize, Option<*const Slots>),
}

/// Rebuilds a value with each real replaced.
///
/// # Errors
/// A limit of the run.
pub fn rebuild(
    value: &Value,
    sharing: Sharing,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Value, Trouble> {
    take(&mut rebuild_all(std::slice::from_ref(value), sharing, surroundings, leaf)?)
}

/// Rebuilds some values, which may share parts.
///
/// # Errors
/// A limit of the run.
pub fn rebuild_all(
    values: &[Value],
    sharing: Sharing,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Vec<Value>, Trouble> {
    // Shared parts that are rebuilt already. Never iterated, so its order cannot show.
    let mut pairs: HashMap<*const Pair, Value> = HashMap::new();
    let mut slots_made: HashMap<*const Slots, Option<Rc<Slots>>> = HashMap::new();
    let mut capsules: HashMap<*const Capsule, Value> = HashMap::new();
    let mut tasks: Vec<Task<'_>> = values.iter().rev().map(Task::Visit).collect();
    let mut results: Vec<Value> = Vec::new();
    while let Some(task) = tasks.pop() {
        surroundings.watch.work()?;
        match task {
            Task::Visit(Value::Pair(pair)) => {
                let shared = (sharing == Sharing::Kept && Rc::strong_count(pair) > 1).then_some(Rc::as_ptr(pair));
                if let Some(made) = shared.and_then(|pointer| pairs.get(&pointer)) {
                    results.push(made.clone());
                } else {
                    tasks.push(Task::MakePair(shared));
                    tasks.push(Task::Visit(&pair.second));
                    tasks.push(Task::Visit(&pair.first));
                }
            }
            Task::Visit(Value::Procedure { code, slots: Some(slots) }) => {
                let shared = (sharing == Sharing::Kept && Rc::strong_count(slots) > 1).then_some(Rc::as_ptr(slots));
                if let Some(made) = shared.and_then(|pointer| slots_made.get(&pointer)) {
                    results.push(Value::Procedure { code: *code, slots: made.clone() });
                } else {
                    tasks.push(Task::MakeProcedure(*code, slots.values().len(), shared));
                    tasks.extend(slots.values().iter().rev().map(Task::Visit));
                }
            }
            Task::Visit(Value::Capsule(capsule)) => {
                let shared = (sharing == Sharing::Kept && Rc::strong_count(capsule) > 1).then_some(Rc::as_ptr(capsule));
                let made = match shared.and_then(|pointer| capsules.get(&pointer)) {
                    Some(made) => made.clone(),
                    None => rebuild_capsule(capsule, surroundings, leaf)?,
                };
                if let Some(pointer) = shared {
                    capsules.insert(pointer, made.clone());
                }
                results.push(made);
            }
            Task::Visit(atom) => results.push(match atom.number() {
                Some(number) => leaf(number).into(),
                None => atom.clone(),
            }),
            Task::MakePair(shared) => {
                let made = make_pair(&mut results);
                if let Some(pointer) = shared {
                    pairs.insert(pointer, made.clone());
                }
                results.push(made);
            }
            Task::MakeProcedure(code, count, shared) => {
                let made = make_procedure(&mut results, code, count);
                if let (Some(pointer), Value::Procedure { slots, .. }) = (shared, &made) {
                    slots_made.insert(pointer, slots.clone());
                }
                results.push(made);
            }
        }
    }
    Ok(results)
}

/// A capsule of the same skeleton with each of its reals replaced.
fn rebuild_capsule(
    capsule: &Capsule,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Value, Trouble> {
    let mut reals = Vec::with_capacity(capsule.reals.len());
    for real in &capsule.reals {
        surroundings.watch.work()?;
        reals.push(leaf(real.clone()));
    }
    Ok(Value::Capsule(Rc::new(Capsule { skeleton: Rc::clone(&capsule.skeleton), reals })))
}

/// What a companion that walks beside a value is, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Companion {
    /// The tangent given to `j*`.
    Tangent,
    /// The cotangent given to `*j`, or to another operator of reverse mode.
    Cotangent(Primitive),
    /// The second operand of `plus`.
    Summand,
}

/// Two pairs that are walked together.
type Pairs = (*const Pair, *const Pair);

/// The slots of two procedures that are walked together.
type SlotPairs = (*const Slots, *const Slots);

enum PairedTask<'data> {
    Visit(&'data Value, &'data Value),
    MakePair(Option<Pairs>),
    MakeProcedure(LambdaId, usize, Option<SlotPairs>),
}

/// Rebuilds a value from each real and the real at the same position of a companion, which must conform: same shape, same
/// code, equal discrete parts.
///
/// # Errors
/// The companion does not conform; a limit of the run.
pub fn rebuild_with(
    value: &Value,
    companion: &Value,
    role: Companion,
    sharing: Sharing,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number, Number) -> Number,
) -> Result<Value, Trouble> {
    // As in `rebuild`.
    let mut pairs: HashMap<Pairs, Value> = HashMap::new();
    let mut slots_made: HashMap<SlotPairs, Option<Rc<Slots>>> = HashMap::new();
    let mut tasks = vec![PairedTask::Visit(value, companion)];
    let mut results: Vec<Value> = Vec::new();
    while let Some(task) = tasks.pop() {
        surroundings.watch.work()?;
        let (value, companion) = match task {
            PairedTask::Visit(value, companion) => (value, companion),
            PairedTask::MakePair(shared) => {
                let made = make_pair(&mut results);
                if let Some(pointers) = shared {
                    pairs.insert(pointers, made.clone());
                }
                results.push(made);
                continue;
            }
            PairedTask::MakeProcedure(code, count, shared) => {
                let made = make_procedure(&mut results, code, count);
                if let (Some(pointers), Value::Procedure { slots, .. }) = (shared, &made) {
                    slots_made.insert(pointers, slots.clone());
                }
                results.push(made);
                continue;
            }
        };
        match (value, companion) {
            (Value::Pair(a), Value::Pair(b)) => {
                let is_shared = sharing == Sharing::Kept && Rc::strong_count(a) > 1 && Rc::strong_count(b) > 1;
                let shared = is_shared.then_some((Rc::as_ptr(a), Rc::as_ptr(b)));
                if let Some(made) = shared.and_then(|pointers| pairs.get(&pointers)) {
                    results.push(made.clone());
                } else {
                    tasks.push(PairedTask::MakePair(shared));
                    tasks.push(PairedTask::Visit(&a.second, &b.second));
                    tasks.push(PairedTask::Visit(&a.first, &b.first));
                }
            }
            (Value::Procedure { code: a, slots: a_slots }, Value::Procedure { code: b, slots: b_slots }) => {
                if !same_code(surroundings.program, *a, *b) {
                    return Err(nonconforming(role, value, companion, surroundings.program));
                }
                let shared = match (a_slots, b_slots) {
                    (Some(a), Some(b)) => {
                        let is_shared = sharing == Sharing::Kept && Rc::strong_count(a) > 1 && Rc::strong_count(b) > 1;
                        is_shared.then_some((Rc::as_ptr(a), Rc::as_ptr(b)))
                    }
                    (None, _) | (_, None) => None,
                };
                if let Some(made) = shared.and_then(|pointers| slots_made.get(&pointers)) {
                    results.push(Value::Procedure { code: *a, slots: made.clone() });
                } else {
                    let (a_slots, b_slots) = (slot_values(a_slots), slot_values(b_slots));
                    tasks.push(PairedTask::MakeProcedure(*a, a_slots.len(), shared));
                    tasks.extend(a_slots.iter().zip(b_slots).rev().map(|(a, b)| PairedTask::Visit(a, b)));
                }
            }
            (Value::Capsule(a), Value::Capsule(b)) => {
                let same = a.reals.len() == b.reals.len();
                if !same || !same_skeleton(surroundings.program, &a.skeleton, &b.skeleton, surroundings.watch)? {
                    return Err(nonconforming(role, value, companion, surroundings.program));
                }
                let mut companions = b.reals.iter();
                results.push(rebuild_capsule(a, surroundings, &mut |real| match companions.next() {
                    Some(companion) => leaf(real, companion.clone()),
                    None => internal_bug!("capsules that conform have equally many reals"),
                })?);
            }
            _ => match (value.number(), companion.number()) {
                (Some(a), Some(b)) => results.push(leaf(a, b).into()),
                _ if same_discrete(value, companion) => results.push(value.clone()),
                _ => return Err(nonconforming(role, value, companion, surroundings.program)),
            },
        }
    }
    take(&mut results)
}

/// Whether both are the same boolean, the empty list or the same primitive.
fn same_discrete(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Nil, Value::Nil) => true,
        (Value::Boolean(a), Value::Boolean(b)) => a == b,
        (Value::Primitive(a), Value::Primitive(b)) => a == b,
        _ => false,
    }
}

/// The trouble with a part of a companion that does not conform to the part of the value in the same place.
pub fn nonconforming(role: Companion, value: &Value, companion: &Value, program: &Program) -> Trouble {
    let is_long_tuple = value.base().is_some() && matches!(companion, Value::Pair(_)) && role != Companion::Summand;
    let found = match (value, companion) {
        (Value::Capsule(_), Value::Capsule(_)) => "one of another computation".to_owned(),
        _ => summary(program, companion),
    };
    let value = summary(program, value);
    let message = match role {
        Companion::Tangent => {
            format!(
                "`j*` expects a tangent of the shape of its primal; where that has {value}, the tangent has {found}"
            )
        }
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
    let trouble = Trouble::new(Kind::Conformance, message);
    if is_long_tuple {
        let operator = match role {
            Companion::Cotangent(operator) => operator,
            Companion::Tangent | Companion::Summand => Primitive::Forward,
        };
        return trouble
            .with_hint(format!("is the number of operands right? the operator takes {}", taken_by(operator)));
    }
    trouble
}

fn make_pair(results: &mut Vec<Value>) -> Value {
    match (results.pop(), results.pop()) {
        (Some(second), Some(first)) => Value::pair(first, second),
        _ => internal_bug!("the halves of a pair are rebuilt before it"),
    }
}

fn make_procedure(results: &mut Vec<Value>, code: LambdaId, count: usize) -> Value {
    let Some(start) = results.len().checked_sub(count) else {
        internal_bug!("the slots of a procedure are rebuilt before it");
    };
    let slots = (count > 0).then(|| Rc::new(Slots::new(results.drain(start..))));
    Value::Procedure { code, slots }
}

fn take(results: &mut Vec<Value>) -> Result<Value, Trouble> {
    match results.pop() {
        Some(value) => Ok(value),
        None => internal_bug!("rebuilding a value gives a value"),
    }
}
