//! A run: a machine of the runtime, the items of a program one after another, and what comes of them. What runs may be a
//! part of a run ([`super::parts`]).

use super::code::{Code, Counting};
use super::convert::to_shared;
use super::faults::{diagnostic, trouble};
use super::host::{CALLS, Surroundings};
use super::interface::{
    NO_LIMIT, RawFault, RawMachine, RawValue, Setup, fault, status, vlad_fault_of, vlad_give_up, vlad_go_on_with_item,
    vlad_live_at_end, vlad_machine_free, vlad_machine_new, vlad_run_item, vlad_set_constant, vlad_set_global,
    vlad_steps_taken, vlad_take_result,
};
use super::make::from_shared;
use super::mathematics::MATHEMATICS;
use super::parts::{Beginning, Obstacle};
use std::panic::resume_unwind;
use std::ptr::NonNull;
use vlad_shared::apply::{Fault, output_fault};
use vlad_shared::core::{ExpressionId, GlobalId, Item, Program};
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::internal_bug;
use vlad_shared::pending::diagnose;
use vlad_shared::run::{Host, Limits, Origin, Outcome, Report, Trouble, no_memory};
use vlad_shared::suspended::{Part, PartEnd, Scope};

/// A machine of the runtime and what it needs beside it.
///
/// Invariant: `raw` is a machine that lives, and none of its items runs but within [`Machine::run_item`]; `surroundings`
/// is a box of which the machine has the pointer, and is looked at here only while none of its items runs.
pub struct Machine<'run> {
    pub(super) raw: NonNull<RawMachine>,
    surroundings: NonNull<Surroundings<'run>>,
    pub(super) program: &'run Program,
    limits: &'run Limits,
}

/// What has become of an item.
enum Ran {
    /// It has a value, which is owned.
    Value(RawValue),
    /// The run is to be suspended where it stands.
    Point,
    /// It has stopped at a fault.
    Fault,
}

/// Runs a part of a compiled program; see [`super::run_part`].
pub fn run_part(code: &Code, program: &Program, host: &mut dyn Host, limits: &Limits, part: Part) -> PartEnd {
    if (limits.steps.is_some() || part.scope() == Scope::Part) && code.counting() == Counting::ByBlock {
        internal_bug!("a program that is run with a limit of steps, or in parts, can stop at nodes");
    }
    let Part { from, until } = part;
    let (taken, item) = from.as_ref().map_or((host.done().steps, 0), |from| (from.steps, from.item));
    let Some(first) = program.items.get(item) else {
        return PartEnd::Ended(Report { outcome: Outcome::Finished, steps: taken });
    };
    // A limit that is behind is reached at once.
    let limits = Limits { steps: limits.steps.map(|steps| steps.max(taken)), ..*limits };
    let run = || {
        let mut machine = Machine::new(code, program, host, &limits, taken, until)?;
        let begun = from.map(|from| machine.take_up(from)).transpose()?;
        Ok(machine.run_program(item, begun))
    };
    run().unwrap_or_else(|obstacle| {
        let (Item::Define(_, top) | Item::Expression(top)) = *first;
        let diagnostic = match obstacle {
            Obstacle::Trouble(trouble) => diagnose(program, trouble, top, top, std::iter::empty(), top),
            Obstacle::Refused(refusal) => Diagnostic::new(Kind::File, None, format!("the capsule {refusal}")),
        };
        PartEnd::Ended(Report { outcome: Outcome::Failed(Box::new(diagnostic)), steps: taken })
    })
}

/// A count of steps as the runtime has it.
fn raw_count(steps: u64) -> i64 {
    i64::try_from(steps).unwrap_or(NO_LIMIT)
}

