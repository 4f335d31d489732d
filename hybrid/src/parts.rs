//! Parts of runs: the conversion between suspended runs in terms of core, and the stop points and values of the
//! machine.
//!
//! [`vlad_snapshot::layout`] translates between the two, row by row: a row is a frame of the machine with its values.

use crate::machine::{Machine, Next, ProgramEnd};
use crate::state::{Point, PointStack, point_stack, procedure};
use std::any::Any;
use vlad_core::GlobalId;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_cps::{BlockId, Converted};
use vlad_runtime::operators::State;
use vlad_runtime::run::{Host, Limits, Outcome, Report};
use vlad_runtime::steps::Steps;
use vlad_runtime::suspended::{self, PartEnd, PartRequest, Suspended};
use vlad_snapshot::capsule_file::Refusal;
use vlad_snapshot::layout::capsules::translate;
use vlad_snapshot::layout::{FrameValues, Layout, StopPoint};
use vlad_table::internal_bug;
use vlad_values::{Points, Value};

/// Runs a part of the program, on a machine that has not begun.
pub fn run_part(mut machine: Machine<'_>, limits: &Limits, part: PartRequest) -> PartEnd {
    let (mut item, mut begun) = (0, None);
    let done = machine.effects.done();
    if done.steps > 0 {
        machine.steps = Steps::going_on(limits.steps, limits.depth, done.steps);
    }
    if let Some(from) = part.from {
        let steps = from.steps.saturating_add(done.steps);
        machine.steps = Steps::going_on(limits.steps, limits.depth, steps);
        item = from.item;
        match machine.take_up(from) {
            Ok(next) => begun = Some(next),
            Err(refusal) => {
                let diagnostic = Diagnostic::new(Kind::File, None, format!("the capsule {refusal}"));
                return PartEnd::Ended(Report { outcome: Outcome::Failed(Box::new(diagnostic)), steps });
            }
        }
    }
    if let Some(until) = part.until {
        machine.steps.suspend_after(until);
    }
    match machine.run_program(item, part.before, begun) {
        ProgramEnd::Ended(report) => PartEnd::Ended(report),
        ProgramEnd::Suspended { item, block, instruction, machine } => {
            PartEnd::Suspended(Box::new(machine.suspended(item, block, instruction)))
        }
    }
}

impl Machine<'_> {
    /// The whole run, which is before a step and inside no operator.
    fn suspended(mut self: Box<Self>, item: usize, block: BlockId, instruction: usize) -> Suspended {
        let state = self.take_state(block, instruction);
        let (points, values) = state.flatten();
        let converted = self.code.converted;
        let layout = Layout::of(self.program, converted);
        let of_engine: Vec<Option<Value>> = (0_u32..)
            .zip(&self.defined)
            .map(|(global, is_defined)| is_defined.then(|| self.store.get(self.code.layout.globals + global).clone()))
            .collect();
        // Definitions and the values of frames may share parts, so they are translated together.
        let defined = of_engine.iter().flatten().cloned();
        let all: Vec<Value> = defined.chain(values).collect();
        let translated = translate(self.program, all, &mut |points, values| {
            let (point_stack, values) = layout.point_stack(rows(converted, points, values), &of_engine);
            Ok((Box::new(point_stack), values))
        });
        let Ok(translated) = translated else { internal_bug!("the machine stands where runs can stand") };
        let mut translated = translated.into_iter();
        let globals: Vec<Option<Value>> =
            of_engine.iter().map(|global| global.as_ref().and_then(|_| translated.next())).collect();
        let (point_stack, values) = layout.point_stack(rows(converted, &*points, translated.collect()), &globals);
        Suspended { item, globals, point_stack, values, steps: self.steps.total() }
    }

    /// Loads a suspended run.
    fn take_up(&mut self, from: Suspended) -> Result<Next, Refusal> {
        let converted = self.code.converted;
        let layout = Layout::of(self.program, converted);
        let Suspended { globals, point_stack, values, .. } = from;
        let is_defined: Vec<bool> = globals.iter().map(Option::is_some).collect();
        let all: Vec<Value> = globals.into_iter().flatten().chain(values).collect();
        let mut translated = translate(self.program, all, &mut |points, values| {
            let Some(point_stack) = (points as &dyn Any).downcast_ref::<suspended::PointStack>() else {
                internal_bug!("the capsules of a suspended run stand at points of core");
            };
            let (points, values) = of_rows(converted, layout.rows(point_stack, values)?);
            Ok((Box::new(points), values))
        })?
        .into_iter();
        for (global, is_defined) in (0..).map(GlobalId).zip(is_defined) {
            if is_defined && let Some(value) = translated.next() {
                self.define(global, value);
            }
        }
        let (points, values) = of_rows(converted, layout.rows(&point_stack, translated.collect())?);
        Ok(self.put_back(&points, values))
    }
}

/// Converts the machine's points and values to rows.
fn rows(converted: &Converted, points: &dyn Points, values: Vec<Value>) -> Vec<FrameValues> {
    let mut values = values.into_iter();
    let row = |point: &Point| {
        let at = match point.instruction {
            Some(instruction) => StopPoint::Step(point.block, instruction),
            None => StopPoint::Frame(point.block),
        };
        let own: Vec<Value> = values.by_ref().take(point.alive(converted)).collect();
        let slots = match point.needs_slots(converted).then(|| values.next()) {
            Some(Some(Value::Procedure { slots, .. })) => slots,
            Some(_) => internal_bug!("a point that needs slots has a procedure"),
            None => None,
        };
        FrameValues { at, site: point.site, values: own, slots }
    };
    point_stack(points).iter().map(row).collect()
}

/// Converts rows to the machine's points and values.
fn of_rows(converted: &Converted, rows: Vec<FrameValues>) -> (PointStack, Vec<Value>) {
    let (mut points, mut values) = (Vec::new(), Vec::new());
    for row in rows {
        let point = match row.at {
            StopPoint::Frame(block) => Point::of_frame(converted, block, row.site),
            StopPoint::Step(block, instruction) => Point::of_step(converted, block, instruction, row.site),
        };
        values.extend(row.values);
        if point.needs_slots(converted) {
            values.push(procedure(converted, point.block, &row.slots));
        }
        points.push(point);
    }
    (PointStack { points }, values)
}
