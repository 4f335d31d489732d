//! ⟦k, f⟧: suspended computations - states that the machine resumes, and their points and values.
//!
//! The point of a state is before a step of a block. Its values are those of the variables that are live there, in
//! ascending order, and the running procedure if its captured slots are needed; the values of a frame are those that
//! are free in its block, and likewise the procedure.

use crate::code::Code;
use crate::frames::ContinuationSnapshot;
use std::any::Any;
use std::rc::Rc;
use vlad_core::{ExpressionId, Program};
use vlad_cps::liveness::{live_before, needs_slots_from};
use vlad_cps::{BlockId, Converted, Instruction, Role};
use vlad_runtime::operators;
use vlad_runtime::suspended::same_places;
use vlad_table::internal_bug;
use vlad_values::{Points, Slots, Value};

/// A state of a computation.
#[derive(Clone, Debug)]
pub struct State<'run> {
    pub(crate) code: &'run Code<'run>,
    pub(crate) continuation: ContinuationSnapshot,
    /// The number of its frames.
    pub(crate) calls: u64,
    pub(crate) at: Point,
    /// The values of the live registers.
    pub(crate) registers: Rc<[Value]>,
    pub(crate) slots: Option<Rc<Slots>>,
}

/// A point of a suspended computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The block that is resumed.
    pub block: BlockId,
    /// The next step of the block; none for a frame.
    pub instruction: Option<usize>,
    /// The node that is entered next, or whose value is awaited.
    pub node: ExpressionId,
    /// The call site shown for faults of library code.
    pub site: ExpressionId,
}

impl Point {
    /// The point before an instruction of a block, which is a step.
    pub fn of_step(converted: &Converted, block: BlockId, instruction: usize, site: ExpressionId) -> Point {
        let Some(Instruction::Step(node)) = converted.block(block).instructions.get(instruction) else {
            internal_bug!("a computation is interrupted at a step");
        };
        Point { block, instruction: Some(instruction), node: *node, site }
    }

    /// The point of the frame of a block.
    pub fn of_frame(converted: &Converted, block: BlockId, site: ExpressionId) -> Point {
        Point { block, instruction: None, node: awaited(converted, block), site }
    }

    /// The number of variables that are live there.
    pub fn alive(&self, converted: &Converted) -> usize {
        let block = converted.block(self.block);
        self.instruction.map_or(block.free.len(), |instruction| live_before(block, instruction).len())
    }

    /// Returns true if the captured slots are needed there.
    pub fn needs_slots(&self, converted: &Converted) -> bool {
        needs_slots(converted, *self)
    }
}

/// The points of a whole computation, outermost first; the last one is resumed first.
#[derive(Debug)]
pub struct PointStack {
    /// The points.
    pub points: Vec<Point>,
}

impl Points for PointStack {
    fn same(&self, other: &dyn Points, program: &Program) -> bool {
        let other = point_stack(other);
        let is_alike = |(a, b): (&Point, &Point)| a.instruction.is_some() == b.instruction.is_some();
        self.points.len() == other.len()
            && self.points.iter().zip(other).all(is_alike)
            && same_places(program, self.points.iter().zip(other).map(|(a, b)| (a.node, b.node)))
    }
}

/// The points of a computation of this engine.
pub fn point_stack(points: &dyn Points) -> &[Point] {
    match (points as &dyn Any).downcast_ref::<PointStack>() {
        Some(PointStack { points }) => points,
        None => internal_bug!("a run has the capsules of one engine"),
    }
}

impl operators::State for State<'_> {
    fn flatten(self) -> (Box<dyn Points>, Vec<Value>) {
        let converted = self.code.converted;
        let mut points = Vec::new();
        // The values of a frame are in the order of its free variables; those of all frames are read from the innermost
        // outwards.
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
        (Box::new(PointStack { points }), values)
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

/// Returns true if the captured slots are needed at a point.
pub fn needs_slots(converted: &Converted, point: Point) -> bool {
    let block = converted.block(point.block);
    match point.instruction {
        Some(instruction) => needs_slots_from(converted, block, instruction),
        None => block.needs_slots,
    }
}
