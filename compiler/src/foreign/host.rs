//! What the runtime calls while a program runs: the watch, input and output, journals and schedules.
//!
//! Invariant: a call that fails notes why, and the runtime ends the run; so at most one fault is noted. No panic goes on into
//! C: [`guarded`], through which every call goes, keeps it, and [`super::machine`] lets it go on when the runtime has ended the
//! run.

use super::convert;
use super::interface::{HostCalls, NOT_GIVEN, RawAction, RawDivision, RawValue, action, answer};
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use vlad_shared::apply::{Fault, input_fault, output_fault};
use vlad_shared::checkpointing::{Action, Schedule, Strategy};
use vlad_shared::core::{ExpressionId, Program};
use vlad_shared::effects::{Effects, Event};
use vlad_shared::internal_bug;
use vlad_shared::run::{Host, Limits, Origin, Trouble, Watch};
use vlad_shared::table::{Control, Division, Form};

/// The surroundings of a run, behind the pointer that the runtime is given.
pub struct Surroundings<'run> {
    /// The program.
    pub program: &'run Program,
    /// Input and output, and their journals.
    pub effects: Effects<'run>,
    /// The clock and the memory.
    pub watch: Watch,
    /// Why a call has failed.
    pub fault: Option<Fault>,
    /// The panic in which a call has ended.
    pub panic: Option<Box<dyn Any + Send>>,
    /// How `checkpoint-*j` divides what it executes, unless its operands say so.
    strategy: Strategy,
    /// What was read according to the journal that has ended last.
    reads: Vec<f64>,
    /// Those of the applications of `checkpoint-*j` under way, outermost first.
    schedules: Vec<Schedule>,
}

