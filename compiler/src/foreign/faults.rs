//! Diagnostics of the faults that the runtime notes: the texts are those of `vlad_shared`, made from the values involved.

use super::convert::{primitive, to_shared};
use super::interface::{
    AT_CALL, BINDER_LET, FrameWalk, NO_INDEX, RawFault, RawMachine, RawPendingFrame, RawValue, companion, fault,
    vlad_frames_begin, vlad_frames_next,
};
use std::{iter, ptr};
use vlad_shared::apply::{complaint, not_applicable, unbound};
use vlad_shared::core::{ExpressionId, GlobalId, LambdaId, Program};
use vlad_shared::diagnostic::Diagnostic;
use vlad_shared::differentiation::application::interrupted_too_late;
use vlad_shared::differentiation::arithmetic::{tape_is_full, too_many_levels};
use vlad_shared::differentiation::rebuild::{Companion, nonconforming};
use vlad_shared::differentiation::transformed::without_tag;
use vlad_shared::internal_bug;
use vlad_shared::mismatch::{Binder, mismatch};
use vlad_shared::operands::whole;
use vlad_shared::pending::{Awaiting, PendingFrame, diagnose};
use vlad_shared::run::{Limits, Trouble, Watch, no_memory};
use vlad_shared::steps::too_many_steps;
use vlad_shared::suspended::forged;
use vlad_shared::table::Primitive;
use vlad_shared::value::Value;
use vlad_shared::whereabouts::Whereabouts;

/// What is wrong, for every fault but those that the host has noted.
///
/// # Safety
/// The machine whose fault it is lives.
pub unsafe fn trouble(raw: &RawFault, program: &Program, limits: &Limits) -> Trouble {
    // Limits do not hold here: the fault came first, and is what is told.
    let value = |value: RawValue| {
        // SAFETY: the values of a fault stay alive as long as its machine.
        match unsafe { to_shared(value, &mut Watch::new(&Limits::default())) } {
            Ok(value) => value,
            Err(_) => internal_bug!("a watch over no limits finds nothing"),
        }
    };
    match raw.kind {
        fault::STEPS => {
            let limit = limits.steps.unwrap_or(u64::MAX);
            too_many_steps(limit)
        }
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
        fault::LEVELS => too_many_levels(),
        fault::TAPE => tape_is_full(),
        fault::MEMORY => no_memory(),
        fault::FORGED => forged(),
        fault::TOO_LATE => interrupted_too_late(raw.first.word, raw.second.word),
        other => internal_bug!("a machine that stops notes why, not {other}"),
    }
}

/// The diagnostic of trouble where a machine has stopped, in an item whose expression is `top`.
///
/// # Safety
/// The machine lives, and none of its items runs.
pub unsafe fn diagnostic(
    machine: *const RawMachine,
    raw: &RawFault,
    trouble: Trouble,
    program: &Program,
    top: ExpressionId,
) -> Diagnostic {
    let (node, site) = (ExpressionId(raw.node), ExpressionId(raw.site));
    // The frames within the activation that has failed do not exist here: one stands for them. A call has its frame.
    let within =
        (raw.position != AT_CALL).then(|| PendingFrame::of_call(Whereabouts::of(program).outermost(node), node));
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
