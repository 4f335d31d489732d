//! Copies values of the runtime to values of the shared crates, in constant host stack. [`super::make`] is the reverse.

use super::interface::{RawPair, RawReads, RawSlots, RawValue, RawVector, backpropagator, form, kind};
use super::rows::{Frame, Frames, split};
use std::collections::HashMap;
use std::rc::Rc;
use std::slice;
use vlad_core::{LambdaId, Program};
use vlad_table::primitives::PRIMITIVES;
use vlad_table::{Primitive, internal_bug};
use vlad_values::capsule::hole;
use vlad_values::fault::RuntimeError;
use vlad_values::watch::LimitCheck;
use vlad_values::{
    Backpropagator, Bundle, Capsule, Points, Primals, Reals, Skeleton, Slots, Tagged, Tagging, Tangent, Value, Vector,
};

/// An entry of the worklist; results wait on a stack of their own.
enum Task {
    Visit(RawValue),
    MakePair { shared: Option<u64> },
    MakeProcedure { code: LambdaId, slots: usize, shared: Option<u64> },
    MakeVector { elements: usize, shared: Option<u64> },
    MakeTagged { value: RawValue, parts: usize, shared: Option<u64> },
    MakeSkeleton { place: u64, frames: Vec<Frame>, values: usize },
    MakeCapsule { place: u64, skeleton: u64, reals: usize, primals: Primals },
}

/// The treatment of capsules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capsules {
    /// They stay in the machine: the copies are only printed.
    Kept,
    /// They are copied; their stop points are [`Frames`].
    Copied,
}

/// Copies a value of the runtime. Reals under differentiation become the plain reals under their levels; shared parts
/// stay shared.
///
/// # Errors
/// The fault of a limit that is passed: data may be large, so each part counts as work of the clock and cancellation
/// check.
///
/// # Safety
/// The value is one of a machine that lives, and it is alive.
pub unsafe fn to_shared(value: RawValue, watch: &mut LimitCheck) -> Result<Value, RuntimeError> {
    // SAFETY: as the caller says.
    let mut copied = unsafe { copy(&[value], Capsules::Kept, watch) }?;
    match copied.pop() {
        Some(value) => Ok(value),
        None => internal_bug!("copying a value gives a value"),
    }
}

/// Like [`to_shared`], for several values, which may share parts; capsules are copied as well.
///
/// # Errors
/// As for [`to_shared`].
///
/// # Safety
/// As for [`to_shared`], of all of them.
pub unsafe fn all_to_shared(values: &[RawValue], watch: &mut LimitCheck) -> Result<Vec<Value>, RuntimeError> {
    // SAFETY: as the caller says.
    unsafe { copy(values, Capsules::Copied, watch) }
}

/// Copies some values, in their order.
///
/// # Safety
/// As for [`to_shared`].
unsafe fn copy(values: &[RawValue], capsules: Capsules, watch: &mut LimitCheck) -> Result<Vec<Value>, RuntimeError> {
    let mut copied = CopyState::default();
    let mut tasks: Vec<Task> = values.iter().rev().map(|value| Task::Visit(*value)).collect();
    while let Some(task) = tasks.pop() {
        watch.work()?;
        match task {
            // SAFETY: the value is alive, as are the parts of what is alive.
            Task::Visit(value) => unsafe { copied.visit(value, capsules, &mut tasks) },
            Task::MakePair { shared } => copied.make_pair(shared),
            Task::MakeProcedure { code, slots, shared } => copied.make_procedure(code, slots, shared),
            Task::MakeVector { elements, shared } => copied.make_vector(elements, shared),
            // SAFETY: the value is alive.
            Task::MakeTagged { value, parts, shared } => unsafe { copied.make_tagged(value, parts, shared) },
            Task::MakeSkeleton { place, frames, values } => copied.make_skeleton(place, frames, values),
            Task::MakeCapsule { place, skeleton, reals, primals } => {
                copied.make_capsule(place, skeleton, reals, primals);
            }
        }
    }
    Ok(copied.results)
}

/// The state of a copy.
#[derive(Default)]
struct CopyState {
    /// Copies whose containing value has not been made yet.
    results: Vec<Value>,
    /// Copies of shared parts, by address. The maps are never iterated, so their order has no effect.
    pairs: HashMap<u64, Value>,
    slots: HashMap<u64, Rc<Slots>>,
    tagged: HashMap<u64, Value>,
    vectors: HashMap<u64, Value>,
    reads: HashMap<u64, Rc<[f64]>>,
    skeletons: HashMap<u64, Rc<Skeleton>>,
    capsules: HashMap<u64, Value>,
}

