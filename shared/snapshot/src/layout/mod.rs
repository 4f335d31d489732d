//! The layout of suspended runs, a frame map: stop points of core with their values are translated to frames of
//! converted code, and back.
//!
//! Engines that run converted code have variables instead of locals, and one frame where core has a chain of constructs
//! that await each other ([`vlad_runtime::suspended`]). A [`FrameValues`] is such a frame, or the state of the
//! innermost activation. Its chain consists of the constructs around the node that is awaited, or entered, up to the
//! root of the activation. The values that wait in the chain are the operands on the stack of the conversion at that
//! point, the outermost first; the locals are those of the conversion ([`observe`]).
//!
//! Invariant: a row has the values of exactly the variables that are live at its stop point. Core keeps more values
//! than are live, since it determines the needs of a continuation from the code alone. No engine needs a value that
//! converted code has released: it is replaced by the empty list, or by a procedure whose slots are empty lists. A tree
//! of packed variables is complete all the same: a reference that is not live takes the empty list out of it.
//! Conversely, core has every live value: each live variable holds a local or an operand, or is a tree of them (checked
//! by [`check::check`]). Several variables may hold the same value.

pub mod capsules;
pub mod check;
mod lookup;

use crate::capsule_file::Refusal;
use crate::capsule_file::points::ProgramFacts;
use lookup::{ActivationValues, IMPOSSIBLE, Lookup};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vlad_core::{Expression, ExpressionId, Item, LambdaId, Program};
use vlad_cps::convert::observation::{CorePoint, PointLocations};
use vlad_cps::convert::observe;
use vlad_cps::liveness::{live_before, needs_slots_from};
use vlad_cps::{BlockId, Converted, Instruction, Role, Variable};
use vlad_runtime::suspended::{Awaited, Needs, Point, PointStack};
use vlad_table::internal_bug;
use vlad_values::constants::constant_values;
use vlad_values::{Slots, Value};

/// A stop point in converted code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopPoint {
    /// A frame: the block receives the awaited value.
    Frame(BlockId),
    /// Before an instruction of a block, which is a step.
    Step(BlockId, usize),
}

/// A frame of converted code, or the state of the innermost activation.
#[derive(Clone, Debug)]
pub struct FrameValues {
    /// The stop point.
    pub at: StopPoint,
    /// The call site, at which faults of library code are reported.
    pub site: ExpressionId,
    /// The values of the live variables, in ascending order of the variables.
    pub values: Vec<Value>,
    /// The slots of the running procedure, if they are needed and there are any.
    pub slots: Option<Rc<Slots>>,
}

/// The tables of a converted program for the translation.
#[derive(Debug)]
pub struct Layout<'program> {
    program: &'program Program,
    converted: &'program Converted,
    facts: ProgramFacts<'program>,
    /// The values of constants, by their numbers.
    constants: Vec<Value>,
    /// The block and the instruction at which each node is entered.
    steps: HashMap<ExpressionId, (BlockId, usize)>,
    /// The block that awaits the value of each node.
    waits: HashMap<ExpressionId, BlockId>,
    /// The `let` of each node that is the lambda of one.
    lets: HashMap<ExpressionId, ExpressionId>,
    places: RefCell<HashMap<CorePoint, Rc<PointLocations>>>,
}

