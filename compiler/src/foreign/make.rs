//! Values of `vlad_shared` to values of the runtime, in constant host stack. What shares parts goes on to do so.
//!
//! If the system gives no memory there is no result. What has been made by then is lost, and is given back with the machine.

use super::interface::{
    Header, RawMachine, RawValue, kind, vlad_give_up, vlad_pair_or_nil, vlad_reads_or_none, vlad_reals_or_nil,
    vlad_slots_or_nil, vlad_vector_or_nil,
};
use super::rows::{frames_of, join};
use std::collections::HashMap;
use std::rc::Rc;
use vlad_shared::capsule::{Capsule, Skeleton, hole_of};
use vlad_shared::core::LambdaId;
use vlad_shared::differentiation::rebuild::Primals;
use vlad_shared::internal_bug;
use vlad_shared::tagged::{Bundle, Marking, Tagged, Tangent};
use vlad_shared::value::{Number, Pair, Slots, Value};
use vlad_shared::vector::{Elements, Reals, Vector};

/// What is still to be done; results wait on a stack of their own.
enum Task<'data> {
    Visit(&'data Value),
    Pair(&'data Rc<Pair>),
    Procedure(LambdaId, &'data Rc<Slots>),
    Tagged(&'data Rc<Tagged>),
    /// A vector of reals, or one whose elements have been made.
    Vector(&'data Rc<Vector>),
    /// The skeleton of a capsule.
    Skeleton(&'data Rc<Capsule>),
    Capsule(&'data Rc<Capsule>),
}

/// Some values as values of the runtime, owned, in their order; none if the system gives no memory. The points of capsules
/// among them are [`super::rows::Frames`].
///
/// # Safety
/// The machine lives, and none of its items runs.
pub unsafe fn from_shared(machine: *mut RawMachine, values: &[Value]) -> Option<Vec<RawValue>> {
    let mut maker = Maker {
        machine,
        results: Vec::new(),
        pairs: HashMap::new(),
        slots: HashMap::new(),
        tagged: HashMap::new(),
        vectors: HashMap::new(),
        skeletons: HashMap::new(),
        capsules: HashMap::new(),
    };
    let mut tasks: Vec<Task<'_>> = values.iter().rev().map(Task::Visit).collect();
    while let Some(task) = tasks.pop() {
        maker.execute(task, &mut tasks)?;
    }
    for skeleton in maker.skeletons.into_values() {
        // SAFETY: the machine is idle; the maker has had one reference to each skeleton.
        unsafe { vlad_give_up(machine, skeleton) };
    }
    Some(maker.results)
}

/// Invariant: the machine is idle, and the results are owned. What is noted of shared parts is alive as part of them; only
/// skeletons are noted with a reference of their own.
struct Maker {
    machine: *mut RawMachine,
    results: Vec<RawValue>,
    /// Shared parts that are made already. But for giving them up, never iterated.
    pairs: HashMap<*const Pair, RawValue>,
    slots: HashMap<*const Slots, RawValue>,
    tagged: HashMap<*const Tagged, RawValue>,
    vectors: HashMap<*const Vector, RawValue>,
    skeletons: HashMap<*const Skeleton, RawValue>,
    capsules: HashMap<*const Capsule, RawValue>,
}

impl Maker {
    /// Does something; none if there is no memory for it.
    fn execute<'data>(&mut self, task: Task<'data>, tasks: &mut Vec<Task<'data>>) -> Option<()> {
        match task {
            Task::Visit(value) => {
                if let Some(made) = self.visit(value, tasks) {
                    self.results.push(made);
                }
            }
            Task::Pair(pair) => {
                let (Some(second), Some(first)) = (self.results.pop(), self.results.pop()) else {
                    internal_bug!("the halves of a pair are made before it");
                };
                // SAFETY: the machine is idle; the halves are owned and go over to the pair.
                let made = unsafe { vlad_pair_or_nil(self.machine, first, second) };
                if made.kind() != kind::PAIR {
                    return None;
                }
                if Rc::strong_count(pair) > 1 {
                    self.pairs.insert(Rc::as_ptr(pair), made);
                }
                self.results.push(made);
            }
            Task::Procedure(code, slots) => {
                let values = self.take(slots.values().len());
                let made = self.with_slots(u64::from(code.0) << 32 | u64::from(kind::PROCEDURE), &values)?;
                if Rc::strong_count(slots) > 1 {
                    self.slots.insert(Rc::as_ptr(slots), made);
                }
                self.results.push(made);
            }
            Task::Tagged(tagged) => {
                let parts = self.take(tagged.contents().len());
                let made = self.make_tagged(tagged, parts)?;
                if Rc::strong_count(tagged) > 1 {
                    self.tagged.insert(Rc::as_ptr(tagged), made);
                }
                self.results.push(made);
            }
            Task::Vector(vector) => {
                let made = self.make_vector(vector)?;
                if Rc::strong_count(vector) > 1 {
                    self.vectors.insert(Rc::as_ptr(vector), made);
                }
                self.results.push(made);
            }
            Task::Skeleton(capsule) => {
                let values = self.take(capsule.values().len());
                let row = join(frames_of(&*capsule.skeleton.points), values);
                let made = self.with_slots(kind::SKELETON.into(), &row)?;
                self.skeletons.insert(Rc::as_ptr(&capsule.skeleton), made);
            }
            Task::Capsule(capsule) => {
                let Some(skeleton) = self.skeletons.get(&Rc::as_ptr(&capsule.skeleton)).copied() else {
                    internal_bug!("a skeleton is made before the capsule");
                };
                let reals = capsule.reals.iter().map(raw_number);
                let mut skeleton = share(skeleton);
                if capsule.primals == Primals::Other {
                    skeleton.tag |= 1 << 32;
                }
                let values: Vec<RawValue> = [skeleton].into_iter().chain(reals).collect();
                let made = self.with_slots(kind::CAPSULE.into(), &values)?;
                self.capsules.insert(Rc::as_ptr(capsule), made);
                self.results.push(made);
            }
        }
        Some(())
    }

    /// What a value becomes, owned, unless its parts come first.
    fn visit<'data>(&self, value: &'data Value, tasks: &mut Vec<Task<'data>>) -> Option<RawValue> {
        let raw = |kind: u8, word| RawValue { tag: u64::from(kind), word };
        match value {
            Value::Nil => Some(RawValue::NIL),
            Value::Boolean(boolean) => Some(raw(kind::BOOLEAN, u64::from(*boolean))),
            Value::Real(real) => Some(raw(kind::REAL, real.to_bits())),
            Value::Lifted(lifted) => Some(raw_number(&Number::Lifted(Rc::clone(lifted)))),
            Value::Primitive(primitive) => Some(raw(kind::PRIMITIVE, *primitive as u64)),
            Value::Pair(pair) => {
                let known = self.pairs.get(&Rc::as_ptr(pair)).copied();
                if known.is_none() {
                    tasks.extend([Task::Pair(pair), Task::Visit(&pair.second), Task::Visit(&pair.first)]);
                }
                known.map(share)
            }
            Value::Procedure { code, slots } => {
                let Some(slots) = slots.as_ref().filter(|slots| !slots.values().is_empty()) else {
                    return Some(RawValue::plain(code.0));
                };
                if let Some(made) = self.slots.get(&Rc::as_ptr(slots)) {
                    let tag = u64::from(code.0) << 32 | u64::from(kind::PROCEDURE);
                    return Some(RawValue { tag, ..share(*made) });
                }
                tasks.push(Task::Procedure(*code, slots));
                tasks.extend(slots.values().iter().rev().map(Task::Visit));
                None
            }
            Value::Capsule(capsule) => {
                let known = self.capsules.get(&Rc::as_ptr(capsule)).copied();
                if known.is_none() {
                    tasks.push(Task::Capsule(capsule));
                    if !self.skeletons.contains_key(&Rc::as_ptr(&capsule.skeleton)) {
                        tasks.push(Task::Skeleton(capsule));
                        tasks.extend(capsule.values().iter().rev().map(Task::Visit));
                    }
                }
                known.map(share)
            }
            Value::Vector(vector) => {
                let known = self.vectors.get(&Rc::as_ptr(vector)).copied();
                if known.is_none() {
                    tasks.push(Task::Vector(vector));
                    if let Elements::Values(values) = vector.elements() {
                        tasks.extend(values.iter().rev().map(Task::Visit));
                    }
                }
                known.map(share)
            }
            Value::Tagged(tagged) => {
                let known = self.tagged.get(&Rc::as_ptr(tagged)).copied();
                if known.is_none() {
                    tasks.push(Task::Tagged(tagged));
                    tasks.extend(tagged.contents().into_iter().rev().map(Task::Visit));
                }
                known.map(share)
            }
        }
    }

    /// A vector, the elements of which are the newest results unless they are reals.
    fn make_vector(&mut self, vector: &Vector) -> Option<RawValue> {
        let values = match vector.elements() {
            Elements::Reals(Reals::Plain(reals)) => {
                // SAFETY: the machine is idle; so many doubles are there.
                let made = unsafe { vlad_reals_or_nil(self.machine, reals.as_ptr(), reals.len() as u64) };
                return (made.kind() != kind::NIL).then_some(made);
            }
            // In a skeleton.
            Elements::Reals(reals) => reals.iter().map(|real| raw_number(&real)).collect(),
            Elements::Values(values) => self.take(values.len()),
        };
        // SAFETY: the machine is idle; so many values are owned and go over to the vector.
        let made = unsafe { vlad_vector_or_nil(self.machine, values.as_ptr(), values.len() as u64) };
        (made.kind() != kind::NIL).then_some(made)
    }

    /// A tagged value of parts, which it takes.
    fn make_tagged(&self, tagged: &Tagged, mut parts: Vec<RawValue>) -> Option<RawValue> {
        let raw = |word| RawValue { tag: kind::RAW.into(), word };
        let kind = match tagged {
            Tagged::Perturbation(_) => kind::PERTURBATION,
            Tagged::Sensitivity(_) => kind::SENSITIVITY,
            Tagged::Reverse(_) => kind::REVERSED,
            Tagged::Bundle(Bundle { tangent: Tangent::Zero, marking: Marking::Plain, .. }) => kind::CONSTANT,
            Tagged::Bundle(Bundle { tangent: Tangent::Zero, marking: Marking::Tagged, .. }) => {
                internal_bug!("a tangent that is not there is not marked")
            }
            Tagged::Bundle(Bundle { marking: Marking::Plain, .. }) => kind::BUNDLE,
            Tagged::Bundle(Bundle { marking: Marking::Tagged, .. }) => kind::MARKED_BUNDLE,
            Tagged::Backpropagator(backpropagator) => {
                // There is neither a value of the application nor a record.
                let reads = match &backpropagator.reads {
                    Some(reads) => raw(self.make_reads(reads)?),
                    None => RawValue::NIL,
                };
                parts.extend([RawValue::NIL, raw(0), reads]);
                kind::BACKPROPAGATOR
            }
        };
        self.with_slots(kind.into(), &parts)
    }

    /// The place of what an application has read; 0 if it is nothing.
    fn make_reads(&self, reads: &[f64]) -> Option<u64> {
        if reads.is_empty() {
            return Some(0);
        }
        // SAFETY: the machine is idle.
        let made = unsafe { vlad_reads_or_none(self.machine, reads.len() as u64) };
        if made.is_null() {
            return None;
        }
        // SAFETY: there is room for so many doubles.
        unsafe { (&raw mut (*made).reals).cast::<f64>().copy_from_nonoverlapping(reads.as_ptr(), reads.len()) };
        Some(made as usize as u64)
    }

    /// The value with a tag that has some slots, which it takes.
    fn with_slots(&self, tag: u64, values: &[RawValue]) -> Option<RawValue> {
        let count = u32::try_from(values.len()).ok()?;
        // SAFETY: the machine is idle; so many values are owned and go over to the slots.
        let made = unsafe { vlad_slots_or_nil(self.machine, tag, values.as_ptr(), count) };
        (made.kind() != kind::NIL).then_some(made)
    }

    /// The results of the newest parts.
    fn take(&mut self, count: usize) -> Vec<RawValue> {
        match self.results.len().checked_sub(count) {
            Some(start) => self.results.split_off(start),
            None => internal_bug!("parts are made before what they are parts of"),
        }
    }
}

/// One more reference to what a value is.
fn share(value: RawValue) -> RawValue {
    if value.is_in_heap() {
        let header = value.word as usize as *mut Header;
        // SAFETY: what stands in the heap begins with its header, and this is alive, as the maker's invariant says.
        unsafe { (*header).count += 1 };
    }
    value
}

/// A plain real, or in a skeleton a hole: where no operator is under way there is no other number.
fn raw_number(number: &Number) -> RawValue {
    match (number, hole_of(number)) {
        (_, Some(hole)) => RawValue { tag: kind::HOLE.into(), word: hole },
        (Number::Real(real), None) => RawValue { tag: kind::REAL.into(), word: real.to_bits() },
        (Number::Lifted(_), None) => internal_bug!("a number of a level is made at its level"),
    }
}
