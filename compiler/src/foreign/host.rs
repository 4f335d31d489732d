//! Callbacks of the runtime while a program runs: the clock and cancellation check, input and output, journals of
//! effects and checkpointing schedules.
//!
//! Invariant: a call that fails records its fault, and the runtime ends the run; so at most one fault is recorded. No
//! panic unwinds into C: every call goes through [`guarded`], which catches and keeps it, and [`super::machine`]
//! resumes it after the runtime has ended the run.

use super::convert;
use super::interface::{HostCalls, NOT_GIVEN, RawAction, RawCheckpointOptions, RawValue, action, answer, layout};
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use vlad_ad::checkpointing::{Action, Extent, Schedule, Strategy};
use vlad_core::{ExpressionId, Program};
use vlad_runtime::effects::Effects;
use vlad_runtime::event::Event;
use vlad_runtime::primitives::apply::{check_row, check_text, input_fault, output_fault};
use vlad_runtime::primitives::context::Fault;
use vlad_runtime::run::{Host, Limits, Origin};
use vlad_table::{CheckpointForm, Control, Form, Primitive, internal_bug};
use vlad_values::fault::RuntimeError;
use vlad_values::print::Layout;
use vlad_values::watch::LimitCheck;

/// The context of a run, behind the pointer that is passed to the runtime.
pub struct RunContext<'run> {
    /// The program.
    pub program: &'run Program,
    /// Input and output, with their journals.
    pub effects: Effects<'run>,
    /// The clock and cancellation check, and the limits of time and memory.
    pub watch: LimitCheck,
    /// The fault of the call that has failed.
    pub fault: Option<Fault>,
    /// The panic that ended a call.
    pub panic: Option<Box<dyn Any + Send>>,
    /// The strategy by which `checkpoint-*j` splits its execution, unless its operands give another.
    strategy: Strategy,
    /// The reals that were read according to the last journal that has ended.
    reads: Vec<f64>,
    /// The schedules of the applications of `checkpoint-*j` under way, outermost first.
    schedules: Vec<Schedule>,
}

/// The functions that the runtime calls, with a pointer to [`RunContext`] that nobody else uses during the call.
pub const CALLS: HostCalls = HostCalls {
    look,
    room,
    read_real,
    is_input_over,
    write,
    journal_begin,
    journal_replay,
    journal_end,
    journal_read,
    journal_mark,
    journal_rewind,
    journal_settle,
    schedule_begin,
    schedule_next,
    operator_begun,
    operator_ended,
};

impl<'run> RunContext<'run> {
    /// Creates the context of a run whose time begins now.
    pub fn new(program: &'run Program, host: &'run mut dyn Host, limits: &Limits) -> RunContext<'run> {
        RunContext {
            program,
            effects: Effects::new(host),
            watch: limits.watch(),
            fault: None,
            panic: None,
            strategy: limits.strategy,
            reads: Vec::new(),
            schedules: Vec::new(),
        }
    }

    /// Records the fault of a call that has failed, and returns the answer to the runtime.
    fn answer(&mut self, done: Result<(), Fault>) -> i32 {
        match done {
            Ok(()) => answer::DONE,
            Err(fault) => {
                self.fault = Some(fault);
                answer::FAILED
            }
        }
    }

    fn write(&mut self, layout: u32, value: RawValue) -> Result<(), Fault> {
        let layout = match layout {
            layout::DATUM => Layout::Datum,
            layout::ROW => Layout::Row,
            layout::TEXT => Layout::Text,
            _ => internal_bug!("the runtime knows the layouts"),
        };
        // SAFETY: the runtime lends a value that is alive.
        let value = unsafe { convert::to_shared(value, &mut self.watch) }.map_err(Fault::RuntimeError)?;
        match layout {
            Layout::Datum => {}
            Layout::Row => check_row(&value, self.program)?,
            Layout::Text => drop(check_text(Primitive::WriteText, &value, self.program)?),
        }
        self.effects.write(self.program, &value, Origin::Written(layout)).map_err(|error| output_fault(&error))
    }

    fn begin_schedule(
        &mut self,
        primitive: u32,
        options: &RawCheckpointOptions,
        extent: &Extent,
    ) -> Result<(), RuntimeError> {
        self.effects.observe(Event::Measured { steps: extent.steps });
        let strategy = operand_strategy(primitive, options).unwrap_or(self.strategy);
        self.schedules.push(Schedule::new(strategy, extent)?);
        Ok(())
    }

    fn next_action(&mut self, snapshots: u64, node: u64, executed: Option<u64>) -> Option<RawAction> {
        if let Some(steps) = executed {
            self.effects.observe(Event::Executed { steps });
        }
        let Some(schedule) = self.schedules.last_mut() else {
            internal_bug!("an operator that executes again has a schedule");
        };
        let Some(next) = schedule.next(node) else {
            self.schedules.pop();
            return None;
        };
        self.effects.observe(Event::Action { action: next, snapshots: snapshots as usize });
        Some(match next {
            Action::Advance { from, steps } => RawAction { kind: action::ADVANCE, from, steps },
            Action::Reverse { from, steps } => RawAction { kind: action::REVERSE, from, steps },
        })
    }
}

