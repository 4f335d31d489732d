//! Copies values of the shared crates to values of the runtime, in constant host stack. Shared parts stay shared.
//!
//! If the system refuses memory there is no result. The objects made so far are unreachable then, and are freed with
//! the machine.

use super::interface::{
    Header, RawMachine, RawValue, kind, vlad_give_up, vlad_pair_or_nil, vlad_reads_or_none, vlad_reals_or_nil,
    vlad_slots_or_nil, vlad_vector_or_nil,
};
use super::rows::{frames_of, join};
use std::collections::HashMap;
use std::rc::Rc;
use vlad_core::LambdaId;
use vlad_table::internal_bug;
use vlad_values::capsule::hole_of;
use vlad_values::{
    Bundle, Capsule, Elements, Number, Pair, Primals, Reals, Skeleton, Slots, Tagged, Tagging, Tangent, Value, Vector,
};

/// An entry of the worklist; results wait on a stack of their own.
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

/// Copies some values to values of the runtime, owned, in their order; none if the system refuses memory. The stop
/// points of capsules among them are [`super::rows::Frames`].
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

/// The state of a copy. Invariant: the machine is idle, and the results are owned. The maps of shared parts hold no
/// references of their own, since the results keep their entries alive; only entries of `skeletons` are owned.
struct Maker {
    machine: *mut RawMachine,
    results: Vec<RawValue>,
    /// Shared parts that are already made, by address. Iterated only to release skeletons.
    pairs: HashMap<*const Pair, RawValue>,
    slots: HashMap<*const Slots, RawValue>,
    tagged: HashMap<*const Tagged, RawValue>,
    vectors: HashMap<*const Vector, RawValue>,
    skeletons: HashMap<*const Skeleton, RawValue>,
    capsules: HashMap<*const Capsule, RawValue>,
}

impl Maker {
    /// Executes a task; none if there is no memory for it.
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

    /// Returns the copy of a value, owned; none if its parts must be copied first, which it schedules.
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

    /// Makes a vector. Its elements are the newest results unless they are reals.
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

    /// Makes a tagged value of its parts, which it takes over.
    fn make_tagged(&self, tagged: &Tagged, mut parts: Vec<RawValue>) -> Option<RawValue> {
        let raw = |word| RawValue { tag: kind::RAW.into(), word };
        let kind = match tagged {
            Tagged::Perturbation(_) => kind::PERTURBATION,
            Tagged::Sensitivity(_) => kind::SENSITIVITY,
            Tagged::Reverse(_) => kind::REVERSED,
            Tagged::Bundle(Bundle { tangent: Tangent::Zero, marking: Tagging::Plain, .. }) => kind::CONSTANT,
            Tagged::Bundle(Bundle { tangent: Tangent::Zero, marking: Tagging::Tagged, .. }) => {
                internal_bug!("a tangent that is not there is not marked")
            }
            Tagged::Bundle(Bundle { marking: Tagging::Plain, .. }) => kind::BUNDLE,
            Tagged::Bundle(Bundle { marking: Tagging::Tagged, .. }) => kind::MARKED_BUNDLE,
            Tagged::Backpropagator(backpropagator) => {
                // The copy has neither the value of the application nor its tape record.
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

    /// The address of a copy of the reals that an application has read; 0 if there are none.
    fn make_reads(&self, reads: &[f64]) -> Option<u64> {
        if reads.is_empty() {
            return Some(0);
        }
        // SAFETY: the machine is idle.
        let made = unsafe { vlad_reads_or_none(self.machine, reads.len() as u64) };
        if made.is_null() {
            return None;
        }
        // SAFETY: the block was allocated for so many doubles.
        unsafe { (&raw mut (*made).reals).cast::<f64>().copy_from_nonoverlapping(reads.as_ptr(), reads.len()) };
        Some(made as usize as u64)
    }

    /// Makes the value with a tag and some slots, which it takes over.
    fn with_slots(&self, tag: u64, values: &[RawValue]) -> Option<RawValue> {
        let count = u32::try_from(values.len()).ok()?;
        // SAFETY: the machine is idle; so many values are owned and go over to the slots.
        let made = unsafe { vlad_slots_or_nil(self.machine, tag, values.as_ptr(), count) };
        (made.kind() != kind::NIL).then_some(made)
    }

    /// Removes and returns the newest results.
    fn take(&mut self, count: usize) -> Vec<RawValue> {
        match self.results.len().checked_sub(count) {
            Some(start) => self.results.split_off(start),
            None => internal_bug!("parts are made before what they are parts of"),
        }
    }
}

/// Adds a reference to a value.
fn share(value: RawValue) -> RawValue {
    if value.is_in_heap() {
        let header = value.word as usize as *mut Header;
        // SAFETY: an object of the heap begins with its header, and this one is alive, by the invariant of `Maker`.
        unsafe { (*header).count += 1 };
    }
    value
}

/// A plain real, or in a skeleton a hole: outside operators there is no other number.
fn raw_number(number: &Number) -> RawValue {
    match (number, hole_of(number)) {
        (_, Some(hole)) => RawValue { tag: kind::HOLE.into(), word: hole },
        (Number::Real(real), None) => RawValue { tag: kind::REAL.into(), word: real.to_bits() },
        (Number::Lifted(_), None) => internal_bug!("a number of a level is made at its level"),
    }
}
