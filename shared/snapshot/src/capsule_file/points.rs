//! The points of a suspended computation in files, and the conditions under which every engine can continue from them.
//!
//! For each point a file holds the awaited part and the expression node; the number of locals follows from the code.
//! The points of one activation are the constructs around its innermost node that await it, without a gap, and an
//! activation that calls another one awaits a value that a call can return. So engines that keep one frame for several
//! points, or none for a point where nothing can be suspended, find the points that they expect.

use crate::capsule_file::bytes::{Sink, Source};
use crate::capsule_file::code::Code;
use crate::capsule_file::refusal::Refusal;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;
use vlad_core::liveness::NodeLiveness;
use vlad_core::{Expression, ExpressionId, Item, LambdaId, Program, Reference};
use vlad_runtime::suspended::{Awaited, Needs, Point, PointStack, is_waiting_used, needs};
use vlad_table::{Control, Form};
use vlad_values::Value;

/// A program with the derived facts about its code.
#[derive(Debug)]
pub struct ProgramFacts<'program> {
    /// The program.
    pub program: &'program Program,
    /// Its code.
    pub code: Code,
    /// The item that is evaluated, if a file is read: no procedures of later items exist.
    item: usize,
    usage: NodeLiveness,
    needs: RefCell<HashMap<(ExpressionId, Awaited), Rc<Needs>>>,
    calls: RefCell<HashMap<ExpressionId, bool>>,
}

/// The owner of a list of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsOwner {
    /// A run that evaluates an item of the program.
    Item(usize),
    /// A capsule: a procedure's computation.
    Capsule,
}

/// The awaited parts, by their numbers in files.
const AWAITED: [Awaited; 8] = [
    Awaited::Entry,
    Awaited::EntryOfOperator,
    Awaited::Operator,
    Awaited::Operand,
    Awaited::Let,
    Awaited::First,
    Awaited::Second,
    Awaited::Test,
];

