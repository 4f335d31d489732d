//! Suspended computations in terms of core: the stop points of `interp`'s continuations, and of capsules in files.
//!
//! A point is a construct of core with the part of it whose value is awaited, or the entry of an expression node. A
//! point keeps exactly the values that the continuation of the construct needs ([`needs`]): the value of an earlier
//! part, which *waits* for that of the awaited one, or the running procedure and some of its locals.

use crate::run::Report;
use std::any::Any;
use std::collections::BTreeSet;
use vlad_core::diagnostic::Kind;
use vlad_core::equality::same_code;
use vlad_core::liveness::NodeLiveness;
use vlad_core::node_ranges::NodeRanges;
use vlad_core::{Expression, ExpressionId, Program, Reference};
use vlad_table::internal_bug;
use vlad_values::fault::RuntimeError;
use vlad_values::{Points, Value};

/// The part of a construct that is awaited at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Awaited {
    /// Nothing: the node is entered next.
    Entry,
    /// Nothing: the lambda of the `let` is entered next.
    EntryOfOperator,
    /// The operator of an application.
    Operator,
    /// The operand of an application, whose operator waits.
    Operand,
    /// The operand of a `let`.
    Let,
    /// The first half of a `cons`.
    First,
    /// The second half of a `cons`, whose first half waits.
    Second,
    /// The condition of an `if`.
    Test,
}

/// A point of a suspended computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The part that is awaited.
    pub awaited: Awaited,
    /// The construct, or the expression node that is entered.
    pub node: ExpressionId,
    /// The call site, at which faults of library code are reported.
    pub site: ExpressionId,
    /// The number of locals in scope.
    pub depth: u32,
}

/// The node whose value is awaited at a point of a node; the node itself if it is an entry.
pub fn awaited_node(program: &Program, awaited: Awaited, node: ExpressionId) -> ExpressionId {
    use Expression as E;
    match (awaited, program.expression(node)) {
        (Awaited::Entry | Awaited::EntryOfOperator, _) => node,
        (Awaited::Operator, E::Application { operator, .. }) => operator,
        (Awaited::Operand, E::Application { operand, .. }) | (Awaited::Let, E::Let { operand, .. }) => operand,
        (Awaited::First, E::Cons { first, .. }) => first,
        (Awaited::Second, E::Cons { second, .. }) => second,
        (Awaited::Test, E::If { test, .. }) => test,
        (Awaited::Operator | Awaited::Operand | Awaited::Let | Awaited::First | Awaited::Second | Awaited::Test, _) => {
            internal_bug!("a point is of the construct of its node")
        }
    }
}

/// The values that must be kept at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A value that waits.
    Waiting,
    /// A part of the environment.
    Environment {
        /// True if the running procedure is needed, for its slots or siblings.
        procedure: bool,
        /// The locals that are needed, in ascending order.
        locals: Box<[u32]>,
    },
}

/// The values that the continuation of the construct at a point needs. A waiting value that is not live is replaced by
/// the empty list.
pub fn needs(program: &Program, usage: &NodeLiveness, point: Point) -> Needs {
    let parts = match (point.awaited, program.expression(point.node)) {
        (Awaited::Operand | Awaited::Second, _) => return Needs::Waiting,
        (Awaited::Entry, _) => vec![point.node],
        (Awaited::EntryOfOperator, Expression::Let { lambda, operand, .. }) => {
            vec![program.lambda(lambda).body, operand]
        }
        (Awaited::EntryOfOperator, _) => internal_bug!("the operator that is entered is that of a `let`"),
        (Awaited::Operator | Awaited::Let | Awaited::First | Awaited::Test, _) => program.parts_after_first(point.node),
    };
    let mut found = FoundNeeds { locals: BTreeSet::new(), procedure: false, depth: point.depth };
    for part in program.within(parts) {
        let is_variable = matches!(program.expression(part), Expression::Variable(_));
        if !is_variable || usage.is_used(part) {
            program.references(part).for_each(|reference| found.note(reference));
        }
    }
    Needs::Environment { procedure: found.procedure, locals: found.locals.into_iter().collect() }
}

/// Returns true if the value that waits while a part of a node is awaited is live.
pub fn is_waiting_used(program: &Program, usage: &NodeLiveness, awaited: Awaited, node: ExpressionId) -> bool {
    if awaited == Awaited::Second
        && let Expression::Cons { first, .. } = program.expression(node)
    {
        return usage.is_used(first);
    }
    true
}

/// The needs found so far.
struct FoundNeeds {
    locals: BTreeSet<u32>,
    procedure: bool,
    depth: u32,
}

impl FoundNeeds {
    fn note(&mut self, reference: Reference) {
        match reference {
            // Locals that are bound within the continuation itself are not needed from the enclosing activation.
            Reference::Local(local) => {
                if local < self.depth {
                    self.locals.insert(local);
                }
            }
            Reference::Slot(_) | Reference::Sibling(_) => self.procedure = true,
            Reference::Global(_) | Reference::Primitive(_) => {}
        }
    }
}

/// The points of a whole computation, outermost first; the last one is the point of entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointStack {
    /// The points.
    pub points: Vec<Point>,
}

