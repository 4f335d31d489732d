//! Diagnostics of the faults that the runtime records: the texts are those of the shared crates, made from the values
//! involved.

use super::convert::{primitive, to_shared};
use super::interface::{
    AT_CALL, BINDER_LET, FrameWalk, NO_INDEX, RawFault, RawMachine, RawPendingFrame, RawValue, companion, fault,
    vlad_frames_begin, vlad_frames_next,
};
use std::{iter, ptr};
use vlad_ad::arithmetic::{tape_is_full, too_many_levels};
use vlad_ad::rebuild::{Companion, nonconforming};
use vlad_ad::traps::{Purpose, trapped, trapped_constant};
use vlad_core::diagnostic::Diagnostic;
use vlad_core::node_ranges::NodeRanges;
use vlad_core::{Awaiting, Binder, ExpressionId, GlobalId, LambdaId, Program};
use vlad_runtime::diagnosis::frames::PendingFrame;
use vlad_runtime::diagnosis::mismatch::mismatch;
use vlad_runtime::diagnosis::pending::diagnose;
use vlad_runtime::operators::application::interrupted_too_late;
use vlad_runtime::operators::transformed::without_tag;
use vlad_runtime::primitives::apply::{complaint, not_applicable, unbound};
use vlad_runtime::primitives::operands::whole;
use vlad_runtime::run::Limits;
use vlad_runtime::steps::{MOST_DEPTH, too_deep, too_many_steps};
use vlad_runtime::suspended::forged;
use vlad_table::operations::OPERATIONS;
use vlad_table::{Primitive, internal_bug};
use vlad_values::Value;
use vlad_values::fault::{RuntimeError, no_memory};
use vlad_values::watch::LimitCheck;

/// The error of a fault of any kind except those that the host has recorded.
///
/// # Safety
/// The machine whose fault it is lives.
pub unsafe fn trouble(raw: &RawFault, program: &Program, limits: &Limits) -> RuntimeError {
    // Limits do not apply here: the fault came first, and is the one to report.
    let value = |value: RawValue| {
        // SAFETY: the values of a fault stay alive as long as its machine.
        match unsafe { to_shared(value, &mut LimitCheck::default()) } {
            Ok(value) => value,
            Err(_) => internal_bug!("a watch over no limits finds nothing"),
        }
    };
    match raw.kind {
        fault::STEPS => {
            let limit = limits.steps.unwrap_or(u64::MAX);
            too_many_steps(limit)
        }
        fault::DEPTH => too_deep(limits.depth.unwrap_or(MOST_DEPTH)),
        fault::UNBOUND => unbound(program, GlobalId(raw.detail)),
        fault::PRIMITIVE => complaint(primitive(raw.detail.into()), &value(raw.first), program),
        fault::MISMATCH => {
            let binder = if raw.binder == BINDER_LET { Binder::Let } else { Binder::Procedure };
            mismatch(program, LambdaId(raw.detail), &value(raw.first), binder)
        }
        fault::NOT_APPLICABLE => not_applicable(program, &value(raw.first)),
        fault::CONFORMANCE => {
            let role = match raw.detail {
                companion::TANGENT => Companion::Tangent(Primitive::Forward),
                companion::SUMMAND => Companion::Summand,
                companion::TANGENT_OF_BUNDLE => Companion::Tangent(Primitive::Bundle),
                companion::SENSITIVITY => Companion::Sensitivity,
                role => Companion::Cotangent(primitive(u64::from(role) - u64::from(companion::COTANGENT))),
            };
            let index = (raw.index != NO_INDEX).then(|| usize::try_from(raw.index).unwrap_or(usize::MAX));
            nonconforming(role, &value(raw.first), &value(raw.second), index, program)
        }
        fault::WITHOUT_TAG => {
            let operator = value(raw.first);
            let Value::Tagged(tagged) = &operator else { internal_bug!("an operator that minds tags has one") };
            without_tag(&operator, tagged.tag(), &value(raw.second), program)
        }
        fault::NONFINITE => not_finite(raw),
        fault::LEVELS => too_many_levels(),
        fault::TAPE => tape_is_full(),
        fault::MEMORY => no_memory(),
        fault::FORGED => forged(),
        fault::TOO_LATE => interrupted_too_late(raw.first.word, raw.second.word),
        other => internal_bug!("a machine that stops notes why, not {other}"),
    }
}

/// The error of an operation, or of a constant coefficient, that has made a NaN or an infinity.
fn not_finite(raw: &RawFault) -> RuntimeError {
    let result = f64::from_bits(raw.index);
    let purpose = if raw.binder == 0 { Purpose::Values } else { Purpose::Derivatives };
    let fault = match OPERATIONS.get(raw.detail as usize) {
        Some(row) => {
            trapped(row.operation, [raw.first, raw.second].map(|real| f64::from_bits(real.word)), result, purpose)
        }
        None => trapped_constant(result),
    };
    match fault {
        Some(fault) => fault,
        None => internal_bug!("an operation that traps here traps in the runtime"),
    }
}

/// The diagnostic of an error at which a machine has stopped, in an item whose expression is `top`.
///
/// # Safety
/// The machine lives, and none of its items runs.
pub unsafe fn diagnostic(
    machine: *const RawMachine,
    raw: &RawFault,
    trouble: RuntimeError,
    program: &Program,
    top: ExpressionId,
) -> Diagnostic {
    let (node, site) = (ExpressionId(raw.node), ExpressionId(raw.site));
    // The stack has no frames for the evaluation within the failed activation: one pending frame represents them. A
    // fault of a call has the frame of the call.
    let within =
        (raw.position != AT_CALL).then(|| PendingFrame::of_call(NodeRanges::of(program).outermost(node), node));
    let mut walk = FrameWalk { machine, top: ptr::null(), segment: ptr::null(), computations: 0 };
    // SAFETY: the machine is idle.
    unsafe { vlad_frames_begin(machine, &mut walk) };
    let frames = iter::from_fn(|| {
        let mut frame = RawPendingFrame { node: 0, awaited: 0, site: 0, has_site: 0, iteration: -1.0 };
        // SAFETY: the walk was begun on this machine, whose stack has not changed since.
        let goes_on = unsafe { vlad_frames_next(&mut walk, &mut frame) } != 0;
        goes_on.then(|| PendingFrame {
            awaiting: Awaiting { node: ExpressionId(frame.node), awaited: ExpressionId(frame.awaited) },
            site: (frame.has_site != 0).then_some(ExpressionId(frame.site)),
            iteration: whole(&Value::Real(frame.iteration)),
        })
    });
    diagnose(program, trouble, node, site, within.into_iter().chain(frames), top)
}