impl<'program> Layout<'program> {
    /// Builds the tables of a converted program.
    pub fn of(program: &'program Program, converted: &'program Converted) -> Layout<'program> {
        let (mut steps, mut waits) = (HashMap::new(), HashMap::new());
        for (number, block) in converted.blocks.iter().enumerate() {
            let id = BlockId(number as u32);
            if let Role::Continuation { awaiting, .. } = block.role {
                waits.insert(awaiting.awaited, id);
            }
            for (place, instruction) in block.instructions.iter().enumerate() {
                if let Instruction::Step(node) = instruction {
                    steps.insert(*node, (id, place));
                }
            }
        }
        let lets = program.expressions.iter().enumerate().filter_map(|(number, expression)| match expression {
            Expression::Let { operator, .. } => Some((*operator, ExpressionId(number as u32))),
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Lambda(_)
            | Expression::Application { .. }
            | Expression::Cons { .. }
            | Expression::If { .. }
            | Expression::Letrec { .. } => None,
        });
        let lets = lets.collect();
        let facts = ProgramFacts::of(program);
        let constants = constant_values(&program.constants);
        Layout { program, converted, facts, constants, steps, waits, lets, places: RefCell::default() }
    }

    /// Translates a computation that is suspended at points of core to rows.
    ///
    /// # Errors
    /// Returns an error if no run can have these points or values.
    pub fn rows(&self, point_stack: &PointStack, values: Vec<Value>) -> Result<Vec<FrameValues>, Refusal> {
        let groups = self.groups(&point_stack.points);
        self.prepare(groups.iter().map(|(stop, _)| *stop));
        let mut values = values.into_iter();
        groups.into_iter().map(|(stop, points)| self.row(stop, points, &mut values)).collect()
    }

    /// Groups the points by activation, each group with its stop point.
    fn groups<'points>(&self, points: &'points [Point]) -> Vec<(CorePoint, &'points [Point])> {
        let begins = |point: &Point| self.facts.code.standpoint(point.node).awaiting.is_none();
        let mut groups = Vec::new();
        let mut rest = points;
        while let [_, others @ ..] = rest {
            let length = 1 + others.iter().take_while(|point| !begins(point)).count();
            let (group, after) = rest.split_at(length);
            rest = after;
            if let Some(last) = group.last()
                && let Some(part) = self.facts.part(*last)
            {
                let is_entry = matches!(last.awaited, Awaited::Entry | Awaited::EntryOfOperator);
                groups.push((if is_entry { CorePoint::OperatorEntry(part) } else { CorePoint::Awaited(part) }, group));
            }
        }
        groups
    }

    fn row(
        &self,
        stop: CorePoint,
        points: &[Point],
        values: &mut impl Iterator<Item = Value>,
    ) -> Result<FrameValues, Refusal> {
        let at = self.at(stop).ok_or(IMPOSSIBLE)?;
        let places = self.places(stop).ok_or(IMPOSSIBLE)?;
        let procedure = self.procedure(stop);
        let mut given = ActivationValues::new(&self.alive(at), self.slots_of(procedure));
        let mut operands = places.operands.iter();
        let mut site = None;
        for point in points {
            site = site.or((point.awaited != Awaited::Second).then_some(point.site));
            match &*self.facts.needs(*point) {
                Needs::Waiting => {
                    let value = values.next().ok_or(IMPOSSIBLE)?;
                    let found = operands.next().ok_or(IMPOSSIBLE)?;
                    if self.facts.is_waiting_used(*point) {
                        given.value(found, value)?;
                    }
                }
                Needs::Environment { procedure, locals } => {
                    if *procedure {
                        given.procedure(values.next().ok_or(IMPOSSIBLE)?);
                    }
                    for local in locals {
                        let value = values.next().ok_or(IMPOSSIBLE)?;
                        given.value(places.locals.get(*local as usize).ok_or(IMPOSSIBLE)?, value)?;
                    }
                }
            }
        }
        places.locals.iter().chain(&places.operands).for_each(|found| given.leaf(found));
        let slots = if self.needs_slots(at) { given.slots() } else { None };
        let site = site.unwrap_or(ExpressionId(0));
        Ok(FrameValues { at, site, values: given.values(), slots })
    }

    /// Translates rows to the points of core and their values, given the values of definitions.
    pub fn point_stack(&self, rows: Vec<FrameValues>, globals: &[Option<Value>]) -> (PointStack, Vec<Value>) {
        self.prepare(rows.iter().map(|row| self.stop(row.at)));
        let (mut points, mut values) = (Vec::new(), Vec::new());
        for row in rows {
            let stop = self.stop(row.at);
            let Some(places) = self.places(stop) else { internal_bug!("a run stands where conversion has come by") };
            let procedure = self.procedure(stop);
            let alive = self.alive(row.at);
            let lookup = Lookup {
                constants: &self.constants,
                globals,
                variables: alive.into_iter().zip(row.values).collect(),
                slots: row.slots,
                slot_count: self.slots_of(procedure),
            };
            let mut operands = places.operands.iter();
            for (awaited, node) in self.chain(stop) {
                let waits = matches!(awaited, Awaited::Operand | Awaited::Second);
                let depth = if waits { 0 } else { self.facts.code.standpoint(node).depth };
                let point = Point { awaited, node, site: row.site, depth };
                points.push(point);
                match &*self.facts.needs(point) {
                    Needs::Waiting => match operands.next() {
                        Some(found) if self.facts.is_waiting_used(point) => values.push(lookup.value(found)),
                        Some(_) => values.push(Value::Nil),
                        None => internal_bug!("what waits is on the stack of operands"),
                    },
                    Needs::Environment { procedure: is_needed, locals } => {
                        values.extend(procedure.filter(|_| *is_needed).map(|code| lookup.procedure(code)));
                        values.extend(locals.iter().map(|local| match places.locals.get(*local as usize) {
                            Some(found) => lookup.value(found),
                            None => internal_bug!("local {local} is bound"),
                        }));
                    }
                }
            }
        }
        (PointStack { points }, values)
    }

    /// The constructs that await each other at a stop point of an activation, outermost first, and the entered node.
    fn chain(&self, stop: CorePoint) -> Vec<(Awaited, ExpressionId)> {
        let (innermost, node) = match stop {
            CorePoint::OperatorEntry(node) => match self.lets.get(&node) {
                Some(around) => (Some((Awaited::EntryOfOperator, *around)), *around),
                None => (Some((Awaited::Entry, node)), node),
            },
            CorePoint::Awaited(node) => (None, node),
        };
        let mut chain: Vec<(Awaited, ExpressionId)> = innermost.into_iter().collect();
        let mut around = self.facts.code.standpoint(node).awaiting;
        while let Some((awaited, node)) = around {
            chain.push((awaited, node));
            around = self.facts.code.standpoint(node).awaiting;
        }
        chain.reverse();
        chain
    }

    /// The procedure whose body contains a stop point.
    fn procedure(&self, stop: CorePoint) -> Option<LambdaId> {
        let (CorePoint::OperatorEntry(node) | CorePoint::Awaited(node)) = stop;
        self.facts.code.standpoint(self.lets.get(&node).copied().unwrap_or(node)).procedure
    }

    /// The number of slots of a procedure.
    fn slots_of(&self, procedure: Option<LambdaId>) -> usize {
        procedure.map_or(0, |lambda| {
            let code = self.program.lambda(lambda);
            code.group.map_or(&code.captures, |(group, _)| &self.program.group(group).captures).len()
        })
    }

    fn at(&self, stop: CorePoint) -> Option<StopPoint> {
        match stop {
            CorePoint::OperatorEntry(node) => {
                self.steps.get(&node).map(|(block, place)| StopPoint::Step(*block, *place))
            }
            CorePoint::Awaited(node) => self.waits.get(&node).map(|block| StopPoint::Frame(*block)),
        }
    }

    fn stop(&self, at: StopPoint) -> CorePoint {
        match at {
            StopPoint::Frame(block) => match self.converted.block(block).role {
                Role::Continuation { awaiting, .. } => CorePoint::Awaited(awaiting.awaited),
                Role::Entry | Role::Branch => internal_bug!("block {} awaits a value", block.0),
            },
            StopPoint::Step(block, place) => match self.converted.block(block).instructions.get(place) {
                Some(Instruction::Step(node)) => CorePoint::OperatorEntry(*node),
                Some(_) | None => internal_bug!("a run stands before a step"),
            },
        }
    }

    fn alive(&self, at: StopPoint) -> Vec<Variable> {
        match at {
            StopPoint::Frame(block) => self.converted.block(block).free.clone(),
            StopPoint::Step(block, place) => live_before(self.converted.block(block), place),
        }
    }

    fn needs_slots(&self, at: StopPoint) -> bool {
        match at {
            StopPoint::Frame(block) => self.converted.block(block).needs_slots,
            StopPoint::Step(block, place) => needs_slots_from(self.converted, self.converted.block(block), place),
        }
    }

    fn places(&self, stop: CorePoint) -> Option<Rc<PointLocations>> {
        self.places.borrow().get(&stop).cloned()
    }

    /// Finds the locations of values at those stop points for which they are not known yet: all at once, since
    /// activations are converted again for it.
    fn prepare(&self, stops: impl Iterator<Item = CorePoint>) {
        let mut known = self.places.borrow_mut();
        let wanted: HashSet<CorePoint> = stops.filter(|stop| !known.contains_key(stop)).collect();
        if wanted.is_empty() {
            return;
        }
        let roots = wanted.iter().filter_map(|stop| {
            let (CorePoint::OperatorEntry(node) | CorePoint::Awaited(node)) = *stop;
            let standpoint = self.facts.code.standpoint(self.lets.get(&node).copied().unwrap_or(node));
            match (standpoint.procedure, standpoint.item.and_then(|item| self.program.items.get(item))) {
                (Some(lambda), _) => Some((Some(lambda), ExpressionId(0))),
                (None, Some(Item::Define(_, top) | Item::Expression(top))) => Some((None, *top)),
                (None, None) => None,
            }
        });
        let found = observe(self.program, &roots.collect(), wanted);
        known.extend(found.into_iter().map(|(stop, places)| (stop, Rc::new(places))));
    }
}
