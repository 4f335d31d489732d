//! Walking data of any depth in constant host stack: rebuilding it leaf by leaf, alone or in step with data that must
//! have its shape.
//!
//! The parts of a pair are its two halves; the parts of a procedure are its slots; the parts of a tagged value what has
//! the tag. Leaves are reals; the rest is discrete. User data are trees: each position is visited, left to right. Where
//! what is made of a leaf does not depend on its position, parts that are shared may be rebuilt once ([`Sharing::Kept`]):
//! no program can tell.

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
use crate::tagged::{Marking, Reading, Seen, Tagged};
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

/// Whether what is made has the primals of what it is made of: a backpropagator then belongs to the same application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primals {
    /// It has: reals are lifted, or levels end.
    Same,
    /// It need not.
    Other,
}

impl Primals {
    /// Those of a part that is read in some way.
    fn read(self, reading: Reading) -> Primals {
        if reading == Reading::AsIs { self } else { Primals::Other }
    }
}

/// What is still to be done; results wait on a stack of their own.
enum Task<'data> {
    Visit(Seen<'data>),
    MakePair(Option<Shared<Pair>>),
    MakeProcedure(LambdaId, usize, Option<Shared<Slots>>),
    MakeTagged(&'data Tagged, usize, Primals, Option<Shared<Tagged>>),
}

/// A part that may occur again, and how it is read.
type Shared<T> = (*const T, Reading);

/// What stands for a part that may occur again: one that is shared, or that stands for its zero beside itself.
fn shared<T>(sharing: Sharing, part: &Rc<T>, reading: Reading) -> Option<Shared<T>> {
    let may_be = Rc::strong_count(part) > 1 || reading == Reading::AsZero;
    (sharing == Sharing::Kept && may_be).then_some((Rc::as_ptr(part), reading))
}

/// Rebuilds a value with each real replaced.
///
/// # Errors
/// A limit of the run.
pub fn rebuild(
    value: &Value,
    sharing: Sharing,
    primals: Primals,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Value, Trouble> {
    take(&mut rebuild_all(std::slice::from_ref(value), sharing, primals, surroundings, leaf)?)
}

/// Rebuilds some values, which may share parts.
///
/// # Errors
/// A limit of the run.
pub fn rebuild_all(
    values: &[Value],
    sharing: Sharing,
    primals: Primals,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Vec<Value>, Trouble> {
    // Shared parts that are rebuilt already. Never iterated, so its order cannot show.
    let mut pairs: HashMap<Shared<Pair>, Value> = HashMap::new();
    let mut slots_made: HashMap<Shared<Slots>, Option<Rc<Slots>>> = HashMap::new();
    let mut capsules: HashMap<Shared<Capsule>, Value> = HashMap::new();
    let mut tagged_made: HashMap<Shared<Tagged>, Value> = HashMap::new();
    let mut tasks: Vec<Task<'_>> = values.iter().rev().map(|value| Task::Visit(Seen::as_is(value))).collect();
    let mut results: Vec<Value> = Vec::new();
    while let Some(task) = tasks.pop() {
        surroundings.watch.work()?;
        match task {
            Task::Visit(seen @ Seen { value: Value::Pair(pair), reading }) => {
                let shared = shared(sharing, pair, reading);
                if let Some(made) = shared.and_then(|shared| pairs.get(&shared)) {
                    results.push(made.clone());
                } else {
                    tasks.push(Task::MakePair(shared));
                    tasks.push(Task::Visit(seen.part(&pair.second)));
                    tasks.push(Task::Visit(seen.part(&pair.first)));
                }
            }
            Task::Visit(seen @ Seen { value: Value::Procedure { code, slots: Some(slots) }, reading }) => {
                let shared = shared(sharing, slots, reading);
                if let Some(made) = shared.and_then(|shared| slots_made.get(&shared)) {
                    results.push(Value::Procedure { code: *code, slots: made.clone() });
                } else {
                    tasks.push(Task::MakeProcedure(*code, slots.values().len(), shared));
                    tasks.extend(slots.values().iter().rev().map(|slot| Task::Visit(seen.part(slot))));
                }
            }
            Task::Visit(seen @ Seen { value: Value::Capsule(capsule), reading }) => {
                let shared = shared(sharing, capsule, reading);
                let made = match shared.and_then(|shared| capsules.get(&shared)) {
                    Some(made) => made.clone(),
                    None => rebuild_capsule(capsule, primals.read(reading), surroundings, &mut |real| {
                        leaf(seen.read(real))
                    })?,
                };
                if let Some(shared) = shared {
                    capsules.insert(shared, made.clone());
                }
                results.push(made);
            }
            Task::Visit(seen @ Seen { value: Value::Tagged(tagged), reading }) => {
                let shared = shared(sharing, tagged, reading);
                if let Some(made) = shared.and_then(|shared| tagged_made.get(&shared)) {
                    results.push(made.clone());
                } else {
                    let parts = seen.parts_of(tagged);
                    tasks.push(Task::MakeTagged(tagged, parts.len(), primals.read(reading), shared));
                    tasks.extend(parts.into_iter().rev().map(Task::Visit));
                }
            }
            Task::Visit(atom) => results.push(match atom.number() {
                Some(number) => leaf(number).into(),
                None => atom.value.clone(),
            }),
            Task::MakePair(shared) => {
                let made = make_pair(&mut results);
                if let Some(shared) = shared {
                    pairs.insert(shared, made.clone());
                }
                results.push(made);
            }
            Task::MakeProcedure(code, count, shared) => {
                let made = make_procedure(&mut results, code, count);
                if let (Some(shared), Value::Procedure { slots, .. }) = (shared, &made) {
                    slots_made.insert(shared, slots.clone());
                }
                results.push(made);
            }
            Task::MakeTagged(tagged, count, primals, shared) => {
                let made = make_tagged(&mut results, tagged, count, primals);
                if let Some(shared) = shared {
                    tagged_made.insert(shared, made.clone());
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
    primals: Primals,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Value, Trouble> {
    let mut reals = Vec::with_capacity(capsule.reals.len());
    for real in &capsule.reals {
        surroundings.watch.work()?;
        reals.push(leaf(real.clone()));
    }
    let primals = if primals == Primals::Same || reals.is_empty() { capsule.primals } else { Primals::Other };
    Ok(Value::Capsule(Rc::new(Capsule { skeleton: Rc::clone(&capsule.skeleton), reals, primals })))
}

/// What a companion that walks beside a value is, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Companion {
    /// The tangent given to `j*` or to `bundle`.
    Tangent(Primitive),
    /// The cotangent given to `*j`, or to another operator of reverse mode.
    Cotangent(Primitive),
    /// What a backpropagator is applied to.
    Sensitivity,
    /// The second operand of `plus`.
    Summand,
}

/// Two parts that are walked together, and may be so again.
type SharedTwo<T> = (Shared<T>, Shared<T>);

fn shared_two<T>(sharing: Sharing, first: (&Rc<T>, Reading), second: (&Rc<T>, Reading)) -> Option<SharedTwo<T>> {
    Some((shared(sharing, first.0, first.1)?, shared(sharing, second.0, second.1)?))
}

enum PairedTask<'data> {
    Visit(Seen<'data>, Seen<'data>),
    MakePair(Option<SharedTwo<Pair>>),
    MakeProcedure(LambdaId, usize, Option<SharedTwo<Slots>>),
    MakeTagged(&'data Tagged, usize, Primals, Option<SharedTwo<Tagged>>),
}

/// Rebuilds a value from each real and the real at the same position of a companion, which must conform: same shape, same
/// code, equal discrete parts.
///
/// # Errors
/// The companion does not conform; a limit of the run.
pub fn rebuild_with(
    value: Seen<'_>,
    companion: Seen<'_>,
    role: Companion,
    sharing: Sharing,
    primals: Primals,
    surroundings: &mut Surroundings<'_>,
    leaf: &mut dyn FnMut(Number, Number) -> Number,
) -> Result<Value, Trouble> {
    // As in `rebuild`.
    let mut pairs: HashMap<SharedTwo<Pair>, Value> = HashMap::new();
    let mut slots_made: HashMap<SharedTwo<Slots>, Option<Rc<Slots>>> = HashMap::new();
    let mut tagged_made: HashMap<SharedTwo<Tagged>, Value> = HashMap::new();
    let mut tasks = vec![PairedTask::Visit(value, companion)];
    let mut results: Vec<Value> = Vec::new();
    while let Some(task) = tasks.pop() {
        surroundings.watch.work()?;
        let (value, companion) = match task {
            PairedTask::Visit(value, companion) => (value, companion),
            PairedTask::MakePair(shared) => {
                let made = make_pair(&mut results);
                if let Some(shared) = shared {
                    pairs.insert(shared, made.clone());
                }
                results.push(made);
                continue;
            }
            PairedTask::MakeProcedure(code, count, shared) => {
                let made = make_procedure(&mut results, code, count);
                if let (Some(shared), Value::Procedure { slots, .. }) = (shared, &made) {
                    slots_made.insert(shared, slots.clone());
                }
                results.push(made);
                continue;
            }
            PairedTask::MakeTagged(tagged, count, primals, shared) => {
                let made = make_tagged(&mut results, tagged, count, primals);
                if let Some(shared) = shared {
                    tagged_made.insert(shared, made.clone());
                }
                results.push(made);
                continue;
            }
        };
        match (value.value, companion.value) {
            (Value::Pair(a), Value::Pair(b)) => {
                let shared = shared_two(sharing, (a, value.reading), (b, companion.reading));
                if let Some(made) = shared.and_then(|shared| pairs.get(&shared)) {
                    results.push(made.clone());
                } else {
                    tasks.push(PairedTask::MakePair(shared));
                    tasks.push(PairedTask::Visit(value.part(&a.second), companion.part(&b.second)));
                    tasks.push(PairedTask::Visit(value.part(&a.first), companion.part(&b.first)));
                }
            }
            (Value::Procedure { code: a, slots: a_slots }, Value::Procedure { code: b, slots: b_slots }) => {
                if !same_code(surroundings.program, *a, *b) {
                    return Err(nonconforming(role, value.value, companion.value, surroundings.program));
                }
                let shared = match (a_slots, b_slots) {
                    (Some(a), Some(b)) => shared_two(sharing, (a, value.reading), (b, companion.reading)),
                    (None, _) | (_, None) => None,
                };
                if let Some(made) = shared.and_then(|shared| slots_made.get(&shared)) {
                    results.push(Value::Procedure { code: *a, slots: made.clone() });
                } else {
                    let (a_slots, b_slots) = (slot_values(a_slots), slot_values(b_slots));
                    tasks.push(PairedTask::MakeProcedure(*a, a_slots.len(), shared));
                    let slots = a_slots.iter().zip(b_slots).rev();
                    tasks.extend(slots.map(|(a, b)| PairedTask::Visit(value.part(a), companion.part(b))));
                }
            }
            (Value::Capsule(a), Value::Capsule(b)) => {
                let same = a.reals.len() == b.reals.len();
                if !same || !same_skeleton(surroundings.program, &a.skeleton, &b.skeleton, surroundings.watch)? {
                    return Err(nonconforming(role, value.value, companion.value, surroundings.program));
                }
                let mut companions = b.reals.iter();
                results.push(rebuild_capsule(
                    a,
                    primals.read(value.reading),
                    surroundings,
                    &mut |real| match companions.next() {
                        Some(other) => leaf(value.read(real), companion.read(other.clone())),
                        None => internal_bug!("capsules that conform have equally many reals"),
                    },
                )?);
            }
            (Value::Tagged(a), Value::Tagged(b)) if a.tag() == b.tag() => {
                let shared = shared_two(sharing, (a, value.reading), (b, companion.reading));
                if let Some(made) = shared.and_then(|shared| tagged_made.get(&shared)) {
                    results.push(made.clone());
                } else {
                    let (parts, others) = (value.parts_of(a), companion.parts_of(b));
                    // A sum is marked as either summand is, so that their order does not matter.
                    let like = if role == Companion::Summand && is_marked(b) { b } else { a };
                    tasks.push(PairedTask::MakeTagged(like, parts.len(), primals.read(value.reading), shared));
                    tasks.extend(parts.into_iter().zip(others).rev().map(|(a, b)| PairedTask::Visit(a, b)));
                }
            }
            _ => match (value.number(), companion.number()) {
                (Some(a), Some(b)) => results.push(leaf(a, b).into()),
                _ if same_discrete(value.value, companion.value) => results.push(value.value.clone()),
                _ => return Err(nonconforming(role, value.value, companion.value, surroundings.program)),
            },
        }
    }
    take(&mut results)
}

/// Whether it is a bundle whose tangent was given as a perturbation.
fn is_marked(tagged: &Tagged) -> bool {
    matches!(tagged, Tagged::Bundle(bundle) if bundle.marking == Marking::Tagged)
}

/// Checks that a companion conforms to a value.
///
/// # Errors
/// It does not; a limit of the run.
pub fn conform(
    value: &Value,
    companion: &Value,
    role: Companion,
    surroundings: &mut Surroundings<'_>,
) -> Result<(), Trouble> {
    if value.base().is_some() && companion.base().is_some() {
        return Ok(());
    }
    let (value, companion) = (Seen::as_is(value), Seen::as_is(companion));
    rebuild_with(value, companion, role, Sharing::Kept, Primals::Other, surroundings, &mut |_, companion| companion)
        .map(|_| ())
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
    let is_long_tuple = value.base().is_some() && is_tuple(companion);
    let (value, found) = match (value, companion) {
        (Value::Capsule(_), Value::Capsule(_)) => (summary(program, value), "one of another computation".to_owned()),
        (Value::Procedure { code: a, .. }, Value::Procedure { code: b, .. }) => {
            (written(program, *a), written(program, *b))
        }
        _ => (summary(program, value), summary(program, companion)),
    };
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
    let trouble = Trouble::new(Kind::Conformance, message);
    match role {
        Companion::Tangent(operator) | Companion::Cotangent(operator) if is_long_tuple => {
            trouble.with_hint(format!("is the number of operands right? the operator takes {}", taken_by(operator)))
        }
        Companion::Tangent(_) | Companion::Cotangent(_) | Companion::Sensitivity | Companion::Summand => trouble,
    }
}

/// Whether a value looks like a tuple of several operands: a few pairs that do not end like a list.
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

/// A procedure, and where it is written: two of different code may print alike.
fn written(program: &Program, code: LambdaId) -> String {
    let (lambda, value) = (program.lambda(code), Value::Procedure { code, slots: None });
    let place = program.sources.get(lambda.span.file).map(|file| file.position(lambda.span.start));
    match place {
        Some(place) if !program.is_prelude(lambda.body) => {
            format!("{} of line {}, column {}", summary(program, &value), place.line, place.column)
        }
        Some(_) | None => summary(program, &value),
    }
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

fn make_tagged(results: &mut Vec<Value>, like: &Tagged, count: usize, primals: Primals) -> Value {
    let second = if count > 1 { results.pop() } else { None };
    match results.pop() {
        Some(first) => Value::tagged(like.with(first, second, primals)),
        None => internal_bug!("the parts of a tagged value are rebuilt before it"),
    }
}

fn take(results: &mut Vec<Value>) -> Result<Value, Trouble> {
    match results.pop() {
        Some(value) => Ok(value),
        None => internal_bug!("rebuilding a value gives a value"),
    }
}