impl CopyState {
    /// Copies a value, or schedules the copies of its parts and the task that combines them.
    ///
    /// # Safety
    /// The value is alive.
    unsafe fn visit(&mut self, value: RawValue, capsules: Capsules, tasks: &mut Vec<Task>) {
        match value.kind() {
            kind::PAIR => {
                // SAFETY: a pair that is alive; its word is its address.
                let pair = unsafe { &*pair_of(value) };
                let shared = (pair.header.count > 1).then_some(value.word);
                if let Some(made) = shared.and_then(|place| self.pairs.get(&place)) {
                    self.results.push(made.clone());
                } else {
                    tasks.push(Task::MakePair { shared });
                    tasks.push(Task::Visit(pair.second));
                    tasks.push(Task::Visit(pair.first));
                }
            }
            // SAFETY: the vector is alive.
            kind::VECTOR => unsafe { self.visit_vector(value, tasks) },
            kind::PROCEDURE => {
                let code = LambdaId(value.lambda());
                // SAFETY: slots that are alive, `extent` of them.
                let (count, values) = unsafe { slots_of(value) };
                let shared = (count > 1).then_some(value.word);
                if let Some(made) = shared.and_then(|place| self.slots.get(&place)) {
                    self.results.push(Value::Procedure { code, slots: Some(Rc::clone(made)) });
                } else {
                    tasks.push(Task::MakeProcedure { code, slots: values.len(), shared });
                    tasks.extend(values.iter().rev().map(|value| Task::Visit(*value)));
                }
            }
            kind::CAPSULE => match capsules {
                Capsules::Kept => self.results.push(Capsule::kept_elsewhere(Box::new(InMachine))),
                // SAFETY: the capsule is alive.
                Capsules::Copied => unsafe { self.visit_capsule(value, tasks) },
            },
            kind::PERTURBATION..=kind::BACKPROPAGATOR => {
                // SAFETY: a tagged value has slots, and is alive.
                let (count, values) = unsafe { slots_of(value) };
                // The slots of a backpropagator after its operator and operand are private to the machine.
                let parts = values.get(..=backpropagator::OPERAND).unwrap_or(values);
                let shared = (count > 1).then_some(value.word);
                if let Some(made) = shared.and_then(|place| self.tagged.get(&place)) {
                    self.results.push(made.clone());
                } else {
                    tasks.push(Task::MakeTagged { value, parts: parts.len(), shared });
                    tasks.extend(parts.iter().rev().map(|part| Task::Visit(*part)));
                }
            }
            // SAFETY: the number is alive.
            kind::LIFTED => self.results.push(Value::Real(unsafe { base(value) })),
            _ => self.results.push(atom(value)),
        }
    }

    /// Copies a vector of reals, or schedules the copies of the elements of a vector of values.
    ///
    /// # Safety
    /// The value is a vector that is alive.
    unsafe fn visit_vector(&mut self, value: RawValue, tasks: &mut Vec<Task>) {
        // SAFETY: a vector that is alive; its word is its address.
        let vector = unsafe { &*vector_of(value) };
        let shared = (vector.header.count > 1).then_some(value.word);
        if let Some(made) = shared.and_then(|place| self.vectors.get(&place)) {
            return self.results.push(made.clone());
        }
        if vector.header.extent % form::LEVEL == form::VALUES {
            // SAFETY: so many values are its elements.
            let values: &[RawValue] = unsafe { elements_of(vector) };
            tasks.push(Task::MakeVector { elements: values.len(), shared });
            tasks.extend(values.iter().rev().map(|value| Task::Visit(*value)));
            return;
        }
        let mut plain = vector;
        while plain.header.extent != form::PLAIN {
            // SAFETY: the elements of reals of a level are the vector of their primals, which it keeps alive.
            plain = unsafe { &*plain.elements.cast::<RawVector>() };
        }
        // SAFETY: so many doubles are its elements.
        let reals: &[f64] = unsafe { elements_of(plain) };
        let made = Value::vector(Vector::from(Reals::Plain(reals.to_vec())));
        if let Some(place) = shared {
            self.vectors.insert(place, made.clone());
        }
        self.results.push(made);
    }

