//! Traversal of data of any depth in constant host stack: a value is rebuilt leaf by leaf, alone or in step with a
//! second value that must have its shape ([`rebuild_with`]).
//!
//! The parts of a pair are its two halves, those of a procedure its slots, those of a tagged value its contents, those
//! of a vector its elements. Leaves are reals; everything else is discrete. User data are trees: each position is
//! visited, left to right. If the replacement of a leaf does not depend on its position, parts that are shared may be
//! rebuilt once ([`Sharing::Kept`]); no program can tell the difference.

mod conformance;
mod paired;

pub use conformance::{Companion, nonconforming};
pub use paired::{conform, rebuild_with};

use crate::context::TraversalContext;
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;
use vlad_core::LambdaId;
use vlad_table::internal_bug;
use vlad_values::fault::RuntimeError;
use vlad_values::tagged::{Reading, ValueView};
use vlad_values::{Capsule, Elements, Number, Primals, Reals, Slots, Tagged, Value, Vector};

/// The treatment of shared parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// They are rebuilt once and stay shared.
    Kept,
    /// Each position is rebuilt by itself.
    Undone,
}

/// A part that may occur again, and its reading. No two live parts have the same address.
type LevelPart = (*const (), Reading);

/// The key of a part that may occur again: it is shared, or it is also read as its own zero tangent.
fn shared<T>(sharing: Sharing, part: &Rc<T>, reading: Reading) -> Option<LevelPart> {
    let may_be = Rc::strong_count(part) > 1 || reading == Reading::AsZero;
    (sharing == Sharing::Kept && may_be).then_some((Rc::as_ptr(part).cast(), reading))
}

/// A compound value to be made of its rebuilt parts, with their number where it varies.
enum Compound<'data> {
    Pair,
    Procedure(LambdaId, usize),
    Tagged(&'data Tagged, usize, Primals),
    Vector(usize),
}

/// The results of a rebuilding: a stack of values, each pushed after its parts, and the results for shared parts by
/// their keys.
struct Rebuilder<K> {
    results: Vec<Value>,
    /// Never iterated, so its order cannot show.
    made: HashMap<K, Value>,
}

impl<K: Eq + Hash> Rebuilder<K> {
    fn new() -> Rebuilder<K> {
        Rebuilder { results: Vec::new(), made: HashMap::new() }
    }

    /// Pushes the result of a shared part once more, if it was rebuilt before; returns true in that case.
    fn again(&mut self, key: Option<&K>) -> bool {
        let made = key.and_then(|key| self.made.get(key)).cloned();
        let is_made = made.is_some();
        self.results.extend(made);
        is_made
    }

    /// Does the same for slots, which procedures of other code may share.
    fn slots_again(&mut self, key: Option<&K>, code: LambdaId) -> bool {
        match key.and_then(|key| self.made.get(key)) {
            Some(Value::Procedure { slots, .. }) => {
                let slots = slots.clone();
                self.results.push(Value::Procedure { code, slots });
                true
            }
            Some(_) | None => false,
        }
    }

    /// Makes a compound value of the last results.
    fn make(&mut self, whole: &Compound<'_>, key: Option<K>) {
        let made = match *whole {
            Compound::Pair => {
                let second = self.pop();
                Value::pair(self.pop(), second)
            }
            Compound::Procedure(code, count) => {
                let slots = (count > 0).then(|| Rc::new(Slots::new(self.pop_some(count))));
                Value::Procedure { code, slots }
            }
            Compound::Tagged(like, count, primals) => {
                let second = (count > 1).then(|| self.pop());
                Value::tagged(like.with(self.pop(), second, primals))
            }
            Compound::Vector(count) => Value::vector(self.pop_some(count).into_iter().collect()),
        };
        self.give(made, key);
    }

    /// Pushes a result, and keeps it as that of a shared part.
    fn give(&mut self, made: Value, key: Option<K>) {
        if let Some(key) = key {
            self.made.insert(key, made.clone());
        }
        self.results.push(made);
    }

    fn pop(&mut self) -> Value {
        match self.results.pop() {
            Some(value) => value,
            None => internal_bug!("parts are rebuilt before what they are parts of"),
        }
    }

    fn pop_some(&mut self, count: usize) -> Vec<Value> {
        match self.results.len().checked_sub(count) {
            Some(start) => self.results.split_off(start),
            None => internal_bug!("parts are rebuilt before what they are parts of"),
        }
    }
}