impl PointStack {
    /// The calls that wait at the points for others: those between activations, in each of which the part that is awaited
    /// contains the next point.
    pub fn calls(&self, program: &Program, ranges: &NodeRanges) -> u64 {
        let pairs = self.points.iter().zip(self.points.iter().skip(1));
        let waits = |(outer, inner): &(&Point, &Point)| {
            !ranges.contains(awaited_node(program, outer.awaited, outer.node), inner.node)
        };
        pairs.filter(waits).count() as u64
    }
}

impl Points for PointStack {
    fn same(&self, other: &dyn Points, program: &Program) -> bool {
        let Some(other) = (other as &dyn Any).downcast_ref::<PointStack>() else {
            internal_bug!("a run has the capsules of one engine");
        };
        self.points.len() == other.points.len()
            && self.points.iter().zip(&other.points).all(|(a, b)| a.awaited == b.awaited)
            && same_places(program, self.points.iter().zip(&other.points).map(|(a, b)| (a.node, b.node)))
    }
}

/// Returns true if the nodes of each pair are at the same place of equal code.
pub fn same_places(program: &Program, pairs: impl Iterator<Item = (ExpressionId, ExpressionId)>) -> bool {
    let mut different = pairs.filter(|(a, b)| a != b).peekable();
    if different.peek().is_none() {
        return true;
    }
    let whereabouts = NodeRanges::of(program);
    different.all(|(a, b)| same_place(program, &whereabouts, a, b))
}

/// Returns true if two nodes are at the same place of equal code.
fn same_place(program: &Program, whereabouts: &NodeRanges, a: ExpressionId, b: ExpressionId) -> bool {
    match (whereabouts.procedure(a), whereabouts.procedure(b)) {
        (Some(first), Some(second)) => {
            let place = |node, lambda| whereabouts.distance(program.lambda(lambda).body, node);
            same_code(program, first, second) && place(a, first) == place(b, second)
        }
        // Expressions at top level run once: two different ones are two different computations.
        (None, _) | (_, None) => false,
    }
}

/// A whole run, suspended at the entry of an expression node with no operator in progress. Its representation does not
/// depend on the engine.
#[derive(Clone, Debug)]
pub struct Suspended {
    /// The number of the item of the program that was being evaluated.
    pub item: usize,
    /// The values of the definitions that have run, by their numbers; those of the prelude among them.
    pub globals: Vec<Option<Value>>,
    /// The points at which it is suspended.
    pub point_stack: PointStack,
    /// The values that the points need, in their order. Capsules among these values, and among those of definitions,
    /// are suspended at a [`PointStack`] as well.
    pub values: Vec<Value>,
    /// The number of steps of the run so far, as counted for its limit.
    pub steps: u64,
}

impl Suspended {
    /// A run that is suspended before an item, which begins with `node`.
    pub fn before_item(item: usize, node: ExpressionId, globals: Vec<Option<Value>>, steps: u64) -> Suspended {
        let entry = Point { awaited: Awaited::Entry, node, site: node, depth: 0 };
        Suspended { item, globals, point_stack: PointStack { points: vec![entry] }, values: Vec::new(), steps }
    }

    /// Returns true if nothing of its item has been evaluated.
    pub fn is_before_item(&self, program: &Program) -> bool {
        let top = program.items.get(self.item).map(|item| item.node());
        match self.point_stack.points.as_slice() {
            [Point { awaited: Awaited::Entry, node, .. }] => top == Some(*node),
            _ => false,
        }
    }
}

/// The request to execute a part of a run.
#[derive(Clone, Debug, Default)]
pub struct PartRequest {
    /// The suspended run from which it continues; none to begin with the program.
    pub from: Option<Suspended>,
    /// The end of the part, if the program does not end before: the entry of the first node that is not inside an
    /// operator, after this many steps of the run.
    pub until: Option<u64>,
    /// The number of the item whose first node the part ends before, if it does not end earlier.
    pub before: Option<usize>,
}

/// The extent of the requested part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The whole run.
    Whole,
    /// Some whole items, behind definitions whose values are those that their items have in this program.
    Items,
    /// A part.
    Part,
}

impl PartRequest {
    /// Returns the extent of the part: the whole run, if no end is given. A run that is continued to its end may come from a
    /// file, whose values nothing is known of.
    pub fn scope(&self, program: &Program) -> Scope {
        match (&self.from, self.until, self.before) {
            (None, None, None) => Scope::Whole,
            (None, None, Some(_)) => Scope::Items,
            (Some(from), None, Some(_)) if from.is_before_item(program) => Scope::Items,
            (Some(_), None, None | Some(_)) | (None | Some(_), Some(_), _) => Scope::Part,
        }
    }
}

/// The fault of a resumed run that does what no run of its program does: its file is forged.
#[cold]
pub fn forged() -> RuntimeError {
    RuntimeError::new(Kind::File, "the capsule is not from a run of this program")
}

/// The end of a part of a run.
#[derive(Debug)]
pub enum PartEnd {
    /// The program has ended.
    Ended(Report),
    /// The requested number of steps, or more, have been taken, or the requested item has been reached, and the next node
    /// is about to be entered.
    Suspended(Box<Suspended>),
}