/// The strategy given by the operands of a form of `checkpoint-*j`; none if they give none.
fn operand_strategy(primitive: u32, options: &RawCheckpointOptions) -> Option<Strategy> {
    let [first, second, third] = options.numbers.map(|number| (number != NOT_GIVEN).then_some(number));
    match convert::primitive(primitive.into()).row().form {
        Form::Control(Control::Checkpoint(CheckpointForm::OfRun)) => None,
        Form::Control(Control::Checkpoint(CheckpointForm::Bisection)) => {
            Some(Strategy::Bisection { depth: first, base_case: second })
        }
        Form::Control(Control::Checkpoint(CheckpointForm::Binomial)) => {
            Some(Strategy::Binomial { snapshots: first, passes: second, base_case: third })
        }
        other => internal_bug!("a primitive of the form {other:?} has no schedule"),
    }
}

/// Executes a callback with the context behind its pointer. Catches a panic and keeps it.
///
/// # Safety
/// The pointer is the one that the machine was given, to a context that lives as long as it; nobody else uses the
/// context during the call.
unsafe fn guarded(host: *mut c_void, work: impl FnOnce(&mut RunContext<'_>) -> i32) -> i32 {
    // SAFETY: as the caller says.
    let context = unsafe { &mut *host.cast::<RunContext<'_>>() };
    // State that a panic leaves inconsistent is not used any more: the runtime ends the run.
    catch_unwind(AssertUnwindSafe(|| work(context))).unwrap_or_else(|panic| {
        context.panic = Some(panic);
        answer::PANICKED
    })
}

/// Like [`guarded`], for a callback that cannot fail.
///
/// # Safety
/// As for [`guarded`].
unsafe fn guarded_infallible(host: *mut c_void, work: impl FnOnce(&mut RunContext<'_>)) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        work(context);
        answer::DONE
    };
    // SAFETY: as the caller says.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn look(host: *mut c_void) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        let looked = context.watch.look().map_err(Fault::RuntimeError);
        context.answer(looked)
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn room(host: *mut c_void, bytes: u64) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        let checked = context.watch.room(bytes).map_err(Fault::RuntimeError);
        context.answer(checked)
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn read_real(host: *mut c_void, out: *mut f64) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        let read =
            context.effects.read_real().map_err(|fault| Fault::RuntimeError(input_fault(&fault, context.program)));
        // SAFETY: the runtime passes the address of a double.
        context.answer(read.map(|real| unsafe { *out = real }))
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn is_input_over(host: *mut c_void, out: *mut i32) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        let test =
            context.effects.is_input_over().map_err(|fault| Fault::RuntimeError(input_fault(&fault, context.program)));
        // SAFETY: the runtime passes the address of an integer.
        context.answer(test.map(|is_over| unsafe { *out = i32::from(is_over) }))
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn write(host: *mut c_void, layout: u32, value: RawValue) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        let written = context.write(layout, value);
        context.answer(written)
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn journal_begin(host: *mut c_void) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, |context| context.effects.begin()) }
}

unsafe extern "C" fn journal_replay(host: *mut c_void, reads: *const f64, count: u64) -> i32 {
    // SAFETY: the runtime lends so many doubles, whose place matters if there are any.
    let reads = if count == 0 { &[] } else { unsafe { slice::from_raw_parts(reads, count as usize) } };
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, |context| context.effects.replay(reads)) }
}

unsafe extern "C" fn journal_end(host: *mut c_void, count: *mut u64) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        context.reads = context.effects.end();
        // SAFETY: the runtime passes the address of a count.
        unsafe { *count = context.reads.len() as u64 };
    };
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, work) }
}

unsafe extern "C" fn journal_read(host: *mut c_void, reads: *mut f64) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        // SAFETY: the runtime passes memory for as many doubles as `journal_end` has reported.
        unsafe { reads.copy_from_nonoverlapping(context.reads.as_ptr(), context.reads.len()) };
    };
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, work) }
}

unsafe extern "C" fn journal_mark(host: *mut c_void, mark: *mut u64) -> i32 {
    // SAFETY: the runtime calls, and passes the address of a mark.
    unsafe { guarded_infallible(host, |context| *mark = context.effects.mark() as u64) }
}

unsafe extern "C" fn journal_rewind(host: *mut c_void, mark: u64) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, |context| context.effects.rewind(mark as usize)) }
}

unsafe extern "C" fn journal_settle(host: *mut c_void) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, |context| context.effects.settle()) }
}

unsafe extern "C" fn schedule_begin(
    host: *mut c_void,
    primitive: u32,
    options: *const RawCheckpointOptions,
    steps: u64,
    begin: u64,
    end: u64,
) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        // SAFETY: the runtime lends the options.
        let begun = context.begin_schedule(primitive, unsafe { &*options }, &Extent { steps, nodes: begin..end });
        context.answer(begun.map_err(Fault::RuntimeError))
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn schedule_next(
    host: *mut c_void,
    action: *mut RawAction,
    snapshots: u64,
    node: u64,
    executed: i64,
) -> i32 {
    let work = |context: &mut RunContext<'_>| match context.next_action(snapshots, node, u64::try_from(executed).ok()) {
        Some(next) => {
            // SAFETY: the runtime passes the address of an action.
            unsafe { *action = next };
            answer::DONE
        }
        None => answer::FAILED,
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn operator_begun(host: *mut c_void, primitive: u32, node: u32) -> i32 {
    let work = |context: &mut RunContext<'_>| {
        let operator = convert::primitive(primitive.into());
        context.effects.observe(Event::Begun { operator, node: ExpressionId(node) });
    };
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, work) }
}

unsafe extern "C" fn operator_ended(host: *mut c_void, steps: u64) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { guarded_infallible(host, |context| context.effects.observe(Event::Ended { steps })) }
}