/// A pending task of a traversal.
enum Task<'data> {
    Visit(ValueView<'data>),
    Make(Compound<'data>, Option<LevelPart>),
}

/// Rebuilds a value with each real replaced.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn rebuild(
    value: &Value,
    sharing: Sharing,
    primals: Primals,
    context: &mut TraversalContext<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Value, RuntimeError> {
    match rebuild_all(std::slice::from_ref(value), sharing, primals, context, leaf)?.pop() {
        Some(value) => Ok(value),
        None => internal_bug!("rebuilding a value gives a value"),
    }
}

/// Rebuilds some values, which may share parts.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn rebuild_all(
    values: &[Value],
    sharing: Sharing,
    primals: Primals,
    context: &mut TraversalContext<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Vec<Value>, RuntimeError> {
    let mut tasks: Vec<Task<'_>> = values.iter().rev().map(|value| Task::Visit(ValueView::as_is(value))).collect();
    let mut workshop: Rebuilder<LevelPart> = Rebuilder::new();
    while let Some(task) = tasks.pop() {
        context.watch.work()?;
        let seen = match task {
            Task::Make(whole, part) => {
                workshop.make(&whole, part);
                continue;
            }
            Task::Visit(seen) => seen,
        };
        match seen.value {
            Value::Pair(pair) => {
                let part = shared(sharing, pair, seen.reading);
                if !workshop.again(part.as_ref()) {
                    tasks.push(Task::Make(Compound::Pair, part));
                    tasks.extend([&pair.second, &pair.first].map(|half| Task::Visit(seen.part(half))));
                }
            }
            Value::Procedure { code, slots: Some(slots) } => {
                let part = shared(sharing, slots, seen.reading);
                if !workshop.slots_again(part.as_ref(), *code) {
                    tasks.push(Task::Make(Compound::Procedure(*code, slots.values().len()), part));
                    tasks.extend(slots.values().iter().rev().map(|slot| Task::Visit(seen.part(slot))));
                }
            }
            Value::Capsule(capsule) => {
                let part = shared(sharing, capsule, seen.reading);
                if !workshop.again(part.as_ref()) {
                    let primals = primals.read(seen.reading);
                    let made = rebuild_capsule(capsule, primals, context, &mut |real| Ok(leaf(seen.read(real))))?;
                    workshop.give(made, part);
                }
            }
            Value::Tagged(tagged) => {
                let part = shared(sharing, tagged, seen.reading);
                if !workshop.again(part.as_ref()) {
                    let parts = seen.parts_of(tagged);
                    let primals = primals.read(seen.reading);
                    tasks.push(Task::Make(Compound::Tagged(tagged, parts.len(), primals), part));
                    tasks.extend(parts.into_iter().rev().map(Task::Visit));
                }
            }
            Value::Vector(vector) => {
                let part = shared(sharing, vector, seen.reading);
                if !workshop.again(part.as_ref()) {
                    match vector.elements() {
                        Elements::Reals(reals) => {
                            let made = rebuild_reals(reals, context, &mut |real| leaf(seen.read(real)))?;
                            workshop.give(made, part);
                        }
                        Elements::Values(values) => {
                            tasks.push(Task::Make(Compound::Vector(values.len()), part));
                            tasks.extend(values.iter().rev().map(|value| Task::Visit(seen.part(value))));
                        }
                    }
                }
            }
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Primitive(_)
            | Value::Procedure { slots: None, .. } => workshop.results.push(match seen.number() {
                Some(number) => leaf(number).into(),
                None => seen.value.clone(),
            }),
        }
    }
    Ok(workshop.results)
}

/// Rebuilds a capsule with the same skeleton and each of its reals replaced.
fn rebuild_capsule(
    capsule: &Capsule,
    primals: Primals,
    context: &mut TraversalContext<'_>,
    leaf: &mut dyn FnMut(Number) -> Result<Number, RuntimeError>,
) -> Result<Value, RuntimeError> {
    let mut reals = Vec::with_capacity(capsule.reals.len());
    for real in &capsule.reals {
        context.watch.work()?;
        reals.push(leaf(real.clone())?);
    }
    let primals = if primals == Primals::Same || reals.is_empty() { capsule.primals } else { Primals::Other };
    Ok(Value::Capsule(Rc::new(Capsule { skeleton: Rc::clone(&capsule.skeleton), reals, primals })))
}

/// Rebuilds a vector of reals with each of them replaced.
fn rebuild_reals(
    reals: &Reals,
    context: &mut TraversalContext<'_>,
    leaf: &mut dyn FnMut(Number) -> Number,
) -> Result<Value, RuntimeError> {
    let mut made = Reals::default();
    for real in reals.iter() {
        context.watch.work()?;
        made.push(leaf(real));
    }
    Ok(Value::vector(Vector::from(made)))
}