impl<'run> Machine<'run> {
    /// A machine at the start of a program, with its constants and the prelude's definitions. So many steps have been taken
    /// already; the run may have to be suspended.
    fn new(
        code: &'run Code,
        program: &'run Program,
        host: &'run mut dyn Host,
        limits: &'run Limits,
        taken: u64,
        until: Option<u64>,
    ) -> Result<Machine<'run>, Trouble> {
        let surroundings = Box::new(Surroundings::new(program, host, limits));
        let is_observed = u32::from(surroundings.effects.observes());
        let surroundings = NonNull::from(Box::leak(surroundings));
        let setup = Setup {
            program: code.raw(),
            mathematics: &MATHEMATICS,
            calls: CALLS,
            host: surroundings.as_ptr().cast(),
            steps: limits.steps.map_or(NO_LIMIT, raw_count),
            globals: program.globals.len() as u32,
            constants: program.constants.len() as u32,
            shipped_nodes: program.shipped_nodes,
            is_observed,
            taken: raw_count(taken),
            suspension: until.map_or(NO_LIMIT, raw_count),
        };
        // SAFETY: code, table and surroundings outlive the machine, which is freed before the surroundings are.
        let Some(raw) = NonNull::new(unsafe { vlad_machine_new(&setup) }) else {
            // SAFETY: the pointer is the box's, and nobody else has it: there is no machine.
            drop(unsafe { Box::from_raw(surroundings.as_ptr()) });
            return Err(no_memory());
        };
        let mut machine = Machine { raw, surroundings, program, limits };
        machine.set_up()?;
        Ok(machine)
    }

    fn set_up(&mut self) -> Result<(), Trouble> {
        // SAFETY: the machine is idle.
        let constants = unsafe { from_shared(self.raw.as_ptr(), &self.program.constants) }.ok_or_else(no_memory)?;
        for (number, value) in constants.into_iter().enumerate() {
            // SAFETY: the machine was made for as many constants, and takes the value over.
            unsafe { vlad_set_constant(self.raw.as_ptr(), number as u32, value) };
        }
        for (global, lambda) in &self.program.prelude {
            self.set_global(*global, RawValue::plain(lambda.0));
        }
        Ok(())
    }

    pub(super) fn set_global(&mut self, GlobalId(global): GlobalId, value: RawValue) {
        if global as usize >= self.program.globals.len() {
            internal_bug!("global {global} is one of the program's");
        }
        // SAFETY: the machine is idle, was made for as many globals, and takes the value over.
        unsafe { vlad_set_global(self.raw.as_ptr(), global, value) };
    }

    /// Runs the items of the program in order, from one on, which may have begun.
    fn run_program(mut self, from: usize, mut begun: Option<Beginning>) -> PartEnd {
        let mut outcome = Outcome::Finished;
        let done = self.surroundings().effects.done();
        for (number, item) in self.program.items.iter().enumerate().skip(from) {
            if done.covers(number, *item) {
                continue;
            }
            let steps = self.steps_taken();
            self.surroundings().effects.begin_item(number, *item, steps);
            let (Item::Define(_, top) | Item::Expression(top)) = *item;
            let ended = match self.run_item(number as u32, top, begun.take()) {
                Ran::Value(value) => self.finish_item(*item, value, top),
                Ran::Fault => Some(self.stopped(top)),
                Ran::Point => {
                    let suspended = self.suspended(number);
                    self.check_that_nothing_is_alive();
                    return PartEnd::Suspended(Box::new(suspended));
                }
            };
            if let Some(ended) = ended {
                outcome = ended;
                break;
            }
        }
        let steps = self.steps_taken();
        if matches!(outcome, Outcome::Finished) {
            self.check_that_nothing_is_alive();
        }
        PartEnd::Ended(Report { outcome, steps })
    }

    /// The steps of the run so far.
    pub(super) fn steps_taken(&self) -> u64 {
        // SAFETY: the machine is idle.
        unsafe { vlad_steps_taken(self.raw.as_ptr()) }
    }

    /// Runs an item, which may have begun.
    fn run_item(&mut self, item: u32, top: ExpressionId, begun: Option<Beginning>) -> Ran {
        let raw = self.raw.as_ptr();
        let ended = match begun {
            // SAFETY: the machine is idle, and the code has as many items as the program. While the item runs nothing here
            // touches the surroundings.
            None => unsafe { vlad_run_item(raw, item, top.0) },
            // SAFETY: as above; the row is one of the machine's, and its values are owned and go over to it.
            Some(Beginning { row }) => unsafe { vlad_go_on_with_item(raw, top.0, row.as_ptr(), row.len() as u64) },
        };
        if let Some(panic) = self.surroundings().panic.take() {
            resume_unwind(panic);
        }
        match ended {
            // SAFETY: the machine is idle again, and its last item has a value, which goes over to the caller.
            status::FINISHED => Ran::Value(unsafe { vlad_take_result(raw) }),
            status::STOPPED => Ran::Fault,
            status::STANDING => Ran::Point,
            other => internal_bug!("an item does not end with the status {other}"),
        }
    }

    /// Defines or prints the value of an item, which it takes; gives the outcome of the run if that fails.
    fn finish_item(&mut self, item: Item, value: RawValue, top: ExpressionId) -> Option<Outcome> {
        match item {
            Item::Define(global, _) => {
                self.set_global(global, value);
                None
            }
            Item::Expression(_) => {
                // SAFETY: the value is alive and owned here.
                let copied = unsafe { to_shared(value, &mut self.surroundings().watch) };
                // SAFETY: as above; it is not used any more.
                unsafe { vlad_give_up(self.raw.as_ptr(), value) };
                let program = self.program;
                let written = copied.map_err(Fault::Trouble).and_then(|value| {
                    let written = self.surroundings().effects.write(program, &value, Origin::Result);
                    written.map_err(|error| output_fault(&error))
                });
                written.err().map(|fault| match fault {
                    Fault::OutputClosed => Outcome::OutputClosed,
                    Fault::Trouble(trouble) => {
                        let diagnostic = diagnose(program, trouble, top, top, std::iter::empty(), top);
                        Outcome::Failed(Box::new(diagnostic))
                    }
                })
            }
        }
    }

    /// What comes of a run that has stopped in an item.
    fn stopped(&mut self, top: ExpressionId) -> Outcome {
        // SAFETY: the machine is idle; the fault is part of it and is copied.
        let raw: RawFault = unsafe { *vlad_fault_of(self.raw.as_ptr()) };
        let trouble = if raw.kind == fault::HOST {
            match self.surroundings().fault.take() {
                Some(Fault::Trouble(trouble)) => trouble,
                Some(Fault::OutputClosed) => return Outcome::OutputClosed,
                None => internal_bug!("a host that fails notes why"),
            }
        } else {
            // SAFETY: the machine lives.
            unsafe { trouble(&raw, self.program, self.limits) }
        };
        // SAFETY: the machine is idle.
        let diagnostic = unsafe { diagnostic(self.raw.as_ptr(), &raw, trouble, self.program, top) };
        Outcome::Failed(Box::new(diagnostic))
    }

    fn surroundings(&mut self) -> &mut Surroundings<'run> {
        // SAFETY: the pointer is a box's; the machine, which has it too, uses it only while an item runs, and none does.
        unsafe { self.surroundings.as_mut() }
    }

    /// Counting of references is exact: what a finished run leaves is a bug.
    fn check_that_nothing_is_alive(&mut self) {
        if !cfg!(debug_assertions) {
            return;
        }
        // SAFETY: the machine is idle, and no item runs on it any more.
        let live = unsafe { vlad_live_at_end(self.raw.as_ptr()) };
        if live != 0 {
            internal_bug!("every object of the heap is freed: {live} are not");
        }
    }
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        // SAFETY: the machine is idle and is not used any more; then nobody but this box has the surroundings.
        unsafe {
            vlad_machine_free(self.raw.as_ptr());
            drop(Box::from_raw(self.surroundings.as_ptr()));
        }
    }
}