/// The functions that the runtime calls, with a pointer to [`Surroundings`] that nobody else uses meanwhile.
pub const CALLS: HostCalls = HostCalls {
    look,
    read_real,
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

impl<'run> Surroundings<'run> {
    /// Those of a run whose time begins now.
    pub fn new(program: &'run Program, host: &'run mut dyn Host, limits: &Limits) -> Surroundings<'run> {
        Surroundings {
            program,
            effects: Effects::new(host),
            watch: Watch::new(limits),
            fault: None,
            panic: None,
            strategy: limits.strategy,
            reads: Vec::new(),
            schedules: Vec::new(),
        }
    }

    /// Notes why a call has failed, if it has.
    fn answer(&mut self, done: Result<(), Fault>) -> i32 {
        match done {
            Ok(()) => answer::DONE,
            Err(fault) => {
                self.fault = Some(fault);
                answer::FAILED
            }
        }
    }

    fn write(&mut self, value: RawValue) -> Result<(), Fault> {
        // SAFETY: the runtime lends a value that is alive.
        let value = unsafe { convert::to_shared(value, &mut self.watch) }.map_err(Fault::Trouble)?;
        self.effects.write(self.program, &value, Origin::Written).map_err(|error| output_fault(&error))
    }

    fn begin_schedule(&mut self, primitive: u32, division: &RawDivision, steps: u64) -> Result<(), Trouble> {
        self.effects.observe(Event::Measured { steps });
        let strategy = told_strategy(primitive, division).unwrap_or(self.strategy);
        self.schedules.push(Schedule::new(strategy, steps)?);
        Ok(())
    }

    fn next_action(&mut self, snapshots: u64, executed: Option<u64>) -> Option<RawAction> {
        if let Some(steps) = executed {
            self.effects.observe(Event::Executed { steps });
        }
        let Some(schedule) = self.schedules.last_mut() else {
            internal_bug!("an operator that executes again has a schedule");
        };
        let Some(next) = schedule.next() else {
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

/// The strategy that a form of `checkpoint-*j` is told, if it is.
fn told_strategy(primitive: u32, division: &RawDivision) -> Option<Strategy> {
    let [first, second, third] = division.numbers.map(|number| (number != NOT_GIVEN).then_some(number));
    match convert::primitive(primitive.into()).row().form {
        Form::Control(Control::Checkpoint(Division::OfRun)) => None,
        Form::Control(Control::Checkpoint(Division::Bisection)) => {
            Some(Strategy::Bisection { depth: first, base_case: second })
        }
        Form::Control(Control::Checkpoint(Division::Binomial)) => {
            Some(Strategy::Binomial { snapshots: first, passes: second, base_case: third })
        }
        other => internal_bug!("a primitive of the form {other:?} has no schedule"),
    }
}

/// Does what a call of the runtime asks for, with the surroundings behind its pointer. A panic ends here, and is kept.
///
/// # Safety
/// The pointer is the one that the machine was given, to surroundings that live as long as it; nobody else uses them while
/// the runtime calls.
unsafe fn guarded(host: *mut c_void, work: impl FnOnce(&mut Surroundings<'_>) -> i32) -> i32 {
    // SAFETY: as the caller says.
    let surroundings = unsafe { &mut *host.cast::<Surroundings<'_>>() };
    // What a panic leaves half done is not used any more: the runtime ends the run.
    catch_unwind(AssertUnwindSafe(|| work(surroundings))).unwrap_or_else(|panic| {
        surroundings.panic = Some(panic);
        answer::BROKE_DOWN
    })
}

/// As [`guarded`], of what cannot fail.
///
/// # Safety
/// As for [`guarded`].
unsafe fn obey(host: *mut c_void, work: impl FnOnce(&mut Surroundings<'_>)) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        work(surroundings);
        answer::DONE
    };
    // SAFETY: as the caller says.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn look(host: *mut c_void) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        let looked = surroundings.watch.look().map_err(Fault::Trouble);
        surroundings.answer(looked)
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn read_real(host: *mut c_void, out: *mut f64) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        let read = surroundings.effects.read_real().map_err(|fault| Fault::Trouble(input_fault(&fault)));
        // SAFETY: the runtime gives the place of a double.
        surroundings.answer(read.map(|real| unsafe { *out = real }))
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn write(host: *mut c_void, value: RawValue) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        let written = surroundings.write(value);
        surroundings.answer(written)
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn journal_begin(host: *mut c_void) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { obey(host, |surroundings| surroundings.effects.begin()) }
}

unsafe extern "C" fn journal_replay(host: *mut c_void, reads: *const f64, count: u64) -> i32 {
    // SAFETY: the runtime lends so many doubles, whose place matters if there are any.
    let reads = if count == 0 { &[] } else { unsafe { slice::from_raw_parts(reads, count as usize) } };
    // SAFETY: the runtime calls.
    unsafe { obey(host, |surroundings| surroundings.effects.replay(reads)) }
}

unsafe extern "C" fn journal_end(host: *mut c_void, count: *mut u64) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        surroundings.reads = surroundings.effects.end();
        // SAFETY: the runtime gives the place of a count.
        unsafe { *count = surroundings.reads.len() as u64 };
    };
    // SAFETY: the runtime calls.
    unsafe { obey(host, work) }
}

unsafe extern "C" fn journal_read(host: *mut c_void, reads: *mut f64) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        // SAFETY: the runtime gives room for as many doubles as it was told of.
        unsafe { reads.copy_from_nonoverlapping(surroundings.reads.as_ptr(), surroundings.reads.len()) };
    };
    // SAFETY: the runtime calls.
    unsafe { obey(host, work) }
}

unsafe extern "C" fn journal_mark(host: *mut c_void, mark: *mut u64) -> i32 {
    // SAFETY: the runtime calls, and gives the place of a mark.
    unsafe { obey(host, |surroundings| *mark = surroundings.effects.mark() as u64) }
}

unsafe extern "C" fn journal_rewind(host: *mut c_void, mark: u64) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { obey(host, |surroundings| surroundings.effects.rewind(mark as usize)) }
}

unsafe extern "C" fn journal_settle(host: *mut c_void) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { obey(host, |surroundings| surroundings.effects.settle()) }
}

unsafe extern "C" fn schedule_begin(
    host: *mut c_void,
    primitive: u32,
    division: *const RawDivision,
    steps: u64,
) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        // SAFETY: the runtime lends a division.
        let begun = surroundings.begin_schedule(primitive, unsafe { &*division }, steps);
        surroundings.answer(begun.map_err(Fault::Trouble))
    };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn schedule_next(host: *mut c_void, action: *mut RawAction, snapshots: u64, executed: i64) -> i32 {
    let work =
        |surroundings: &mut Surroundings<'_>| match surroundings.next_action(snapshots, u64::try_from(executed).ok()) {
            Some(next) => {
                // SAFETY: the runtime gives the place of an action.
                unsafe { *action = next };
                answer::DONE
            }
            None => answer::FAILED,
        };
    // SAFETY: the runtime calls.
    unsafe { guarded(host, work) }
}

unsafe extern "C" fn operator_begun(host: *mut c_void, primitive: u32, node: u32) -> i32 {
    let work = |surroundings: &mut Surroundings<'_>| {
        let operator = convert::primitive(primitive.into());
        surroundings.effects.observe(Event::Begun { operator, node: ExpressionId(node) });
    };
    // SAFETY: the runtime calls.
    unsafe { obey(host, work) }
}

unsafe extern "C" fn operator_ended(host: *mut c_void, steps: u64) -> i32 {
    // SAFETY: the runtime calls.
    unsafe { obey(host, |surroundings| surroundings.effects.observe(Event::Ended { steps })) }
}
