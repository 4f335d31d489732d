//! Suspension and resumption of runs: translates between suspended runs in terms of core and flattened stacks of the
//! machine.
//!
//! [`vlad_snapshot::layout`] does so row by row; a row of a layout is here a frame and its values. The program is
//! converted again, since only the converted program tells apart the values of variables and the running procedure in a
//! frame.

use super::convert::all_to_shared;
use super::interface::{RawValue, kind, vlad_give_up, vlad_global, vlad_row_length, vlad_take_row};
use super::machine::{Machine, ResumedStack};
use super::make::from_shared;
use super::rows::{Frame, Frames, frames_of, join, split};
use crate::reached::reached;
use std::any::Any;
use vlad_core::{ExpressionId, GlobalId, LambdaId};
use vlad_cps::liveness::live_before;
use vlad_cps::{self, Converted};
use vlad_runtime::suspended::{PointStack, Suspended};
use vlad_snapshot::capsule_file::Refusal;
use vlad_snapshot::layout::capsules::translate;
use vlad_snapshot::layout::{FrameValues, Layout, StopPoint};
use vlad_table::internal_bug;
use vlad_values::fault::{RuntimeError, no_memory};
use vlad_values::watch::LimitCheck;
use vlad_values::{Points, Value};

/// The reason why a run cannot be resumed.
pub enum ResumeError {
    /// A fault of the machine.
    RuntimeError(RuntimeError),
    /// The program has no run that can be suspended in this state.
    Refused(Refusal),
}

impl From<RuntimeError> for ResumeError {
    fn from(trouble: RuntimeError) -> ResumeError {
        ResumeError::RuntimeError(trouble)
    }
}

impl From<Refusal> for ResumeError {
    fn from(refusal: Refusal) -> ResumeError {
        ResumeError::Refused(refusal)
    }
}