    /// Schedules the copies of the parts of a capsule, unless it is already copied.
    ///
    /// # Safety
    /// The value is a capsule that is alive.
    unsafe fn visit_capsule(&mut self, value: RawValue, tasks: &mut Vec<Task>) {
        if let Some(made) = self.capsules.get(&value.word) {
            return self.results.push(made.clone());
        }
        // SAFETY: a capsule has slots: its skeleton, and then its reals.
        let (_, values) = unsafe { slots_of(value) };
        let Some((skeleton, reals)) = values.split_first() else { internal_bug!("a capsule has a skeleton") };
        let primals = if skeleton.tag >> 32 == 0 { Primals::Same } else { Primals::Other };
        tasks.push(Task::MakeCapsule { place: value.word, skeleton: skeleton.word, reals: reals.len(), primals });
        tasks.extend(reals.iter().rev().map(|real| Task::Visit(*real)));
        if !self.skeletons.contains_key(&skeleton.word) {
            // SAFETY: a skeleton has slots, which form a row; it is alive as part of the capsule.
            let (frames, values) = unsafe { split(slots_of(*skeleton).1) };
            tasks.push(Task::MakeSkeleton { place: skeleton.word, frames, values: values.len() });
            tasks.extend(values.into_iter().rev().map(Task::Visit));
        }
    }

    fn make_pair(&mut self, shared: Option<u64>) {
        let (Some(second), Some(first)) = (self.results.pop(), self.results.pop()) else {
            internal_bug!("the halves of a pair are copied before it");
        };
        let made = Value::pair(first, second);
        if let Some(place) = shared {
            self.pairs.insert(place, made.clone());
        }
        self.results.push(made);
    }

    fn make_vector(&mut self, elements: usize, shared: Option<u64>) {
        let made = Value::vector(self.take(elements).into_iter().collect());
        if let Some(place) = shared {
            self.vectors.insert(place, made.clone());
        }
        self.results.push(made);
    }

    fn make_procedure(&mut self, code: LambdaId, count: usize, shared: Option<u64>) {
        let made = Rc::new(Slots::new(self.take(count)));
        if let Some(place) = shared {
            self.slots.insert(place, Rc::clone(&made));
        }
        self.results.push(Value::Procedure { code, slots: Some(made) });
    }

    /// Makes the copy of a tagged value from its newest parts.
    ///
    /// # Safety
    /// The value is tagged and alive.
    unsafe fn make_tagged(&mut self, value: RawValue, parts: usize, shared: Option<u64>) {
        let mut parts = self.take(parts).into_iter();
        let (Some(first), second) = (parts.next(), parts.next()) else {
            internal_bug!("what has a tag is copied before the tagged value");
        };
        let bundle = |tangent, marking| Tagged::Bundle(Bundle { primal: first.clone(), tangent, marking });
        let made = Value::tagged(match (value.kind(), second) {
            (kind::PERTURBATION, None) => Tagged::Perturbation(first),
            (kind::SENSITIVITY, None) => Tagged::Sensitivity(first),
            (kind::REVERSED, None) => Tagged::Reverse(first),
            (kind::CONSTANT, None) => bundle(Tangent::Zero, Tagging::Plain),
            (kind::BUNDLE, Some(tangent)) => bundle(Tangent::Given(tangent), Tagging::Plain),
            (kind::MARKED_BUNDLE, Some(tangent)) => bundle(Tangent::Given(tangent), Tagging::Tagged),
            (kind::BACKPROPAGATOR, Some(operand)) => {
                // SAFETY: the value is a backpropagator that is alive.
                let reads = self.reads_of(unsafe { raw_reads_of(value) });
                Tagged::Backpropagator(Backpropagator::new(first, operand, reads))
            }
            (other, _) => internal_bug!("no tagged value of the kind {other} has so many parts"),
        });
        if let Some(place) = shared {
            self.tagged.insert(place, made.clone());
        }
        self.results.push(made);
    }

    /// The reals that an application has read, copied once.
    fn reads_of(&mut self, raw: Option<(u64, &[f64])>) -> Option<Rc<[f64]>> {
        let (place, reals) = raw?;
        Some(Rc::clone(self.reads.entry(place).or_insert_with(|| Rc::from(reals))))
    }

    fn make_skeleton(&mut self, place: u64, frames: Vec<Frame>, count: usize) {
        let values = self.take(count);
        self.skeletons.insert(place, Rc::new(Skeleton::new(Box::new(Frames { frames }), values)));
    }

