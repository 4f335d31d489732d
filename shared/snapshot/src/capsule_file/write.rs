//! Writing of values as a program for a stack machine: the instruction that makes a value follows those that make its
//! parts, and shared parts are written once.

use crate::capsule_file::bytes::Sink;
use crate::capsule_file::instruction;
use crate::capsule_file::points::ProgramFacts;
use std::any::Any;
use std::collections::HashMap;
use std::rc::Rc;
use std::{io, mem};
use vlad_core::LambdaId;
use vlad_runtime::suspended::PointStack;
use vlad_table::internal_bug;
use vlad_values::capsule::hole_of;
use vlad_values::{
    Backpropagator, Bundle, Capsule, Elements, Number, Pair, Primals, Reals, Skeleton, Slots, Tagged, Tagging, Tangent,
    Value, Vector,
};

/// A pending task of the traversal.
enum Task<'data> {
    Value(&'data Value),
    Number(Number),
    Pair(&'data Rc<Pair>),
    Procedure(LambdaId, &'data Rc<Slots>),
    Skeleton(&'data Rc<Skeleton>),
    Capsule(&'data Rc<Capsule>),
    Tagged(&'data Rc<Tagged>),
    Vector(&'data Rc<Vector>),
}

/// A writer of values, in several calls: a part that is shared between calls is written once as well.
pub struct Writer<'writing, 'out> {
    facts: &'writing ProgramFacts<'writing>,
    sink: &'writing mut Sink<'out>,
    /// The shared parts of the current skeleton, and of the enclosing ones, outermost first: holes belong to a
    /// skeleton, so parts are shared within one skeleton only.
    shared: WrittenParts,
    around: Vec<WrittenParts>,
    skeletons: HashMap<*const Skeleton, u64>,
    /// The number of parts kept so far.
    kept: u64,
}

/// The numbers of the shared parts that have been written. Never iterated, so the order cannot show.
#[derive(Default)]
struct WrittenParts {
    pairs: HashMap<*const Pair, u64>,
    slots: HashMap<*const Slots, u64>,
    capsules: HashMap<*const Capsule, u64>,
    tagged: HashMap<*const Tagged, u64>,
    vectors: HashMap<*const Vector, u64>,
}

impl<'writing, 'out> Writer<'writing, 'out> {
    /// A writer before its first value.
    pub fn new(facts: &'writing ProgramFacts<'writing>, sink: &'writing mut Sink<'out>) -> Writer<'writing, 'out> {
        Writer { facts, sink, shared: WrittenParts::default(), around: Vec::new(), skeletons: HashMap::new(), kept: 0 }
    }

    /// Writes instructions that leave a value on the stack.
    pub fn value(&mut self, value: &Value) -> io::Result<()> {
        let mut tasks = vec![Task::Value(value)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Value(value) => self.begin(value, &mut tasks)?,
                Task::Number(number) => self.number(&number)?,
                Task::Pair(pair) => {
                    self.sink.byte(instruction::PAIR)?;
                    keep(self.sink, &mut self.kept, pair, &mut self.shared.pairs)?;
                }
                Task::Procedure(code, slots) => {
                    self.sink.byte(instruction::PROCEDURE)?;
                    self.sink.number(self.facts.code.lambda_number(code).into())?;
                    keep(self.sink, &mut self.kept, slots, &mut self.shared.slots)?;
                }
                Task::Skeleton(skeleton) => {
                    self.sink.byte(instruction::SKELETON)?;
                    self.facts.write(point_stack(skeleton), self.sink)?;
                    self.shared = self.around.pop().unwrap_or_default();
                    keep(self.sink, &mut self.kept, skeleton, &mut self.skeletons)?;
                }
                Task::Capsule(capsule) => {
                    self.sink.byte(match capsule.primals {
                        Primals::Same => instruction::CAPSULE,
                        Primals::Other => instruction::CAPSULE_OF_OTHERS,
                    })?;
                    keep(self.sink, &mut self.kept, capsule, &mut self.shared.capsules)?;
                }
                Task::Tagged(tagged) => {
                    self.tag(tagged)?;
                    keep(self.sink, &mut self.kept, tagged, &mut self.shared.tagged)?;
                }
                Task::Vector(vector) => {
                    self.sink.byte(instruction::VECTOR)?;
                    self.sink.number(vector.len() as u64)?;
                    keep(self.sink, &mut self.kept, vector, &mut self.shared.vectors)?;
                }
            }
        }
        Ok(())
    }

    /// Writes a value without parts, or a reference to a part written before; adds tasks for any other value.
    fn begin<'data>(&mut self, value: &'data Value, tasks: &mut Vec<Task<'data>>) -> io::Result<()> {
        match value {
            Value::Nil => self.sink.byte(instruction::NIL),
            Value::Boolean(false) => self.sink.byte(instruction::FALSE),
            Value::Boolean(true) => self.sink.byte(instruction::TRUE),
            Value::Real(real) => self.number(&Number::Real(*real)),
            Value::Lifted(lifted) => self.number(&Number::Lifted(Rc::clone(lifted))),
            Value::Primitive(primitive) => {
                self.sink.byte(instruction::PRIMITIVE)?;
                self.sink.text(primitive.name())
            }
            Value::Pair(pair) => {
                if let Some(number) = self.shared.pairs.get(&Rc::as_ptr(pair)).copied() {
                    return self.again(number);
                }
                tasks.extend([Task::Pair(pair), Task::Value(&pair.second), Task::Value(&pair.first)]);
                Ok(())
            }
            Value::Procedure { code, slots: None } => {
                self.sink.byte(instruction::PROCEDURE)?;
                self.sink.number(self.facts.code.lambda_number(*code).into())
            }
            Value::Procedure { code, slots: Some(slots) } => {
                if let Some(number) = self.shared.slots.get(&Rc::as_ptr(slots)).copied() {
                    self.sink.byte(instruction::PROCEDURE_AGAIN)?;
                    self.sink.number(self.facts.code.lambda_number(*code).into())?;
                    return self.sink.number(number);
                }
                tasks.push(Task::Procedure(*code, slots));
                tasks.extend(slots.values().iter().rev().map(Task::Value));
                Ok(())
            }
            Value::Capsule(capsule) => self.begin_capsule(capsule, tasks),
            Value::Tagged(tagged) => {
                if let Some(number) = self.shared.tagged.get(&Rc::as_ptr(tagged)).copied() {
                    return self.again(number);
                }
                tasks.push(Task::Tagged(tagged));
                tasks.extend(tagged.contents().into_iter().rev().map(Task::Value));
                Ok(())
            }
            Value::Vector(vector) => self.begin_vector(vector, tasks),
        }
    }

    fn begin_vector<'data>(&mut self, vector: &'data Rc<Vector>, tasks: &mut Vec<Task<'data>>) -> io::Result<()> {
        if let Some(number) = self.shared.vectors.get(&Rc::as_ptr(vector)).copied() {
            return self.again(number);
        }
        match vector.elements() {
            Elements::Reals(Reals::Plain(plain)) => {
                self.sink.byte(instruction::VECTOR_OF_REALS)?;
                self.sink.number(plain.len() as u64)?;
                for real in plain {
                    self.sink.real(*real)?;
                }
                return keep(self.sink, &mut self.kept, vector, &mut self.shared.vectors);
            }
            Elements::Reals(reals) => {
                tasks.push(Task::Vector(vector));
                tasks.extend(reals.iter().rev().map(Task::Number));
            }
            Elements::Values(values) => {
                tasks.push(Task::Vector(vector));
                tasks.extend(values.iter().rev().map(Task::Value));
            }
        }
        Ok(())
    }

    /// Writes the instruction that tags the values written last.
    fn tag(&mut self, tagged: &Tagged) -> io::Result<()> {
        self.sink.byte(match tagged {
            Tagged::Perturbation(_) => instruction::PERTURBATION,
            Tagged::Sensitivity(_) => instruction::SENSITIVITY,
            Tagged::Reverse(_) => instruction::REVERSE,
            Tagged::Bundle(Bundle { tangent: Tangent::Zero, .. }) => instruction::CONSTANT,
            Tagged::Bundle(Bundle { marking: Tagging::Plain, .. }) => instruction::BUNDLE,
            Tagged::Bundle(Bundle { marking: Tagging::Tagged, .. }) => instruction::BUNDLE_OF_PERTURBATION,
            Tagged::Backpropagator(Backpropagator { reads: Some(_), .. }) => instruction::BACKPROPAGATOR,
            Tagged::Backpropagator(Backpropagator { reads: None, .. }) => instruction::BACKPROPAGATOR_OF_OTHERS,
        })?;
        if let Tagged::Backpropagator(Backpropagator { reads: Some(reads), .. }) = tagged {
            self.sink.number(reads.len() as u64)?;
            for real in reads.iter() {
                self.sink.real(*real)?;
            }
        }
        Ok(())
    }

    fn begin_capsule<'data>(&mut self, capsule: &'data Rc<Capsule>, tasks: &mut Vec<Task<'data>>) -> io::Result<()> {
        if let Some(number) = self.shared.capsules.get(&Rc::as_ptr(capsule)).copied() {
            return self.again(number);
        }
        tasks.push(Task::Capsule(capsule));
        tasks.extend(capsule.reals.iter().rev().cloned().map(Task::Number));
        if let Some(number) = self.skeletons.get(&Rc::as_ptr(&capsule.skeleton)).copied() {
            return self.again(number);
        }
        self.sink.byte(instruction::OPEN)?;
        self.sink.number(capsule.reals.len() as u64)?;
        self.around.push(mem::take(&mut self.shared));
        tasks.push(Task::Skeleton(&capsule.skeleton));
        tasks.extend(capsule.values().iter().rev().map(Task::Value));
        Ok(())
    }

    fn number(&mut self, number: &Number) -> io::Result<()> {
        match (number, hole_of(number)) {
            (Number::Real(real), _) => {
                self.sink.byte(instruction::REAL)?;
                self.sink.real(*real)
            }
            (Number::Lifted(_), Some(hole)) => {
                self.sink.byte(instruction::HOLE)?;
                self.sink.number(hole)
            }
            (Number::Lifted(_), None) => internal_bug!("a suspended run is inside no operator"),
        }
    }

    fn again(&mut self, number: u64) -> io::Result<()> {
        self.sink.byte(instruction::AGAIN)?;
        self.sink.number(number)
    }
}

/// Writes the instruction to keep the part written last, if it may be shared.
fn keep<T>(sink: &mut Sink<'_>, kept: &mut u64, part: &Rc<T>, numbers: &mut HashMap<*const T, u64>) -> io::Result<()> {
    if Rc::strong_count(part) > 1 {
        numbers.insert(Rc::as_ptr(part), *kept);
        *kept += 1;
        sink.byte(instruction::KEEP)?;
    }
    Ok(())
}

/// The points at which the computation of a capsule is suspended.
fn point_stack(skeleton: &Skeleton) -> &PointStack {
    match (&*skeleton.points as &dyn Any).downcast_ref() {
        Some(point_stack) => point_stack,
        None => internal_bug!("the capsules of a suspended run stand at points of core"),
    }
}
