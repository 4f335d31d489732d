//! Translation of the capsules among values, from the points of one engine to those of core, and back.
//!
//! Holes keep their order, which is that of the tape nodes that they were. Holes that occur only in values that the
//! other engine does not keep are left out, with their reals: a translated capsule is like one that the engine has made
//! itself.

use crate::capsule_file::Refusal;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use vlad_ad::TraversalContext;
use vlad_ad::rebuild::{Sharing, rebuild_all};
use vlad_core::{Expression, LambdaId, Program, Reference};
use vlad_table::{Primitive, internal_bug};
use vlad_values::capsule::{hole, hole_of};
use vlad_values::watch::LimitCheck;
use vlad_values::{Capsule, Elements, Pair, Points, Primals, Skeleton, Slots, Tagged, Value, Vector};

/// The translation of the points and values of one skeleton; the capsules among these values are translated already.
pub type Translation<'run> =
    dyn FnMut(&dyn Points, Vec<Value>) -> Result<(Box<dyn Points>, Vec<Value>), Refusal> + 'run;

/// The procedures' code in terms of the program of the translated values.
pub type Codes<'run> = dyn Fn(LambdaId) -> LambdaId + 'run;

/// A pending task of the traversal; results are on a stack of their own.
enum Task<'data> {
    Visit(&'data Value),
    Pair(&'data Rc<Pair>),
    Procedure(LambdaId, &'data Rc<Slots>),
    Skeleton(&'data Rc<Skeleton>),
    Capsule(&'data Rc<Capsule>),
    Tagged(&'data Rc<Tagged>),
    Vector(&'data Rc<Vector>),
}

/// A translated skeleton, and the old number of each of its holes.
#[derive(Clone)]
struct Translated {
    skeleton: Rc<Skeleton>,
    holes: Vec<u64>,
}

struct Translator<'run, 'translation> {
    program: &'run Program,
    codes: &'run Codes<'run>,
    translation: &'run mut Translation<'translation>,
    results: Vec<Value>,
    /// The translations of shared parts. Never iterated, so the order cannot show.
    pairs: HashMap<*const Pair, Value>,
    slots: HashMap<*const Slots, Rc<Slots>>,
    skeletons: HashMap<*const Skeleton, Translated>,
    capsules: HashMap<*const Capsule, Value>,
    tagged: HashMap<*const Tagged, Value>,
    vectors: HashMap<*const Vector, Value>,
}

/// Translates the capsules among some values.
///
/// # Errors
/// Returns the errors of `translation`.
pub fn translate(
    program: &Program,
    values: Vec<Value>,
    translation: &mut Translation<'_>,
) -> Result<Vec<Value>, Refusal> {
    let interrupts = |node: &Expression| *node == Expression::Variable(Reference::Primitive(Primitive::Interrupt));
    if !program.expressions.iter().any(interrupts) {
        return Ok(values);
    }
    translate_code(program, values, &|code| code, translation)
}

/// Translates the capsules and the procedures among some values.
///
/// # Errors
/// Returns the errors of `translation`.
pub fn translate_code(
    program: &Program,
    values: Vec<Value>,
    codes: &Codes<'_>,
    translation: &mut Translation<'_>,
) -> Result<Vec<Value>, Refusal> {
    let mut translator = Translator {
        program,
        codes,
        translation,
        results: Vec::new(),
        pairs: HashMap::new(),
        slots: HashMap::new(),
        skeletons: HashMap::new(),
        capsules: HashMap::new(),
        tagged: HashMap::new(),
        vectors: HashMap::new(),
    };
    let mut tasks: Vec<Task<'_>> = values.iter().rev().map(Task::Visit).collect();
    while let Some(task) = tasks.pop() {
        translator.execute(task, &mut tasks)?;
    }
    Ok(translator.results)
}

impl Translator<'_, '_> {
    fn execute<'data>(&mut self, task: Task<'data>, tasks: &mut Vec<Task<'data>>) -> Result<(), Refusal> {
        let made = match task {
            Task::Visit(value) => match self.visit(value, tasks) {
                Some(made) => made,
                None => return Ok(()),
            },
            Task::Pair(pair) => {
                let (second, first) = (self.pop(), self.pop());
                let made = Value::pair(first, second);
                if Rc::strong_count(pair) > 1 {
                    self.pairs.insert(Rc::as_ptr(pair), made.clone());
                }
                made
            }
            Task::Procedure(code, slots) => {
                let made = Rc::new(Slots::new(self.pop_some(slots.values().len())));
                if Rc::strong_count(slots) > 1 {
                    self.slots.insert(Rc::as_ptr(slots), Rc::clone(&made));
                }
                Value::Procedure { code: (self.codes)(code), slots: Some(made) }
            }
            Task::Skeleton(skeleton) => {
                let values = self.pop_some(skeleton.values.len());
                let (points, values) = (self.translation)(&*skeleton.points, values)?;
                let translated = self.number_holes(points, &values);
                self.skeletons.insert(Rc::as_ptr(skeleton), translated);
                return Ok(());
            }
            Task::Capsule(capsule) => {
                let Some(Translated { skeleton, holes }) = self.skeletons.get(&Rc::as_ptr(&capsule.skeleton)).cloned()
                else {
                    internal_bug!("a skeleton is translated before the capsule");
                };
                let reals = holes.iter().filter_map(|hole| capsule.reals.get(*hole as usize).cloned()).collect();
                let made = Value::Capsule(Rc::new(Capsule { skeleton, reals, primals: capsule.primals }));
                self.capsules.insert(Rc::as_ptr(capsule), made.clone());
                made
            }
            Task::Tagged(tagged) => {
                let second = (tagged.contents().len() > 1).then(|| self.pop());
                let made = Value::tagged(tagged.with(self.pop(), second, Primals::Same));
                if Rc::strong_count(tagged) > 1 {
                    self.tagged.insert(Rc::as_ptr(tagged), made.clone());
                }
                made
            }
            Task::Vector(vector) => {
                let made = Value::vector(self.pop_some(vector.len()).into_iter().collect());
                if Rc::strong_count(vector) > 1 {
                    self.vectors.insert(Rc::as_ptr(vector), made.clone());
                }
                made
            }
        };
        self.results.push(made);
        Ok(())
    }

    /// Returns the translation of a value, or pushes the tasks for its parts if these come first.
    fn visit<'data>(&mut self, value: &'data Value, tasks: &mut Vec<Task<'data>>) -> Option<Value> {
        match value {
            Value::Pair(pair) => {
                let known = self.pairs.get(&Rc::as_ptr(pair)).cloned();
                if known.is_none() {
                    tasks.extend([Task::Pair(pair), Task::Visit(&pair.second), Task::Visit(&pair.first)]);
                }
                known
            }
            Value::Procedure { code, slots: Some(slots) } => {
                if let Some(made) = self.slots.get(&Rc::as_ptr(slots)) {
                    return Some(Value::Procedure { code: (self.codes)(*code), slots: Some(Rc::clone(made)) });
                }
                tasks.push(Task::Procedure(*code, slots));
                tasks.extend(slots.values().iter().rev().map(Task::Visit));
                None
            }
            Value::Capsule(capsule) => {
                let known = self.capsules.get(&Rc::as_ptr(capsule)).cloned();
                if known.is_none() {
                    tasks.push(Task::Capsule(capsule));
                    if !self.skeletons.contains_key(&Rc::as_ptr(&capsule.skeleton)) {
                        tasks.push(Task::Skeleton(&capsule.skeleton));
                        tasks.extend(capsule.values().iter().rev().map(Task::Visit));
                    }
                }
                known
            }
            Value::Tagged(tagged) => {
                let known = self.tagged.get(&Rc::as_ptr(tagged)).cloned();
                if known.is_none() {
                    tasks.push(Task::Tagged(tagged));
                    tasks.extend(tagged.contents().into_iter().rev().map(Task::Visit));
                }
                known
            }
            Value::Vector(vector) => {
                // Vectors of reals contain no capsules.
                let Elements::Values(values) = vector.elements() else { return Some(value.clone()) };
                let known = self.vectors.get(&Rc::as_ptr(vector)).cloned();
                if known.is_none() {
                    tasks.push(Task::Vector(vector));
                    tasks.extend(values.iter().rev().map(Task::Visit));
                }
                known
            }
            Value::Procedure { code, slots: None } => Some(Value::Procedure { code: (self.codes)(*code), slots: None }),
            Value::Nil | Value::Boolean(_) | Value::Real(_) | Value::Lifted(_) | Value::Primitive(_) => {
                Some(value.clone())
            }
        }
    }

    /// Makes a skeleton whose holes are those that occur in its values, numbered in their order.
    fn number_holes(&mut self, points: Box<dyn Points>, values: &[Value]) -> Translated {
        let mut holes: BTreeSet<u64> = BTreeSet::new();
        let values = self.with_holes(values, &mut |hole| {
            holes.insert(hole);
            hole
        });
        let numbers: HashMap<u64, u64> = holes.iter().copied().zip(0..).collect();
        let values = self.with_holes(&values, &mut |hole| numbers.get(&hole).copied().unwrap_or(hole));
        Translated { skeleton: Rc::new(Skeleton { points, values }), holes: holes.into_iter().collect() }
    }

    /// Renumbers the holes of values.
    fn with_holes(&self, values: &[Value], number_of: &mut dyn FnMut(u64) -> u64) -> Vec<Value> {
        let mut watch = LimitCheck::default();
        let mut context = TraversalContext { program: self.program, watch: &mut watch };
        let renumbered =
            rebuild_all(values, Sharing::Kept, Primals::Same, &mut context, &mut |number| match hole_of(&number) {
                Some(old) => hole(number_of(old)),
                None => number,
            });
        match renumbered {
            Ok(values) => values,
            Err(_) => internal_bug!("a watch without limits ends nothing"),
        }
    }

    fn pop(&mut self) -> Value {
        match self.results.pop() {
            Some(value) => value,
            None => internal_bug!("parts are translated before what they are parts of"),
        }
    }

    fn pop_some(&mut self, count: usize) -> Vec<Value> {
        match self.results.len().checked_sub(count) {
            Some(start) => self.results.split_off(start),
            None => internal_bug!("parts are translated before what they are parts of"),
        }
    }
}