    fn make_capsule(&mut self, place: u64, skeleton: u64, count: usize, primals: Primals) {
        let reals = self.take(count).into_iter().filter_map(|real| real.number()).collect();
        let Some(skeleton) = self.skeletons.get(&skeleton).map(Rc::clone) else {
            internal_bug!("the skeleton of a capsule is copied before it");
        };
        let made = Value::Capsule(Rc::new(Capsule { skeleton, reals, primals }));
        self.capsules.insert(place, made.clone());
        self.results.push(made);
    }

    /// Removes and returns the newest results.
    fn take(&mut self, count: usize) -> Vec<Value> {
        match self.results.len().checked_sub(count) {
            Some(start) => self.results.split_off(start),
            None => internal_bug!("parts are copied before what they are parts of"),
        }
    }
}

/// The stop points of a capsule that stays in the machine: its copy is only printed.
#[derive(Debug)]
struct InMachine;

impl Points for InMachine {
    fn same(&self, _: &dyn Points, _: &Program) -> bool {
        internal_bug!("the runtime compares its capsules by itself")
    }
}

fn pair_of(value: RawValue) -> *const RawPair {
    value.word as usize as *const RawPair
}

fn vector_of(value: RawValue) -> *const RawVector {
    value.word as usize as *const RawVector
}

/// The elements of a vector, in its array.
///
/// # Safety
/// The vector is alive, and its elements are of that type.
unsafe fn elements_of<'heap, T>(vector: &RawVector) -> &'heap [T] {
    if vector.length == 0 {
        return &[];
    }
    // SAFETY: a vector that is not empty has an array, with so many elements at least.
    unsafe { slice::from_raw_parts(vector.elements.cast::<T>(), vector.length as usize) }
}

/// The reference count and the values of an object with slots.
///
/// # Safety
/// The value has slots and is alive.
unsafe fn slots_of<'heap>(value: RawValue) -> (u32, &'heap [RawValue]) {
    let slots = value.word as usize as *const RawSlots;
    // SAFETY: the slots are alive; the values follow the header, as many as `extent` says. The slice keeps to the
    // allocation, since it is made from the pointer to the whole and not from a reference to its first part.
    unsafe {
        let values = (&raw const (*slots).values).cast::<RawValue>();
        ((*slots).header.count, slice::from_raw_parts(values, (*slots).header.extent as usize))
    }
}

/// The reals that the application of a backpropagator has read, with their address; none if its operator and operand do
/// not have the primals of the application.
///
/// # Safety
/// The value is a backpropagator and alive.
unsafe fn raw_reads_of<'heap>(value: RawValue) -> Option<(u64, &'heap [f64])> {
    // SAFETY: a backpropagator has slots.
    let (_, values) = unsafe { slots_of(value) };
    let reads = values.get(backpropagator::READS).filter(|reads| reads.kind() == kind::RAW)?;
    let place = reads.word;
    let reads = place as usize as *const RawReads;
    if reads.is_null() {
        return Some((place, &[]));
    }
    // SAFETY: they live as long as the backpropagator; as many doubles follow as they count.
    let reals = unsafe {
        let reals = (&raw const (*reads).reals).cast::<f64>();
        slice::from_raw_parts(reals, (*reads).count as usize)
    };
    Some((place, reals))
}

/// The plain real under all levels of a number.
///
/// # Safety
/// The number is alive.
unsafe fn base(mut number: RawValue) -> f64 {
    while number.kind() == kind::LIFTED {
        // SAFETY: a lifted real is laid out as a pair whose first half is the primal, which it keeps alive.
        number = unsafe { (*pair_of(number)).first };
    }
    f64::from_bits(number.word)
}

/// A value that is not in the heap.
fn atom(value: RawValue) -> Value {
    match value.kind() {
        kind::NIL => Value::Nil,
        kind::BOOLEAN => Value::Boolean(value.word != 0),
        kind::REAL => Value::Real(f64::from_bits(value.word)),
        kind::PRIMITIVE => Value::Primitive(primitive(value.word)),
        kind::HOLE => Value::from(hole(value.word)),
        kind::PLAIN => Value::Procedure { code: LambdaId(value.lambda()), slots: None },
        other => internal_bug!("no value of the language has the kind {other}"),
    }
}

/// The primitive of a number, as the table orders them.
pub fn primitive(number: u64) -> Primitive {
    match PRIMITIVES.get(number as usize) {
        Some(row) => row.primitive,
        None => internal_bug!("primitive {number} is in the table"),
    }
}
