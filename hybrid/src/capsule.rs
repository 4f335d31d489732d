//! ⟦k, f⟧: suspended computations - states that the machine goes on from, and the points and values of capsules.
//!
//! A state stands before a step of a block. Its values are those of the variables that are alive there, in ascending order,
//! and the running procedure if its slots are needed; a frame's are those that are free in its block, and the same.

use crate::code::Code;
use crate::frames::{Frame, KeptContinuation};
use crate::machine::{Machine, Next};
use std::any::Any;
use std::rc::Rc;
use vlad_shared::capsule::Points;
use vlad_shared::core::{ExpressionId, Program};
use vlad_shared::cps::liveness::{alive_before, needs_slots_from};
use vlad_shared::cps::{BlockId, Converted, Instruction, Role};
use vlad_shared::differentiation::application;
use vlad_shared::internal_bug;
use vlad_shared::suspended::same_places;
use vlad_shared::value::{Slots, Value};

/// A state of a computation.
#[derive(Clone, Debug)]
pub struct State<'run> {
    code: &'run Code<'run>,
    continuation: KeptContinuation,
    at: Point,
    /// The values of the registers that are alive.
    registers: Rc<[Value]>,
    slots: Option<Rc<Slots>>,
}

/// A point of a suspended computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The block that goes on.
    pub block: BlockId,
    /// The step of the block that is next; none for a frame.
    pub instruction: Option<usize>,
    /// The node that is entered next, or whose value is awaited.
    pub node: ExpressionId,
    /// Where faults of shipped code are shown.
    pub site: ExpressionId,
}

impl Point {
    /// Before an instruction of a block, which is a step.
    pub fn of_step(converted: &Converted, block: BlockId, instruction: usize, site: ExpressionId) -> Point {
        let Some(Instruction::Step(node)) = converted.block(block).instructions.get(instruction) else {
            internal_bug!("a computation is interrupted at a step");
        };
        Point { block, instruction: Some(instruction), node: *node, site }
    }

    /// The frame of a block.
    pub fn of_frame(converted: &Converted, block: BlockId, site: ExpressionId) -> Point {
        Point { block, instruction: None, node: awaited(converted, block), site }
    }

    /// How many variables are alive there.
    pub fn alive(&self, converted: &Converted) -> usize {
        let block = converted.block(self.block);
        self.instruction.map_or(block.free.len(), |instruction| alive_before(block, instruction).len())
    }

    /// Whether the slots are needed there.
    pub fn needs_slots(&self, converted: &Converted) -> bool {
        needs_slots(converted, *self)
    }
}

/// The points of a whole computation, outermost first; the last one is entered next.
#[derive(Debug)]
pub struct Standing {
    /// The points.
    pub points: Vec<Point>,
}

impl Points for Standing {
    fn same(&self, other: &dyn Points, program: &Program) -> bool {
        let other = standing(other);
        let is_alike = |(a, b): (&Point, &Point)| a.instruction.is_some() == b.instruction.is_some();
        self.points.len() == other.len()
            && self.points.iter().zip(other).all(is_alike)
            && same_places(program, self.points.iter().zip(other).map(|(a, b)| (a.node, b.node)))
    }
}

/// The points of a computation of this engine.
pub fn standing(points: &dyn Points) -> &[Point] {
    match (points as &dyn Any).downcast_ref::<Standing>() {
        Some(Standing { points }) => points,
        None => internal_bug!("a run has the capsules of one engine"),
    }
}

impl application::State for State<'_> {
    fn flatten(self) -> (Box<dyn Points>, Vec<Value>) {
        let converted = self.code.converted;
        let mut points = Vec::new();
        // The values of a frame stand in the order of its free variables; those of all frames from the innermost out.
        let mut saved = self.continuation.saved.iter();
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for frame in self.continuation.frames.iter() {
            let count = converted.block(frame.block).free.len();
            let mut row: Vec<Value> = saved.by_ref().take(count).cloned().collect();
            row.reverse();
            if converted.block(frame.block).needs_slots {
                row.push(procedure(converted, frame.block, &frame.slots));
            }
            rows.push(row);
            points.push(Point::of_frame(converted, frame.block, frame.site));
        }
        points.reverse();
        points.push(self.at);
        let mut values: Vec<Value> = rows.into_iter().rev().flatten().collect();
        values.extend(self.registers.iter().cloned());
        if needs_slots(converted, self.at) {
            values.push(procedure(converted, self.at.block, &self.slots));
        }
        (Box::new(Standing { points }), values)
    }
}

