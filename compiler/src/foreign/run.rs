//! A run of a compiled program: a machine that executes the items of the program in order, and the outcome.
//! A run may be one part of a whole run (`parts`).

use super::code::{Code, Counting};
use super::convert::to_shared;
use super::faults::{diagnostic, trouble};
use super::interface::{RawFault, RawValue, fault, vlad_fault_of, vlad_give_up};
use super::machine::{Bailout, ItemEnd, Machine, ResumedStack};
use super::parts::ResumeError;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::{ExpressionId, Item, Program};
use vlad_runtime::diagnosis::pending::diagnose;
use vlad_runtime::primitives::apply::output_fault;
use vlad_runtime::primitives::context::Fault;
use vlad_runtime::run::{Host, Limits, Origin, Outcome, Report};
use vlad_runtime::suspended::{PartEnd, PartRequest, Scope};
use vlad_table::internal_bug;
use vlad_values::fault::RuntimeError;

/// Runs a compiled program: evaluates its items in order and prints the values of its expressions. The run is abandoned
/// if specialised code gives an item up.
///
/// The code must be that of the program, must be stoppable if there is a limit of steps, and must have the traps that the
/// limits ask for.
pub fn run(code: &Code, program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
    match run_part(code, program, host, limits, PartRequest::default()) {
        PartEnd::Ended(report) => report,
        PartEnd::Suspended(_) => internal_bug!("a run is suspended where that is asked for"),
    }
}

/// Runs a part of a compiled program. Its code must be stoppable unless the part is the whole program.
pub fn run_part(code: &Code, program: &Program, host: &mut dyn Host, limits: &Limits, part: PartRequest) -> PartEnd {
    if (limits.steps.is_some() || part.scope(program) == Scope::Part) && code.counting() == Counting::ByBlock {
        internal_bug!("a program that is run with a limit of steps, or in parts, can stop at nodes");
    }
    if limits.traps != code.traps() {
        internal_bug!("a program is compiled for the traps of its run");
    }
    let PartRequest { from, until, before } = part;
    let (taken, item) = from.as_ref().map_or((0, 0), |from| (from.steps, from.item));
    let taken = taken.saturating_add(host.done().steps);
    let Some(first) = program.items.get(item) else {
        return PartEnd::Ended(Report { outcome: Outcome::Finished, steps: taken });
    };
    // A limit below the steps already taken is reached at once.
    let limits = Limits { steps: limits.steps.map(|steps| steps.max(taken)), ..*limits };
    let run = || {
        let mut machine = Machine::new(code, program, host, &limits, taken, until)?;
        let begun = from.map(|from| machine.take_up(from)).transpose()?.flatten();
        Ok(machine.run_program(item, before, begun))
    };
    run().unwrap_or_else(|obstacle| {
        let top = first.node();
        let diagnostic = match obstacle {
            ResumeError::RuntimeError(trouble) => diagnose(program, trouble, top, top, std::iter::empty(), top),
            ResumeError::Refused(refusal) => Diagnostic::new(Kind::File, None, format!("the capsule {refusal}")),
        };
        PartEnd::Ended(Report { outcome: Outcome::Failed(Box::new(diagnostic)), steps: taken })
    })
}

/// The outcome of a run that other code has to begin again, since specialised code has given an item up.
fn given_up(program: &Program, top: ExpressionId, bailout: Bailout) -> Outcome {
    let trouble = RuntimeError::new(Kind::Abandoned, bailout.reason());
    Outcome::Failed(Box::new(diagnose(program, trouble, top, top, std::iter::empty(), top)))
}

impl Machine<'_> {
    /// Runs the items of the program in order, starting with item `from`, which may be resumed from a suspended state, and
    /// up to item `before`, if there is one.
    fn run_program(mut self, from: usize, before: Option<usize>, mut begun: Option<ResumedStack>) -> PartEnd {
        let mut outcome = Outcome::Finished;
        let done = self.context().effects.done();
        for (number, item) in self.program.items.iter().enumerate().skip(from) {
            if done.covers(number, *item) {
                continue;
            }
            let steps = self.steps_taken();
            self.context().effects.begin_item(number, *item, steps);
            let top = item.node();
            if before == Some(number) {
                let suspended = self.suspended_before(number, top);
                self.check_that_nothing_is_alive();
                return PartEnd::Suspended(Box::new(suspended));
            }
            let ended = match self.run_item(number as u32, top, begun.take()) {
                ItemEnd::Value(value) => self.finish_item(*item, value, top),
                ItemEnd::Fault => Some(self.stopped(top)),
                ItemEnd::GivenUp(bailout) => Some(given_up(self.program, top, bailout)),
                ItemEnd::Point => {
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

    /// Defines or prints the value of an item, which it takes. Returns the outcome of the run if that fails.
    fn finish_item(&mut self, item: Item, value: RawValue, top: ExpressionId) -> Option<Outcome> {
        match item {
            Item::Define(global, _) => {
                self.set_global(global, value);
                None
            }
            Item::Expression(_) => {
                // SAFETY: the value is alive and owned here.
                let copied = unsafe { to_shared(value, &mut self.context().watch) };
                // SAFETY: as above; it is not used any more.
                unsafe { vlad_give_up(self.raw.as_ptr(), value) };
                let program = self.program;
                let written = copied.map_err(Fault::RuntimeError).and_then(|value| {
                    let written = self.context().effects.write(program, &value, Origin::Result);
                    written.map_err(|error| output_fault(&error))
                });
                written.err().map(|fault| match fault {
                    Fault::OutputClosed => Outcome::OutputClosed,
                    Fault::RuntimeError(trouble) => {
                        let diagnostic = diagnose(program, trouble, top, top, std::iter::empty(), top);
                        Outcome::Failed(Box::new(diagnostic))
                    }
                })
            }
        }
    }

    /// The outcome of a run that has stopped at a fault in an item.
    fn stopped(&mut self, top: ExpressionId) -> Outcome {
        // SAFETY: the machine is idle; the fault is part of it and is copied.
        let raw: RawFault = unsafe { *vlad_fault_of(self.raw.as_ptr()) };
        let trouble = if raw.kind == fault::HOST {
            match self.context().fault.take() {
                Some(Fault::RuntimeError(trouble)) => trouble,
                Some(Fault::OutputClosed) => return Outcome::OutputClosed,
                None => internal_bug!("a host that fails notes why"),
            }
        } else {
            // SAFETY: the machine lives.
            unsafe { trouble(&raw, self.program, self.limits) }
        };
        // SAFETY: the machine is idle.
        let diagnostic = unsafe { diagnostic(self.raw.as_ptr(), &raw, trouble, self.program, top) };
        Outcome::at_fault(diagnostic)
    }
}
