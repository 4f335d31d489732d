//! Rows: the flattened stack of a computation, with the values of each frame before its mark (`computation.h`). Frames
//! without their values are the stop points of capsules that are copied out of the runtime.

use super::interface::{FRAME_POINT, MARK, RawFrame, RawMachine, RawValue, kind, vlad_frame_of, vlad_point_of};
use std::any::Any;
use vlad_core::{ExpressionId, Program};
use vlad_cps::{BlockId, Converted, Instruction};
use vlad_snapshot::layout::StopPoint;
use vlad_table::internal_bug;
use vlad_values::Points;

/// A frame without its values.
///
/// Invariant: the descriptor is constant data of a compiled program, which lives as long as the machine that runs it;
/// frames do not outlive a run.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    descriptor: *const RawFrame,
    site: ExpressionId,
}

/// The frames of a computation, outermost first.
#[derive(Debug)]
pub struct Frames {
    /// The frames.
    pub frames: Vec<Frame>,
}

impl Points for Frames {
    fn same(&self, _: &dyn Points, _: &Program) -> bool {
        internal_bug!("the runtime compares its capsules by itself")
    }
}

/// The frames of a computation of this engine.
pub fn frames_of(points: &dyn Points) -> &[Frame] {
    match (points as &dyn Any).downcast_ref::<Frames>() {
        Some(Frames { frames }) => frames,
        None => internal_bug!("capsules that are copied have their frames"),
    }
}

impl Frame {
    /// Finds the frame of a place, which keeps so many values; none if the program has no such frame.
    ///
    /// # Safety
    /// The machine lives, and its program is the one that was converted; it is stoppable.
    pub unsafe fn find(
        machine: *mut RawMachine,
        converted: &Converted,
        at: StopPoint,
        values: usize,
        site: ExpressionId,
    ) -> Option<Frame> {
        let descriptor = match at {
            // SAFETY: the machine lives.
            StopPoint::Frame(block) => unsafe { vlad_frame_of(machine, block.0) },
            StopPoint::Step(block, place) => match converted.block(block).instructions.get(place) {
                // SAFETY: as above.
                Some(Instruction::Step(node)) => unsafe { vlad_point_of(machine, node.0) },
                Some(_) | None => internal_bug!("a run stands before a step"),
            },
        };
        let frame = Frame { descriptor, site };
        (!descriptor.is_null() && frame.at() == at && frame.values() == values).then_some(frame)
    }

    fn described(&self) -> &RawFrame {
        // SAFETY: the invariant.
        unsafe { &*self.descriptor }
    }

    /// The place of the frame: a continuation, or the step before which it stopped.
    pub fn at(&self) -> StopPoint {
        let described = self.described();
        let block = BlockId(described.block);
        if described.kind == FRAME_POINT {
            StopPoint::Step(block, described.instruction as usize)
        } else {
            StopPoint::Frame(block)
        }
    }

    /// The call site, at which faults of library code are shown.
    pub fn site(&self) -> ExpressionId {
        self.site
    }

    /// The number of its values that are values of the language: the call site is not counted.
    pub fn values(&self) -> usize {
        let described = self.described();
        described.values as usize - usize::from(described.has_site != 0)
    }
}

/// Splits a row into frames and values.
///
/// # Safety
/// The marks in the row are of frames of a program that is loaded.
pub unsafe fn split(row: &[RawValue]) -> (Vec<Frame>, Vec<RawValue>) {
    let (mut frames, mut values) = (Vec::new(), Vec::new());
    for value in row {
        if value.tag != MARK {
            values.push(*value);
            continue;
        }
        let descriptor = value.word as usize as *const RawFrame;
        // SAFETY: the word of a mark leads to the descriptor of the frame.
        let described = unsafe { &*descriptor };
        // The call site is the last value of a frame. A frame without one gets a node that is never used.
        let site = if described.has_site != 0 { values.pop() } else { None };
        let site = ExpressionId(site.map_or(described.awaited, |site| site.word as u32));
        frames.push(Frame { descriptor, site });
    }
    (frames, values)
}

/// Joins frames and their values to a row: the inverse of [`split`].
pub fn join(frames: &[Frame], values: Vec<RawValue>) -> Vec<RawValue> {
    let mut row = Vec::with_capacity(values.len() + 2 * frames.len());
    let mut values = values.into_iter();
    for frame in frames {
        row.extend(values.by_ref().take(frame.values()));
        if frame.described().has_site != 0 {
            row.push(RawValue { tag: kind::RAW.into(), word: frame.site.0.into() });
        }
        row.push(RawValue { tag: MARK, word: frame.descriptor as usize as u64 });
    }
    row
}
