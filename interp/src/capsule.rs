//! Suspended runs and capsules, ⟦k, f⟧ in the equations: from the machine's state to points of core with values
//! ([`Machine::suspended`]), and back ([`Machine::put_back`]).

use crate::continuation::{Frame, Part};
use crate::entry::Entry;
use crate::environment::Environment;
use crate::machine::{Machine, Transition};
use std::any::Any;
use std::rc::Rc;
use vlad_core::ExpressionId;
use vlad_core::node_ranges::NodeRanges;
use vlad_runtime::suspended::{Awaited, Needs, Point, PointStack, Suspended};
use vlad_table::internal_bug;
use vlad_values::{Points, Value};

/// The points of a computation of this engine.
pub fn point_stack(points: &dyn Points) -> &PointStack {
    match (points as &dyn Any).downcast_ref::<PointStack>() {
        Some(points) => points,
        None => internal_bug!("a run has the capsules of one engine"),
    }
}

/// Continues at an entry.
pub fn evaluate(entry: Entry) -> Transition {
    match entry {
        Entry::Node(node) => Transition::Evaluate(node),
        Entry::OperatorOfLet(node) => Transition::EvaluateOperator(node),
    }
}

impl Machine<'_> {
    /// Turns the machine, which is at an entry in a top-level item and inside no operator, into a suspended run.
    pub fn suspended(mut self, item: usize, entry: Entry) -> Suspended {
        let (point_stack, values) = self.take_state(entry).points_and_values();
        Suspended { item, globals: self.globals, point_stack, values, steps: self.steps.total() }
    }

    /// Pushes the frames of a capsule onto the current continuation.
    pub fn put_back(&mut self, points: &PointStack, values: Vec<Value>) -> Transition {
        let mut values = values.into_iter();
        for point in &points.points {
            let (node, site) = (point.node, point.site);
            self.await_call_from(node);
            let awaited = match point.awaited {
                Awaited::Operand => Part::Operand { operator: next(&mut values), site },
                Awaited::Second => Part::Second { first: next(&mut values), site },
                Awaited::Operator => Part::Operator(self.environment_of(*point, &mut values)),
                Awaited::Let => Part::Let(self.environment_of(*point, &mut values)),
                Awaited::First => Part::First(self.environment_of(*point, &mut values)),
                Awaited::Test => Part::Test(self.environment_of(*point, &mut values)),
                Awaited::Entry | Awaited::EntryOfOperator => {
                    self.environment = Rc::unwrap_or_clone(self.environment_of(*point, &mut values));
                    let is_node = point.awaited == Awaited::Entry;
                    return evaluate(if is_node { Entry::Node(node) } else { Entry::OperatorOfLet(node) });
                }
            };
            self.frames.push(Frame::of(node, awaited));
        }
        internal_bug!("the last point of a capsule is entered")
    }

    /// Has the innermost frame await a call, unless a node whose value comes to it is within the part that it awaits: then
    /// they are of one activation.
    fn await_call_from(&mut self, node: ExpressionId) {
        let program = self.program;
        let ranges = self.ranges.get_or_init(|| NodeRanges::of(program));
        if let Some(frame) = self.frames.last_mut()
            && !frame.awaits_call
            && !ranges.contains(frame.awaiting(program).awaited, node)
        {
            frame.awaits_call = true;
            self.steps.nest_again(1);
        }
    }

    fn environment_of(&self, point: Point, values: &mut impl Iterator<Item = Value>) -> Rc<Environment> {
        let needs = self.needs.get(self.program, point);
        let Needs::Environment { procedure, locals } = &*needs else {
            internal_bug!("this point keeps an environment");
        };
        let mut environment = Environment::top(point.site);
        if *procedure {
            environment.set_procedure(next(values));
        }
        let mut needed = locals.iter().copied().peekable();
        for local in 0..point.depth {
            let value = if needed.next_if_eq(&local).is_some() { next(values) } else { Value::Nil };
            environment.locals.push_back(value);
        }
        Rc::new(environment)
    }
}

fn next(values: &mut impl Iterator<Item = Value>) -> Value {
    match values.next() {
        Some(value) => value,
        None => internal_bug!("a capsule has the values that its points need"),
    }
}
