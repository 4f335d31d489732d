//! A machine of the runtime: its life, and the execution of one item on it.

use super::code::Code;
use super::host::{CALLS, RunContext};
use super::interface::{
    NO_LIMIT, RawMachine, RawValue, Setup, status, vlad_go_on_with_item, vlad_live_at_end, vlad_machine_free,
    vlad_machine_new, vlad_run_item, vlad_run_specialised, vlad_set_constant, vlad_set_global, vlad_steps_taken,
    vlad_take_result,
};
use super::make::from_shared;
use super::mathematics::MATHEMATICS;
use std::panic::resume_unwind;
use std::ptr::NonNull;
use vlad_core::{ConstantId, ExpressionId, GlobalId, Program};
use vlad_runtime::run::{Host, Limits};
use vlad_runtime::steps::MOST_DEPTH;
use vlad_table::internal_bug;
use vlad_values::Value;
use vlad_values::constants::constant_values;
use vlad_values::fault::{RuntimeError, no_memory};

/// A machine of the runtime, with the context that it needs.
///
/// Invariant: `raw` is a machine that lives, and its items run only within [`Machine::run_item`]; `context` is a box
/// whose pointer the machine has, and is accessed here only while none of its items runs.
pub struct Machine<'run> {
    pub(super) raw: NonNull<RawMachine>,
    code: &'run Code,
    is_observed: bool,
    context: NonNull<RunContext<'run>>,
    pub(super) program: &'run Program,
    pub(super) limits: &'run Limits,
}

/// The state in which an item is resumed.
pub struct ResumedStack {
    /// The flattened stack of its computation, whose values are owned.
    pub row: Vec<RawValue>,
}

/// The result of running an item.
pub enum ItemEnd {
    /// The value of the item, owned.
    Value(RawValue),
    /// The item has stopped at the step where the run is to be suspended.
    Point,
    /// The item has stopped at a fault.
    Fault,
    /// Specialised code has given the item up: other code has to evaluate it, from its start.
    GivenUp(Bailout),
}

/// The reason why specialised code gives an item up.
#[derive(Clone, Copy, Debug)]
pub enum Bailout {
    /// A value or an error that it does not expect, or an observer of operators.
    Unexpected,
    /// The memory of its cells or of its tape.
    Memory,
    /// The nesting of its calls.
    Depth,
}

/// The reason of a bailout at a value or an error. An error is reported where other code meets it again.
pub const UNEXPECTED: &str = "there is a value that its specialised code does not expect";

impl Bailout {
    /// The reason as a part of a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Bailout::Unexpected => UNEXPECTED,
            Bailout::Memory => "the cells or the tape of its specialised code take more memory than they may",
            Bailout::Depth => "its specialised code may nest calls more deeply than the limit",
        }
    }
}

/// A count of steps in the runtime's representation.
fn raw_count(steps: u64) -> i64 {
    i64::try_from(steps).unwrap_or(NO_LIMIT)
}

