//! Where a computation stands, in terms of core: the points of `interp`'s continuations, and of capsules in files.
//!
//! A point is a construct of core and the part of it whose value is awaited, or the entry of a node. What has to be kept
//! at a point is what the rest of the construct needs, no more and no less ([`needs`]): a value that waits, or the
//! procedure that runs and some of its locals.

use crate::capsule::Points;
use crate::core::{Expression, ExpressionId, Program, Reference};
use crate::core_equality::same_code;
use crate::diagnostic::Kind;
use crate::internal_bug;
use crate::run::{Report, Trouble};
use crate::usage::Usage;
use crate::value::Value;
use crate::whereabouts::Whereabouts;
use std::any::Any;
use std::collections::BTreeSet;

/// What is awaited at a point.
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
    /// What is awaited.
    pub awaited: Awaited,
    /// The construct, or the node that is entered.
    pub node: ExpressionId,
    /// Where faults of the prelude are shown.
    pub site: ExpressionId,
    /// How many locals are bound around.
    pub depth: u32,
}

/// What has to be kept at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The value that waits.
    Waiting,
    /// A part of the environment.
    Environment {
        /// Whether the running procedure is needed: its slots, or its siblings.
        procedure: bool,
        /// The locals that are needed, in ascending order.
        locals: Box<[u32]>,
    },
}

/// What the rest of the construct at a point needs. (A value that waits and is not used is the empty list.)
pub fn needs(program: &Program, usage: &Usage, point: Point) -> Needs {
    let mut pending = match (point.awaited, program.expression(point.node)) {
        (Awaited::Operand | Awaited::Second, _) => return Needs::Waiting,
        (Awaited::Entry, _) => vec![point.node],
        (Awaited::EntryOfOperator, Expression::Let { lambda, operand, .. }) => {
            vec![program.lambda(lambda).body, operand]
        }
        (Awaited::Operator, Expression::Application { operand, .. }) => vec![operand],
        (Awaited::Let, Expression::Let { lambda, .. }) => vec![program.lambda(lambda).body],
        (Awaited::First, Expression::Cons { second, .. }) => vec![second],
        (Awaited::Test, Expression::If { consequent, alternative, .. }) => vec![consequent, alternative],
        (
            Awaited::EntryOfOperator | Awaited::Operator | Awaited::Let | Awaited::First | Awaited::Test,
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Lambda(_)
            | Expression::Application { .. }
            | Expression::Let { .. }
            | Expression::Cons { .. }
            | Expression::If { .. }
            | Expression::Letrec { .. },
        ) => internal_bug!("a point is of the construct of its node"),
    };
    let mut found = Found { locals: BTreeSet::new(), procedure: false, depth: point.depth };
    while let Some(part) = pending.pop() {
        match program.expression(part) {
            Expression::Constant(_) => {}
            Expression::Variable(reference) => {
                if usage.is_used(part) {
                    found.note(reference);
                }
            }
            Expression::Lambda(lambda) => {
                program.lambda(lambda).captures.iter().for_each(|capture| found.note(*capture));
            }
            Expression::Application { operator, operand } => pending.extend([operator, operand]),
            Expression::Let { lambda, operand, .. } => pending.extend([program.lambda(lambda).body, operand]),
            Expression::Cons { first, second } => pending.extend([first, second]),
            Expression::If { test, consequent, alternative } => pending.extend([test, consequent, alternative]),
            Expression::Letrec { group, body } => {
                program.group(group).captures.iter().for_each(|capture| found.note(*capture));
                pending.push(body);
            }
        }
    }
    Needs::Environment { procedure: found.procedure, locals: found.locals.into_iter().collect() }
}

/// Whether the value that waits where something is awaited in a node is used.
pub fn is_waiting_used(program: &Program, usage: &Usage, awaited: Awaited, node: ExpressionId) -> bool {
    if awaited == Awaited::Second
        && let Expression::Cons { first, .. } = program.expression(node)
    {
        return usage.is_used(first);
    }
    true
}

/// What has been found to be needed.
struct Found {
    locals: BTreeSet<u32>,
    procedure: bool,
    depth: u32,
}

impl Found {
    fn note(&mut self, reference: Reference) {
        match reference {
            // What is bound within the rest is not needed from around.
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

/// The points of a whole computation, outermost first; the last one is entered next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The points.
    pub points: Vec<Point>,
}

impl Points for Standing {
    fn same(&self, other: &dyn Points, program: &Program) -> bool {
        let Some(other) = (other as &dyn Any).downcast_ref::<Standing>() else {
            internal_bug!("a run has the capsules of one engine");
        };
        self.points.len() == other.points.len()
            && self.points.iter().zip(&other.points).all(|(a, b)| a.awaited == b.awaited)
            && same_places(program, self.points.iter().zip(&other.points).map(|(a, b)| (a.node, b.node)))
    }
}

/// Whether the nodes of each pair are at the same place of equal code.
pub fn same_places(program: &Program, pairs: impl Iterator<Item = (ExpressionId, ExpressionId)>) -> bool {
    let mut different = pairs.filter(|(a, b)| a != b).peekable();
    if different.peek().is_none() {
        return true;
    }
    let whereabouts = Whereabouts::of(program);
    different.all(|(a, b)| same_place(program, &whereabouts, a, b))
}

/// Whether two nodes are at the same place of equal code.
fn same_place(program: &Program, whereabouts: &Whereabouts, a: ExpressionId, b: ExpressionId) -> bool {
    match (whereabouts.procedure(a), whereabouts.procedure(b)) {
        (Some(first), Some(second)) => {
            let place = |node, lambda| whereabouts.distance(program.lambda(lambda).body, node);
            same_code(program, first, second) && place(a, first) == place(b, second)
        }
        // Expressions at top level run once: two of them are two computations.
        (None, _) | (_, None) => false,
    }
}

/// A whole run that stands at the entry of a node, with no operator under way. It is the same whichever engine ran.
#[derive(Clone, Debug)]
pub struct Suspended {
    /// The number of the item of the program that was being evaluated.
    pub item: usize,
    /// The values of the definitions that have run, by their numbers; those of the prelude among them.
    pub globals: Vec<Option<Value>>,
    /// Where it stands.
    pub standing: Standing,
    /// What the points need, in their order. Capsules among these values, and among those of definitions, stand at a
    /// [`Standing`] as well.
    pub values: Vec<Value>,
    /// The steps of the run so far, as they are counted for its limit.
    pub steps: u64,
}

/// Which part of a run an engine is asked for.
#[derive(Debug, Default)]
pub struct Part {
    /// Where it begins; with the program if nothing is said.
    pub from: Option<Suspended>,
    /// Where it ends, if the program does not end before: at the entry of the first node after so many steps of the run
    /// that is not inside an operator.
    pub until: Option<u64>,
}

/// How much of a run is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    Whole,
    /// A part.
    Part,
}

impl Part {
    /// How much of the run it is.
    pub fn scope(&self) -> Scope {
        if self.from.is_none() && self.until.is_none() { Scope::Whole } else { Scope::Part }
    }
}

/// The trouble with a run that goes on as none of its program does, since the file that it was gone on from was forged.
#[cold]
pub fn forged() -> Trouble {
    Trouble::new(Kind::File, "the capsule is none of a run of this program")
}

/// How a part of a run has ended.
#[derive(Debug)]
pub enum PartEnd {
    /// The program has ended.
    Ended(Report),
    /// As many steps as asked for, or more, have been taken, and there is a node to be entered.
    Suspended(Box<Suspended>),
}