impl Machine<'_> {
    /// Returns the whole suspended run; it is before a step of an item, inside no operator. The machine keeps nothing
    /// of it except the definitions.
    pub fn suspended(&mut self, item: usize) -> Suspended {
        let row = self.take_row();
        self.suspended_at(item, row)
    }

    /// Returns the run, which is before an item that begins with `top`. The machine keeps the definitions alone.
    pub fn suspended_before(&mut self, item: usize, top: ExpressionId) -> Suspended {
        let Suspended { globals, steps, .. } = self.suspended_at(item, Vec::new());
        Suspended::before_item(item, top, globals, steps)
    }

    /// Returns the run whose item has a flattened stack, which is owned.
    fn suspended_at(&mut self, item: usize, row: Vec<RawValue>) -> Suspended {
        let compiled = reached(self.program, &[]);
        let converted = vlad_cps::pipeline(&compiled);
        let layout = Layout::of(&compiled, &converted);
        // SAFETY: the row is the machine's, whose program is loaded.
        let (frames, values) = unsafe { split(&row) };
        let globals: Vec<Option<RawValue>> =
            (0..self.program.globals.len() as u32).map(|global| self.global(global)).collect();
        // Definitions and the values of frames may share parts.
        let all: Vec<RawValue> = globals.iter().flatten().copied().chain(values).collect();
        // SAFETY: definitions are alive, and the values of the row are owned here.
        let all = unsafe { all_to_shared(&all, &mut LimitCheck::default()) };
        let Ok(all) = all else { internal_bug!("a watch over no limits finds nothing") };
        for value in row {
            // SAFETY: the machine is idle; the value is owned, and not used any more.
            unsafe { vlad_give_up(self.raw.as_ptr(), value) };
        }
        let of_engine = sorted_out(&globals, &mut all.iter().cloned());
        let translated = translate(self.program, all, &mut |points, values| {
            let (point_stack, values) = layout.point_stack(rows(&converted, frames_of(points), values), &of_engine);
            Ok((Box::new(point_stack), values))
        });
        let Ok(translated) = translated else { internal_bug!("the machine stands where runs can stand") };
        let mut translated = translated.into_iter();
        let globals = sorted_out(&globals, &mut translated);
        let (point_stack, values) = layout.point_stack(rows(&converted, &frames, translated.collect()), &globals);
        Suspended { item, globals, point_stack, values, steps: self.steps_taken() }
    }

    /// Takes the flattened stack of the suspended item; the caller owns its values.
    fn take_row(&mut self) -> Vec<RawValue> {
        // SAFETY: the machine is idle, and its item is suspended; the row has the length that it reports.
        unsafe {
            let length = vlad_row_length(self.raw.as_ptr());
            let mut row = vec![RawValue::NIL; length as usize];
            vlad_take_row(self.raw.as_ptr(), row.as_mut_ptr());
            row
        }
    }

    /// The value of a definition, borrowed; none if the definition has not run.
    fn global(&self, global: u32) -> Option<RawValue> {
        // SAFETY: the machine has as many globals as the program.
        let value = unsafe { vlad_global(self.raw.as_ptr(), global) };
        (value.kind() != kind::RAW).then_some(value)
    }

    /// Restores a suspended run: sets the definitions that have run, and returns the stack to resume; none if it is before
    /// an item.
    ///
    /// # Errors
    /// A [`ResumeError`], if memory is exhausted or the program has no such run.
    pub fn take_up(&mut self, from: Suspended) -> Result<Option<ResumedStack>, ResumeError> {
        let compiled = reached(self.program, &[]);
        let converted = vlad_cps::pipeline(&compiled);
        let layout = Layout::of(&compiled, &converted);
        let is_before_item = from.is_before_item(self.program);
        let Suspended { globals, point_stack, values, .. } = from;
        let is_defined: Vec<bool> = globals.iter().map(Option::is_some).collect();
        let all: Vec<Value> = globals.into_iter().flatten().chain(values).collect();
        let mut all = translate(self.program, all, &mut |points, values| {
            let Some(point_stack) = (points as &dyn Any).downcast_ref::<PointStack>() else {
                internal_bug!("the capsules of a suspended run stand at points of core");
            };
            let (frames, values) = self.of_rows(&converted, layout.rows(point_stack, values)?)?;
            Ok((Box::new(Frames { frames }) as Box<dyn Points>, values))
        })?;
        let defined = is_defined.iter().filter(|is_defined| **is_defined).count();
        let of_points = all.split_off(defined.min(all.len()));
        let rows = if is_before_item { Vec::new() } else { layout.rows(&point_stack, of_points)? };
        let (frames, of_frames) = self.of_rows(&converted, rows)?;
        all.extend(of_frames);
        // SAFETY: the machine is idle.
        let made = unsafe { from_shared(self.raw.as_ptr(), &all) }.ok_or_else(no_memory)?;
        let mut made = made.into_iter();
        for (global, is_defined) in (0..).map(GlobalId).zip(is_defined) {
            if is_defined && let Some(value) = made.next() {
                self.set_global(global, value);
            }
        }
        Ok((!is_before_item).then(|| ResumedStack { row: join(&frames, made.collect()) }))
    }

    /// Translates rows of the layout to frames of the machine, with all their values.
    fn of_rows(&self, converted: &Converted, rows: Vec<FrameValues>) -> Result<(Vec<Frame>, Vec<Value>), Refusal> {
        let (mut frames, mut all) = (Vec::new(), Vec::new());
        for FrameValues { at, site, mut values, slots } in rows {
            if slots.is_some() {
                values.push(Value::Procedure { code: procedure(converted, at), slots });
            }
            // SAFETY: the machine's program is this one, and stoppable since it runs in parts.
            let frame = unsafe { Frame::find(self.raw.as_ptr(), converted, at, values.len(), site) };
            frames.push(frame.ok_or(Refusal::Damaged("no run is suspended with such values"))?);
            all.extend(values);
        }
        Ok((frames, all))
    }
}

/// Distributes values among the definitions that have run.
fn sorted_out(globals: &[Option<RawValue>], values: &mut dyn Iterator<Item = Value>) -> Vec<Option<Value>> {
    globals.iter().map(|global| global.and_then(|_| values.next())).collect()
}

/// Translates frames of the machine, with all their values, to rows of the layout.
fn rows(converted: &Converted, frames: &[Frame], values: Vec<Value>) -> Vec<FrameValues> {
    let mut values = values.into_iter();
    let row = |frame: &Frame| {
        let at = frame.at();
        let mut own: Vec<Value> = values.by_ref().take(frame.values()).collect();
        let is_procedure_kept = own.len() > alive(converted, at);
        let slots = match is_procedure_kept.then(|| own.pop()).flatten() {
            Some(Value::Procedure { slots, .. }) => slots,
            Some(_) => internal_bug!("what a frame has beside its variables is a procedure"),
            None => None,
        };
        FrameValues { at, site: frame.site(), values: own, slots }
    };
    frames.iter().map(row).collect()
}

/// The number of variables that are alive at a place.
fn alive(converted: &Converted, at: StopPoint) -> usize {
    match at {
        StopPoint::Frame(block) => converted.block(block).free.len(),
        StopPoint::Step(block, place) => live_before(converted.block(block), place).len(),
    }
}

/// The procedure whose body contains a place.
fn procedure(converted: &Converted, at: StopPoint) -> LambdaId {
    let (StopPoint::Frame(block) | StopPoint::Step(block, _)) = at;
    match converted.activation(converted.block(block).activation).lambda {
        Some(code) => code,
        None => internal_bug!("an expression at top level needs no slots"),
    }
}
