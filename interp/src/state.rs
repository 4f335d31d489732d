//! ⟦k, f⟧: the states of suspended computations, and their points and values.

use crate::continuation::{Frame, Part};
use crate::entry::Entry;
use crate::environment::Environment;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use vlad_core::liveness::NodeLiveness;
use vlad_core::{ExpressionId, Program};
use vlad_runtime::operators;
use vlad_runtime::segments::Kept;
use vlad_runtime::suspended::{Awaited, Needs, Point, PointStack, is_waiting_used, needs};
use vlad_table::internal_bug;
use vlad_values::{Points, Value};

/// The state of a suspended computation.
#[derive(Clone, Debug)]
pub struct State<'run> {
    /// The program.
    pub program: &'run Program,
    /// The needs of points.
    pub needs: NeedsTable,
    /// The frames.
    pub frames: Kept<Frame>,
    /// The number of frames that await calls.
    pub calls: u64,
    /// The environment of the entry.
    pub environment: Environment,
    /// The entry at which the computation continues.
    pub entry: Entry,
}

/// The needs of points, by their nodes and the parts that they await.
type NeedsByPoint = HashMap<(ExpressionId, Awaited), Rc<Needs>>;

/// The needs of points, computed on demand.
#[derive(Clone, Debug, Default)]
pub struct NeedsTable {
    usage: Rc<OnceCell<NodeLiveness>>,
    found: Rc<RefCell<NeedsByPoint>>,
}

impl NeedsTable {
    /// The needs of a point.
    pub fn get(&self, program: &Program, point: Point) -> Rc<Needs> {
        let mut found = self.found.borrow_mut();
        let known = found.entry((point.node, point.awaited));
        Rc::clone(known.or_insert_with(|| Rc::new(needs(program, self.usage(program), point))))
    }

    fn usage(&self, program: &Program) -> &NodeLiveness {
        self.usage.get_or_init(|| NodeLiveness::of(program))
    }

    /// Returns true if the value that waits at a point is live.
    pub fn is_used(&self, program: &Program, awaited: Awaited, node: ExpressionId) -> bool {
        is_waiting_used(program, self.usage(program), awaited, node)
    }
}

/// The part that a frame awaits, and the value or environment that it keeps.
enum FrameKind<'frame> {
    Waiting(Awaited, &'frame Value, ExpressionId),
    Environment(Awaited, &'frame Environment),
}

impl operators::State for State<'_> {
    fn flatten(self) -> (Box<dyn Points>, Vec<Value>) {
        let (point_stack, values) = self.points_and_values();
        (Box::new(point_stack), values)
    }
}

fn kind(frame: &Frame) -> FrameKind<'_> {
    let awaited = frame.awaited.name();
    match &frame.awaited {
        Part::Operator(environment) | Part::Let(environment) | Part::First(environment) | Part::Test(environment) => {
            FrameKind::Environment(awaited, environment)
        }
        Part::Operand { operator, site } => FrameKind::Waiting(awaited, operator, *site),
        Part::Second { first, .. } => FrameKind::Waiting(awaited, first, frame.node),
    }
}

impl State<'_> {
    /// The points of the state, and their values.
    pub fn points_and_values(self) -> (PointStack, Vec<Value>) {
        let (mut points, mut values) = (Vec::new(), Vec::new());
        let frames: Vec<&Frame> = self.frames.iter().collect();
        for frame in frames.into_iter().rev() {
            self.flatten_point(frame.node, kind(frame), &mut points, &mut values);
        }
        let (awaited, node) = match self.entry {
            Entry::Node(node) => (Awaited::Entry, node),
            Entry::OperatorOfLet(node) => (Awaited::EntryOfOperator, node),
        };
        self.flatten_point(node, FrameKind::Environment(awaited, &self.environment), &mut points, &mut values);
        (PointStack { points }, values)
    }

    fn flatten_point(&self, node: ExpressionId, kind: FrameKind<'_>, points: &mut Vec<Point>, values: &mut Vec<Value>) {
        match kind {
            FrameKind::Waiting(awaited, value, site) => {
                points.push(Point { awaited, node, site, depth: 0 });
                let is_used = self.needs.is_used(self.program, awaited, node);
                values.push(if is_used { value.clone() } else { Value::Nil });
            }
            FrameKind::Environment(awaited, environment) => {
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