/// The node whose value the frame of a block awaits.
fn awaited(converted: &Converted, block: BlockId) -> ExpressionId {
    match converted.block(block).role {
        Role::Continuation { awaiting, .. } => awaiting.awaited,
        Role::Entry | Role::Branch => internal_bug!("block {} awaits a value", block.0),
    }
}

/// The running procedure of a block's activation.
pub fn procedure(converted: &Converted, block: BlockId, slots: &Option<Rc<Slots>>) -> Value {
    match converted.activation(converted.block(block).activation).lambda {
        Some(code) => Value::Procedure { code, slots: slots.clone() },
        None => internal_bug!("an expression at top level needs no slots"),
    }
}

/// Whether the slots are needed at a point.
fn needs_slots(converted: &Converted, point: Point) -> bool {
    let block = converted.block(point.block);
    match point.instruction {
        Some(instruction) => needs_slots_from(converted, block, instruction),
        None => block.needs_slots,
    }
}

impl<'run> Machine<'run> {
    /// The state before an instruction of a block, which is a step; the machine is left without one.
    pub fn take_state(&mut self, block: BlockId, instruction: usize) -> State<'run> {
        let converted = self.code.converted;
        let at = Point::of_step(converted, block, instruction, self.site);
        let registers = self.code.layout.registers;
        let alive = alive_before(converted.block(block), instruction);
        let registers = alive.iter().map(|variable| self.store.take(registers + variable.0)).collect();
        let slots = self.store.slots.take().filter(|_| needs_slots(converted, at));
        let continuation = std::mem::take(&mut self.continuation).keep();
        State { code: self.code, continuation, at, registers, slots }
    }

    /// Goes on from a state.
    pub fn go_on_from(&mut self, state: State<'run>) -> Next {
        self.continuation = state.continuation.into();
        self.store.slots = state.slots;
        self.go_on_at(state.at, state.registers.iter().cloned())
    }

    /// Gives the registers that are alive at a point their values, and goes on there.
    fn go_on_at(&mut self, at: Point, values: impl IntoIterator<Item = Value>) -> Next {
        let Some(instruction) = at.instruction else { internal_bug!("a frame is given a value") };
        let alive = alive_before(self.code.converted.block(at.block), instruction);
        for (variable, value) in alive.into_iter().zip(values) {
            self.store.set(self.code.layout.registers + variable.0, value);
        }
        self.site = at.site;
        Next::Middle(at.block, instruction)
    }

    /// Puts the frames of a capsule on top of those that there are.
    pub fn put_back(&mut self, points: &dyn Points, values: Vec<Value>) -> Next {
        let converted = self.code.converted;
        let mut values = values.into_iter();
        for point in standing(points) {
            let Some(instruction) = point.instruction else {
                let code = converted.block(point.block);
                values.by_ref().take(code.free.len()).for_each(|value| self.continuation.saved.push(value));
                let slots = if code.needs_slots { slots_of(values.next()) } else { None };
                self.continuation.frames.push(Frame { block: point.block, site: point.site, slots });
                continue;
            };
            let count = alive_before(converted.block(point.block), instruction).len();
            let registers: Vec<Value> = values.by_ref().take(count).collect();
            self.store.slots = if needs_slots(converted, *point) { slots_of(values.next()) } else { None };
            return self.go_on_at(*point, registers);
        }
        internal_bug!("the last point of a capsule is entered")
    }
}

fn slots_of(procedure: Option<Value>) -> Option<Rc<Slots>> {
    match procedure {
        Some(Value::Procedure { slots, .. }) => slots,
        Some(
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Primitive(_)
            | Value::Pair(_)
            | Value::Capsule(_)
            | Value::Tagged(_)
            | Value::Vector(_),
        )
        | None => internal_bug!("a capsule has the procedure that its point needs"),
    }
}
