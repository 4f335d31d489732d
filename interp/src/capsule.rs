//! ⟦k, f⟧: suspended computations - states that the machine goes on from, and the points and values of capsules.

use crate::computations::Entry;
use crate::continuation::Frame;
use crate::environment::Environment;
use crate::machine::{Machine, Transition};
use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use vlad_shared::capsule::Points;
use vlad_shared::core::{ExpressionId, Program};
use vlad_shared::differentiation::application;
use vlad_shared::internal_bug;
use vlad_shared::segments::Kept;
use vlad_shared::suspended::{Awaited, Needs, Point, Standing, Suspended, is_waiting_used, needs};
use vlad_shared::usage::Usage;
use vlad_shared::value::Value;

/// A state of a computation.
#[derive(Clone, Debug)]
pub struct State<'run> {
    /// The program.
    pub program: &'run Program,
    /// What points need.
    pub needs: NeedsFound,
    /// The frames.
    pub frames: Kept<Frame>,
    /// The environment of what is entered next.
    pub environment: Environment,
    /// What is entered next.
    pub entry: Entry,
}

/// What points need, by their nodes and what they await there.
type NeedsByPoint = HashMap<(ExpressionId, Awaited), Rc<Needs>>;

/// What points need, as far as it was asked for.
#[derive(Clone, Debug, Default)]
pub struct NeedsFound {
    usage: Rc<OnceCell<Usage>>,
    found: Rc<RefCell<NeedsByPoint>>,
}

impl NeedsFound {
    fn get(&self, program: &Program, point: Point) -> Rc<Needs> {
        let mut found = self.found.borrow_mut();
        let known = found.entry((point.node, point.awaited));
        Rc::clone(known.or_insert_with(|| Rc::new(needs(program, self.usage(program), point))))
    }

    fn usage(&self, program: &Program) -> &Usage {
        self.usage.get_or_init(|| Usage::of(program))
    }

    /// Whether the value that waits at a point is used.
    fn is_used(&self, program: &Program, awaited: Awaited, node: ExpressionId) -> bool {
        is_waiting_used(program, self.usage(program), awaited, node)
    }
}

/// What a frame awaits, and what it keeps for that.
enum Kind<'frame> {
    Waiting(Awaited, &'frame Value, ExpressionId),
    Environment(Awaited, &'frame Environment),
}

impl application::State for State<'_> {
    fn flatten(self) -> (Box<dyn Points>, Vec<Value>) {
        let (standing, values) = self.stand();
        (Box::new(standing), values)
    }
}

fn kind(frame: &Frame) -> Kind<'_> {
    match frame {
        Frame::Operator { environment, .. } => Kind::Environment(Awaited::Operator, environment),
        Frame::Operand { operator, site, .. } => Kind::Waiting(Awaited::Operand, operator, *site),
        Frame::Let { environment, .. } => Kind::Environment(Awaited::Let, environment),
        Frame::First { environment, .. } => Kind::Environment(Awaited::First, environment),
        Frame::Second { first, node } => Kind::Waiting(Awaited::Second, first, *node),
        Frame::Test { environment, .. } => Kind::Environment(Awaited::Test, environment),
    }
}

impl State<'_> {
    /// Points and values.
    fn stand(self) -> (Standing, Vec<Value>) {
        let (mut points, mut values) = (Vec::new(), Vec::new());
        let frames: Vec<&Frame> = self.frames.iter().collect();
        for frame in frames.into_iter().rev() {
            self.flatten_point(frame.node(), kind(frame), &mut points, &mut values);
        }
        let (awaited, node) = match self.entry {
            Entry::Node(node) => (Awaited::Entry, node),
            Entry::OperatorOfLet(node) => (Awaited::EntryOfOperator, node),
        };
        self.flatten_point(node, Kind::Environment(awaited, &self.environment), &mut points, &mut values);
        (Standing { points }, values)
    }

    fn flatten_point(&self, node: ExpressionId, kind: Kind<'_>, points: &mut Vec<Point>, values: &mut Vec<Value>) {
        match kind {
            Kind::Waiting(awaited, value, site) => {
                points.push(Point { awaited, node, site, depth: 0 });
                let is_used = self.needs.is_used(self.program, awaited, node);
                values.push(if is_used { value.clone() } else { Value::Nil });
            }
            Kind::Environment(awaited, environment) => {
                let depth = environment.locals.len() as u32;
                let point = Point { awaited, node, site: environment.site, depth };
                points.push(point);
                let needs = self.needs.get(self.program, point);
                let Needs::Environment { procedure, locals } = &*needs else {
                    internal_bug!("this point keeps an environment");
                };
                if *procedure {
                    values.push(environment.procedure());
                }
                values.extend(locals.iter().map(|local| environment.local(*local).clone()));
            }
        }
    }
}

/// Goes on at an entry.
pub fn evaluate(entry: Entry) -> Transition {
    match entry {
        Entry::Node(node) => Transition::Evaluate(node),
        Entry::OperatorOfLet(node) => Transition::EvaluateOperator(node),
    }
}

impl Machine<'_> {
    /// The whole run, which stands at an entry of an item and inside no operator.
    pub fn suspended(mut self, item: usize, entry: Entry) -> Suspended {
        let (standing, values) = self.take_state(entry).stand();
        Suspended { item, globals: self.globals, standing, values, steps: self.steps.total() }
    }

    /// Puts the frames of a capsule on top of those that there are.
    pub fn put_back(&mut self, points: &dyn Points, values: Vec<Value>) -> Transition {
        let Some(Standing { points }) = (points as &dyn Any).downcast_ref::<Standing>() else {
            internal_bug!("a run has the capsules of one engine");
        };
        let mut values = values.into_iter();
        for point in points {
            let (node, site) = (point.node, point.site);
            let frame = match point.awaited {
                Awaited::Operand => Frame::Operand { operator: next(&mut values), node, site },
                Awaited::Second => Frame::Second { node, first: next(&mut values) },
                Awaited::Operator => Frame::Operator { node, environment: self.environment_of(*point, &mut values) },
                Awaited::Let => Frame::Let { node, environment: self.environment_of(*point, &mut values) },
                Awaited::First => Frame::First { node, environment: self.environment_of(*point, &mut values) },
                Awaited::Test => Frame::Test { node, environment: self.environment_of(*point, &mut values) },
                Awaited::Entry | Awaited::EntryOfOperator => {
                    self.environment = Rc::unwrap_or_clone(self.environment_of(*point, &mut values));
                    let is_node = point.awaited == Awaited::Entry;
                    return evaluate(if is_node { Entry::Node(node) } else { Entry::OperatorOfLet(node) });
                }
            };
            self.frames.push(frame);
        }
        internal_bug!("the last point of a capsule is entered")
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