impl<'program> ProgramFacts<'program> {
    /// Derives the facts about a program.
    pub fn of(program: &'program Program) -> ProgramFacts<'program> {
        ProgramFacts::at_item(program, usize::MAX)
    }

    /// Derives the facts about a program while the given item is evaluated.
    pub fn at_item(program: &'program Program, item: usize) -> ProgramFacts<'program> {
        ProgramFacts {
            program,
            code: Code::of(program),
            item,
            usage: NodeLiveness::of(program),
            needs: RefCell::default(),
            calls: RefCell::default(),
        }
    }

    /// The values that the continuation of the construct at a point needs.
    pub fn needs(&self, point: Point) -> Rc<Needs> {
        let mut known = self.needs.borrow_mut();
        let found = known
            .entry((point.node, point.awaited))
            .or_insert_with(|| Rc::new(needs(self.program, &self.usage, point)));
        Rc::clone(found)
    }

    /// Returns true if the value that waits at a point is live.
    pub fn is_waiting_used(&self, point: Point) -> bool {
        is_waiting_used(self.program, &self.usage, point.awaited, point.node)
    }

    /// Returns true if the call site of a point matters: faults of library code are reported at the call site, others
    /// where they occur. A definition of a library is not called, and has no call site.
    fn has_site(&self, awaited: Awaited, node: ExpressionId) -> bool {
        let is_called = self.code.standpoint(node).procedure.is_some();
        self.program.is_shipped(node) && is_called && awaited != Awaited::Second
    }

    /// Returns true if procedures of some code can exist. There are none of items that have not begun, or of an
    /// unfinished item that only defines a procedure. Engines rely on this: where a procedure exists, the definitions
    /// to which its code refers have run.
    pub fn is_made(&self, code: LambdaId) -> bool {
        let Some(item) = self.code.standpoint(self.program.lambda(code).body).item else { return true };
        let defines_itself = match self.program.items.get(item) {
            Some(Item::Define(_, node)) => self.program.procedure_at(*node).is_some(),
            Some(Item::Expression(_)) | None => false,
        };
        item < self.item || (item == self.item && !defines_itself)
    }

    /// Writes points.
    pub fn write(&self, point_stack: &PointStack, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(point_stack.points.len() as u64)?;
        for point in &point_stack.points {
            let number = AWAITED.iter().position(|awaited| *awaited == point.awaited).unwrap_or_default();
            sink.number(number as u64)?;
            sink.number(self.code.number(point.node).into())?;
            if self.has_site(point.awaited, point.node) {
                sink.number(self.code.number(point.site).into())?;
            }
        }
        Ok(())
    }

    /// Reads points.
    pub fn read(&self, whose: PointsOwner, source: &mut Source<'_>) -> Result<PointStack, Refusal> {
        let count = source.number()?;
        let mut points = Vec::new();
        for _ in 0..count {
            points.push(self.read_point(source)?);
        }
        let point_stack = PointStack { points };
        if self.is_possible(whose, &point_stack) {
            Ok(point_stack)
        } else {
            Err(Refusal::damaged("no run is suspended with such values"))
        }
    }

    fn read_point(&self, source: &mut Source<'_>) -> Result<Point, Refusal> {
        let awaited = usize::try_from(source.number()?).ok().and_then(|number| AWAITED.get(number).copied());
        let awaited = awaited.ok_or(Refusal::damaged("a point in it awaits nothing that is known"))?;
        let node = self.read_node(source)?;
        if self.code.standpoint(node).procedure.is_some_and(|procedure| !self.is_made(procedure)) {
            return Err(Refusal::NOT_MADE);
        }
        let site = if self.has_site(awaited, node) {
            let site = self.read_node(source)?;
            let is_call = matches!(self.program.expression(site), Expression::Application { .. });
            if !is_call || self.program.is_shipped(site) {
                return Err(Refusal::damaged("what a point in it names as a call of the program is none"));
            }
            site
        } else {
            node
        };
        let waits = matches!(awaited, Awaited::Operand | Awaited::Second);
        let depth = if waits { 0 } else { self.code.standpoint(node).depth };
        Ok(Point { awaited, node, site, depth })
    }

    fn read_node(&self, source: &mut Source<'_>) -> Result<ExpressionId, Refusal> {
        self.code.node(source.number()?).ok_or(Refusal::damaged("a node that it names is not in the program"))
    }

    /// Returns true if a computation of the program can be suspended at some points, as far as the code determines it.
    fn is_possible(&self, whose: PointsOwner, point_stack: &PointStack) -> bool {
        let Some((last, frames)) = point_stack.points.split_last() else { return false };
        if !matches!(last.awaited, Awaited::Entry | Awaited::EntryOfOperator) || self.part(*last).is_none() {
            return false;
        }
        let mut inner = *last;
        for frame in frames.iter().rev() {
            let Some(part) = self.part(*frame) else { return false };
            let fits = match self.code.standpoint(inner.node).awaiting {
                Some(around) => around == (frame.awaited, frame.node),
                // The activation of the inner point begins there, so a call within the awaited part has started it.
                None => self.code.standpoint(inner.node).procedure.is_some() && self.calls_last(part),
            };
            if !fits || matches!(frame.awaited, Awaited::Entry | Awaited::EntryOfOperator) {
                return false;
            }
            inner = *frame;
        }
        let outermost = self.code.standpoint(inner.node);
        outermost.awaiting.is_none()
            && match (whose, outermost.procedure) {
                (PointsOwner::Capsule, procedure) => procedure.is_some(),
                (PointsOwner::Item(item), None) => outermost.item == Some(item),
                (PointsOwner::Item(item), Some(_)) => match self.program.items.get(item) {
                    Some(Item::Define(_, top) | Item::Expression(top)) => self.calls_last(*top),
                    None => false,
                },
            }
    }

    /// The part of the construct at a point whose value is awaited, or that is entered; none if the construct has no
    /// such part.
    pub fn part(&self, point: Point) -> Option<ExpressionId> {
        match (point.awaited, self.program.expression(point.node)) {
            (Awaited::Entry, _) => Some(point.node),
            (Awaited::EntryOfOperator, Expression::Let { operator, .. }) => Some(operator),
            (Awaited::Operator, Expression::Application { operator, .. }) => Some(operator),
            (Awaited::Operand, Expression::Application { operand, .. })
            | (Awaited::Let, Expression::Let { operand, .. }) => Some(operand),
            (Awaited::First, Expression::Cons { first, .. }) => Some(first),
            (Awaited::Second, Expression::Cons { second, .. }) => Some(second),
            (Awaited::Test, Expression::If { test, .. }) => Some(test),
            (
                Awaited::EntryOfOperator
                | Awaited::Operator
                | Awaited::Operand
                | Awaited::Let
                | Awaited::First
                | Awaited::Second
                | Awaited::Test,
                Expression::Constant(_)
                | Expression::Variable(_)
                | Expression::Lambda(_)
                | Expression::Application { .. }
                | Expression::Let { .. }
                | Expression::Cons { .. }
                | Expression::If { .. }
                | Expression::Letrec { .. },
            ) => None,
        }
    }

    /// Returns true if the value of a node can be that of a call of a procedure in tail position.
    fn calls_last(&self, node: ExpressionId) -> bool {
        if let Some(known) = self.calls.borrow().get(&node) {
            return *known;
        }
        let mut pending = vec![node];
        let mut found = false;
        while let Some(node) = pending.pop() {
            match self.program.expression(node) {
                Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) | Expression::Cons { .. } => {
                }
                Expression::Application { operator, .. } => found |= self.may_call(operator),
                Expression::Let { lambda, .. } => pending.push(self.program.lambda(lambda).body),
                Expression::If { consequent, alternative, .. } => pending.extend([consequent, alternative]),
                Expression::Letrec { body, .. } => pending.push(body),
            }
        }
        self.calls.borrow_mut().insert(node, found);
        found
    }

    /// Returns true if the application of an operator may continue in the body of a procedure.
    fn may_call(&self, operator: ExpressionId) -> bool {
        let Expression::Variable(Reference::Primitive(primitive)) = self.program.expression(operator) else {
            return true;
        };
        matches!(primitive.row().form, Form::Control(Control::IfProcedure | Control::Resume))
    }

    /// Returns true if some values are those that some points need: the same number, and procedures of the code whose
    /// bodies contain the points.
    pub fn are_needed(&self, point_stack: &PointStack, values: &[Value]) -> bool {
        let mut values = values.iter();
        for point in &point_stack.points {
            let others = match &*self.needs(*point) {
                Needs::Waiting => 1,
                Needs::Environment { procedure, locals } => {
                    if *procedure {
                        let running = match values.next() {
                            Some(Value::Procedure { code, .. }) => Some(*code),
                            Some(_) | None => None,
                        };
                        if running.is_none() || running != self.code.standpoint(point.node).procedure {
                            return false;
                        }
                    }
                    locals.len()
                }
            };
            if others > 0 && values.nth(others - 1).is_none() {
                return false;
            }
        }
        values.next().is_none()
    }
}