impl<'run> Machine<'run> {
    /// Creates a machine at the start of a program, with its constants and the prelude's definitions. `taken` is the
    /// number of steps already taken, and `until` that after which the run is suspended.
    pub(super) fn new(
        code: &'run Code,
        program: &'run Program,
        host: &'run mut dyn Host,
        limits: &'run Limits,
        taken: u64,
        until: Option<u64>,
    ) -> Result<Machine<'run>, RuntimeError> {
        let context = Box::new(RunContext::new(program, host, limits));
        let (is_observed, memory) = (context.effects.observes(), context.watch.memory());
        let context = NonNull::from(Box::leak(context));
        let setup = Setup {
            program: code.raw(),
            mathematics: &*MATHEMATICS,
            calls: CALLS,
            host: context.as_ptr().cast(),
            steps: limits.steps.map_or(NO_LIMIT, raw_count),
            globals: program.globals.len() as u32,
            constants: program.constants.roots().len() as u32,
            shipped_nodes: program.shipped_nodes,
            is_observed: u32::from(is_observed),
            taken: raw_count(taken),
            memory: memory.unwrap_or(u64::MAX),
            most_depth: limits.depth.unwrap_or(MOST_DEPTH),
            gives_up_after: code.gives_up_after().map_or(-1, raw_count),
            suspension: until.map_or(NO_LIMIT, raw_count),
        };
        // SAFETY: code, table and context outlive the machine, which is freed before the context is.
        let Some(raw) = NonNull::new(unsafe { vlad_machine_new(&setup) }) else {
            // SAFETY: the pointer is the box's, and nobody else has it: there is no machine.
            drop(unsafe { Box::from_raw(context.as_ptr()) });
            return Err(no_memory());
        };
        let mut machine = Machine { raw, code, is_observed, context, program, limits };
        machine.set_up()?;
        Ok(machine)
    }

    fn set_up(&mut self) -> Result<(), RuntimeError> {
        let constants = &self.program.constants;
        let values = constant_values(constants);
        let value = |id: &ConstantId| values.get(id.0 as usize).cloned().unwrap_or_default();
        let roots: Vec<Value> = constants.roots().iter().map(value).collect();
        // SAFETY: the machine is idle.
        let constants = unsafe { from_shared(self.raw.as_ptr(), &roots) }.ok_or_else(no_memory)?;
        for (number, value) in constants.into_iter().enumerate() {
            // SAFETY: the machine was made for as many constants, and takes over the value.
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
        // SAFETY: the machine is idle, was made for as many globals, and takes over the value.
        unsafe { vlad_set_global(self.raw.as_ptr(), global, value) };
    }

    /// The number of steps that the run has taken so far.
    pub(super) fn steps_taken(&self) -> u64 {
        // SAFETY: the machine is idle.
        unsafe { vlad_steps_taken(self.raw.as_ptr()) }
    }

    /// Runs an item, or resumes it from a suspended state. Specialised code runs where there is some.
    pub(super) fn run_item(&mut self, item: u32, top: ExpressionId, begun: Option<ResumedStack>) -> ItemEnd {
        if begun.is_some() || !self.code.is_specialised(item) {
            return self.run_blocks(item, top, begun);
        }
        if self.is_observed {
            // Specialised code does not report operators.
            return ItemEnd::GivenUp(Bailout::Unexpected);
        }
        // SAFETY: the machine is idle, and the item has specialised code. While it runs this function does not touch
        // the context.
        let ended = unsafe { vlad_run_specialised(self.raw.as_ptr(), item, top.0) };
        self.item_end(ended)
    }

    /// Runs the blocks of an item, or resumes them from a suspended state.
    fn run_blocks(&mut self, item: u32, top: ExpressionId, begun: Option<ResumedStack>) -> ItemEnd {
        let raw = self.raw.as_ptr();
        let ended = match begun {
            // SAFETY: the machine is idle, and the code has as many items as the program. While the item runs this
            // function does not touch the context.
            None => unsafe { vlad_run_item(raw, item, top.0) },
            // SAFETY: as above; the row is one of the machine's, which takes over its owned values.
            Some(ResumedStack { row }) => unsafe { vlad_go_on_with_item(raw, top.0, row.as_ptr(), row.len() as u64) },
        };
        self.item_end(ended)
    }

    /// The result of an item that has ended with a status.
    fn item_end(&mut self, ended: u32) -> ItemEnd {
        if let Some(panic) = self.context().panic.take() {
            resume_unwind(panic);
        }
        match ended {
            // SAFETY: the machine is idle again, and its last item has a value, which the caller takes over.
            status::FINISHED => ItemEnd::Value(unsafe { vlad_take_result(self.raw.as_ptr()) }),
            status::STOPPED => ItemEnd::Fault,
            status::AT_POINT => ItemEnd::Point,
            status::GIVEN_UP => ItemEnd::GivenUp(Bailout::Unexpected),
            status::GIVEN_UP_FOR_MEMORY => ItemEnd::GivenUp(Bailout::Memory),
            status::GIVEN_UP_FOR_DEPTH => ItemEnd::GivenUp(Bailout::Depth),
            other => internal_bug!("an item does not end with the status {other}"),
        }
    }

    pub(super) fn context(&mut self) -> &mut RunContext<'run> {
        // SAFETY: the pointer is a box's; the machine, which has it too, uses it only while an item runs, and none
        // does.
        unsafe { self.context.as_mut() }
    }

    /// Checks in debug builds that a finished run has freed every object: reference counting is exact.
    pub(super) fn check_that_nothing_is_alive(&mut self) {
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
        // SAFETY: the machine is idle and is not used any more, so nobody but this box refers to the context.
        unsafe {
            vlad_machine_free(self.raw.as_ptr());
            drop(Box::from_raw(self.context.as_ptr()));
        }
    }
}
