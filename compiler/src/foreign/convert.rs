//! Values of the runtime to values of `vlad_shared`, and constants of a program to values of the runtime; both in
//! constant host stack.

use super::interface::{RawMachine, RawPair, RawSlots, RawValue, kind, vlad_pair_or_nil};
use std::collections::HashMap;
use std::rc::Rc;
use std::slice;
use vlad_shared::capsule::{Capsule, Points};
use vlad_shared::core::{LambdaId, Program};
use vlad_shared::internal_bug;
use vlad_shared::run::{Trouble, Watch};
use vlad_shared::table::Primitive;
use vlad_shared::table::primitives::PRIMITIVES;
use vlad_shared::value::{Slots, Value};

/// What is still to be done; results wait on a stack of their own.
enum Task {
    Visit(RawValue),
    MakePair { shared: Option<u64> },
    MakeProcedure { code: LambdaId, slots: usize, shared: Option<u64> },
}

/// The value that a value of the runtime is, copied. Reals under differentiation become the plain reals under their
/// levels; parts that are shared stay shared.
///
/// # Errors
/// A limit has been passed: data may be large, so each part is work that the watch is told of.
///
/// # Safety
/// The value is one of a machine that lives, and it is alive.
pub unsafe fn to_shared(value: RawValue, watch: &mut Watch) -> Result<Value, Trouble> {
    let mut copied = Copied::default();
    let mut tasks = vec![Task::Visit(value)];
    while let Some(task) = tasks.pop() {
        watch.work()?;
        match task {
            // SAFETY: the value is alive, as are the parts of what is alive.
            Task::Visit(value) => unsafe { copied.visit(value, &mut tasks) },
            Task::MakePair { shared } => copied.make_pair(shared),
            Task::MakeProcedure { code, slots, shared } => copied.make_procedure(code, slots, shared),
        }
    }
    Ok(copied.take())
}

/// What has been copied.
#[derive(Default)]
struct Copied {
    /// Values whose place has not been made yet.
    results: Vec<Value>,
    /// Copies of parts that are shared, by their place; never iterated, so its order cannot show.
    pairs: HashMap<u64, Value>,
    slots: HashMap<u64, Rc<Slots>>,
}

impl Copied {
    /// # Safety
    /// The value is alive.
    unsafe fn visit(&mut self, value: RawValue, tasks: &mut Vec<Task>) {
        match value.kind() {
            kind::PAIR => {
                // SAFETY: a pair that is alive; its word is its place.
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
            kind::CAPSULE => self.results.push(Capsule::kept_elsewhere(Box::new(InMachine))),
            // SAFETY: the number is alive.
            kind::LIFTED => self.results.push(Value::Real(unsafe { base(value) })),
            _ => self.results.push(atom(value)),
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

    fn make_procedure(&mut self, code: LambdaId, count: usize, shared: Option<u64>) {
        let Some(start) = self.results.len().checked_sub(count) else {
            internal_bug!("the slots of a procedure are copied before it");
        };
        let made = Rc::new(Slots::new(self.results.drain(start..)));
        if let Some(place) = shared {
            self.slots.insert(place, Rc::clone(&made));
        }
        self.results.push(Value::Procedure { code, slots: Some(made) });
    }

    fn take(mut self) -> Value {
        match self.results.pop() {
            Some(value) => value,
            None => internal_bug!("copying a value gives a value"),
        }
    }
}

/// The points of a capsule that stays where it is: copies are printed, and that is all.
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

/// The count and the values of a procedure's slots.
///
/// # Safety
/// The procedure has slots and is alive.
unsafe fn slots_of<'heap>(value: RawValue) -> (u32, &'heap [RawValue]) {
    let slots = value.word as usize as *const RawSlots;
    // SAFETY: the slots are alive; the values follow the header, as many as `extent` says. The slice keeps to the
    // allocation, since it is made from the pointer to the whole and not from a reference to its first part.
    unsafe {
        let values = (&raw const (*slots).values).cast::<RawValue>();
        ((*slots).header.count, slice::from_raw_parts(values, (*slots).header.extent as usize))
    }
}

/// The plain real under all levels.
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

/// A value that does not stand in the heap.
fn atom(value: RawValue) -> Value {
    match value.kind() {
        kind::NIL => Value::Nil,
        kind::BOOLEAN => Value::Boolean(value.word != 0),
        kind::REAL => Value::Real(f64::from_bits(value.word)),
        kind::PRIMITIVE => Value::Primitive(primitive(value.word)),
        kind::PLAIN => Value::Procedure { code: LambdaId(value.lambda()), slots: None },
        other => internal_bug!("no value of the language has the kind {other}"),
    }
}

/// The primitive of a number of the table.
pub fn primitive(number: u64) -> Primitive {
    match PRIMITIVES.get(number as usize) {
        Some(row) => row.primitive,
        None => internal_bug!("primitive {number} is in the table"),
    }
}

/// What is still to be done of a constant.
enum ConstantTask<'constant> {
    Visit(&'constant Value),
    MakePair,
}

/// A constant of a program as a value of the runtime, owned; none if the system gives no memory.
///
/// # Safety
/// The machine lives, and none of its items runs.
pub unsafe fn from_constant(machine: *mut RawMachine, constant: &Value) -> Option<RawValue> {
    let mut tasks = vec![ConstantTask::Visit(constant)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            ConstantTask::Visit(Value::Pair(pair)) => {
                tasks.push(ConstantTask::MakePair);
                tasks.push(ConstantTask::Visit(&pair.second));
                tasks.push(ConstantTask::Visit(&pair.first));
            }
            ConstantTask::Visit(atom) => results.push(raw_atom(atom)),
            ConstantTask::MakePair => {
                let (Some(second), Some(first)) = (results.pop(), results.pop()) else {
                    internal_bug!("the halves of a constant pair are made before it");
                };
                // SAFETY: the machine is idle; the halves are owned and go over to the pair.
                let pair = unsafe { vlad_pair_or_nil(machine, first, second) };
                if pair.kind() != kind::PAIR {
                    return None;
                }
                results.push(pair);
            }
        }
    }
    results.pop()
}

fn raw_atom(value: &Value) -> RawValue {
    let raw = |kind: u8, word| RawValue { tag: u64::from(kind), word };
    match value {
        Value::Nil => RawValue::NIL,
        Value::Boolean(boolean) => raw(kind::BOOLEAN, u64::from(*boolean)),
        Value::Real(real) => raw(kind::REAL, real.to_bits()),
        Value::Primitive(primitive) => raw(kind::PRIMITIVE, *primitive as u64),
        Value::Procedure { code, slots: None } => RawValue::plain(code.0),
        Value::Lifted(_) | Value::Pair(_) | Value::Procedure { slots: Some(_), .. } | Value::Capsule(_) => {
            internal_bug!("constants are plain data")
        }
    }
}
