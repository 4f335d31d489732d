//! The machine: the loop over blocks, and the counting of steps.
//!
//! If all steps of a block fit below the next halt they are counted at once; else the block is executed node by node.
//! So the count is exact at every limit. At a fault the steps after it are subtracted again.

pub mod calls;
pub mod computations;
pub mod operations;
pub mod patterns;
pub mod primitives;

use crate::code::{Block, Code};
use crate::fault::{MachineResult, PlacedFault, Position};
use crate::frames::Continuation;
use crate::state::State;
use crate::store::Store;
use vlad_ad::Levels;
use vlad_ad::checkpointing::Strategy;
use vlad_core::node_ranges::NodeRanges;
use vlad_core::{ExpressionId, GlobalId, Item, Program};
use vlad_cps::{BlockId, Instruction, Role};
use vlad_runtime::computations::Computations;
use vlad_runtime::diagnosis::frames::PendingFrame;
use vlad_runtime::diagnosis::pending::diagnose;
use vlad_runtime::effects::Effects;
use vlad_runtime::operators::OperatorContext;
use vlad_runtime::primitives::apply::output_fault;
use vlad_runtime::primitives::context::{Context, Fault};
use vlad_runtime::primitives::operands::whole;
use vlad_runtime::run::{Host, Limits, Origin, Outcome, Report};
use vlad_runtime::steps::{Halt, Steps, too_many_steps};
use vlad_table::internal_bug;
use vlad_values::Value;
use vlad_values::watch::LimitCheck;

/// The place where the machine continues.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// A block, whose parameters have their values.
    Block(BlockId),
    /// An instruction of a block, whose live registers have their values.
    Middle(BlockId, usize),
    /// Nowhere: the computation has ended, and its value is in [`Machine::result`].
    Nothing,
}

/// The result of running an item.
#[derive(Debug)]
enum ItemEnd<T> {
    /// It has ended.
    ToTheEnd(T),
    /// The run is to be suspended before an instruction of a block, which is a step.
    To(BlockId, usize),
}

/// The end of a program.
pub enum ProgramEnd<'run> {
    /// The program has ended.
    Ended(Report),
    /// It is to be suspended.
    Suspended {
        /// The item that is being evaluated.
        item: usize,
        /// The block that runs.
        block: BlockId,
        /// The step before which the run is suspended.
        instruction: usize,
        /// The rest of the state.
        machine: Box<Machine<'run>>,
    },
}

/// The state of a run.
pub struct Machine<'run> {
    /// The program.
    pub program: &'run Program,
    /// Its code.
    pub code: &'run Code<'run>,
    /// The values of places.
    pub store: Store,
    /// For each definition, true if it has run.
    pub defined: Vec<bool>,
    /// k: the frames of the running computation.
    pub continuation: Continuation,
    /// The enclosing computations, which wait for the inner ones.
    pub computations: Computations<Continuation, State<'run>>,
    /// The operands passed to an unknown procedure.
    pub operands: Vec<Value>,
    /// The user's application through which the running library code was entered: faults of library code are shown
    /// there.
    pub site: ExpressionId,
    /// The application that entered a procedure with its whole argument: a mismatch is shown there.
    pub caller: ExpressionId,
    /// The value of a computation, at its end.
    pub result: Value,
    /// n and l.
    pub steps: Steps,
    /// The differentiations in progress.
    pub levels: Levels,
    /// The limit check.
    pub watch: LimitCheck,
    /// Input and output, and the log of effects.
    pub effects: Effects<'run>,
    /// The checkpoint options of a `checkpoint-*j` whose operands give none.
    pub strategy: Strategy,
}

impl<'run> Machine<'run> {
    /// A machine at the start of a program.
    pub fn new(
        program: &'run Program,
        code: &'run Code<'run>,
        host: &'run mut dyn Host,
        limits: &Limits,
    ) -> Machine<'run> {
        let watch = limits.watch();
        let mut machine = Machine {
            program,
            code,
            store: Store::new(program, code.layout),
            defined: vec![false; program.globals.len()],
            continuation: Continuation::default(),
            computations: Computations::default(),
            operands: Vec::new(),
            site: ExpressionId(0),
            caller: ExpressionId(0),
            result: Value::Nil,
            steps: Steps::new(limits.steps, limits.depth),
            levels: Levels::new(watch.clone()).trapping(limits.traps),
            watch,
            effects: Effects::new(host),
            strategy: limits.strategy,
        };
        for (global, code) in &program.prelude {
            machine.define(*global, Value::Procedure { code: *code, slots: None });
        }
        machine
    }

    /// Runs the items of the program in order: from an item on, which may have begun, and to the item before which the run
    /// is to be suspended, or to the end, unless it is to be suspended earlier.
    pub fn run_program(mut self, from: usize, before: Option<usize>, begun: Option<Next>) -> ProgramEnd<'run> {
        let (mut outcome, mut begun) = (Outcome::Finished, begun);
        let items = self.program.items.iter().zip(&self.code.converted.items).enumerate().skip(from);
        let done = self.effects.done();
        for (number, (item, activation)) in items {
            if done.covers(number, *item) {
                continue;
            }
            self.effects.begin_item(number, *item, self.steps.total());
            if before == Some(number) {
                self.steps.suspend_after(self.steps.total());
            }
            let top = item.node();
            let start = begun.take().unwrap_or_else(|| {
                self.site = top;
                self.store.slots = None;
                Next::Block(self.code.converted.activation(*activation).entry)
            });
            self.steps.apply_suspension();
            match self.run_item(*item, start, top) {
                Ok(ItemEnd::ToTheEnd(())) => {}
                Ok(ItemEnd::To(block, instruction)) => {
                    return ProgramEnd::Suspended { item: number, block, instruction, machine: Box::new(self) };
                }
                Err(stop) => {
                    outcome = self.outcome(*stop, top);
                    break;
                }
            }
        }
        ProgramEnd::Ended(Report { outcome, steps: self.steps.total() })
    }

    fn run_item(&mut self, item: Item, start: Next, top: ExpressionId) -> MachineResult<ItemEnd<()>> {
        let value = match self.run(start)? {
            ItemEnd::ToTheEnd(value) => value,
            ItemEnd::To(block, instruction) => return Ok(ItemEnd::To(block, instruction)),
        };
        match item {
            Item::Define(global, _) => self.define(global, value),
            Item::Expression(_) => {
                let written = self.effects.write(self.program, &value, Origin::Result);
                written.map_err(|error| self.stop_at(output_fault(&error), top, Position::Within))?;
            }
        }
        Ok(ItemEnd::ToTheEnd(()))
    }

    /// Sets the value of a definition.
    pub fn define(&mut self, global: GlobalId, value: Value) {
        self.store.set(self.code.layout.globals + global.0, value);
        if let Some(place) = self.defined.get_mut(global.0 as usize) {
            *place = true;
        }
    }

    fn outcome(&self, fault: PlacedFault, top: ExpressionId) -> Outcome {
        let PlacedFault { fault, node, site, position } = fault;
        match fault {
            Fault::OutputClosed => Outcome::OutputClosed,
            Fault::RuntimeError(trouble) => {
                // An activation that a fault stops within an expression has no frame of its own yet.
                let innermost = (position == Position::Within)
                    .then(|| PendingFrame::of_call(NodeRanges::of(self.program).outermost(node), node));
                let frames = innermost.into_iter().chain(self.pending());
                Outcome::at_fault(diagnose(self.program, trouble, node, site, frames, top))
            }
        }
    }

    /// The pending calls of the frames of all computations, innermost first, for error messages.
    fn pending(&self) -> impl Iterator<Item = PendingFrame> {
        let code = self.code;
        let running = pending_frames(code, &self.continuation);
        running.chain(self.computations.pending(move |continuation| pending_frames(code, continuation)))
    }

    /// Runs blocks until the continuations of all computations are empty, or the run is to be suspended.
    fn run(&mut self, start: Next) -> MachineResult<ItemEnd<Value>> {
        let mut next = start;
        loop {
            let (id, start) = match next {
                Next::Block(id) => (id, 0),
                Next::Middle(id, instruction) => (id, instruction),
                Next::Nothing if self.computations.is_empty() => {
                    return Ok(ItemEnd::ToTheEnd(std::mem::take(&mut self.result)));
                }
                Next::Nothing => {
                    next = self.computed()?;
                    continue;
                }
            };
            let block = self.code.block(id);
            let ticks = self.steps.ticks + block.steps;
            if ticks <= self.steps.next_halt && start == 0 {
                self.steps.ticks = ticks;
                for (place, operation) in block.operations.iter().enumerate() {
                    if let Err(failed) = self.execute(operation) {
                        return Err(self.failed_at_once(id, block, place, *failed));
                    }
                }
            } else if let Some(instruction) = self.node_by_node(id, block, start)? {
                if self.computations.is_empty() {
                    return Ok(ItemEnd::To(id, instruction));
                }
                next = self.interrupted(id, instruction)?;
                continue;
            }
            next = self.end(&block.end)?;
        }
    }

    /// Executes the instructions of a block one by one, from one on; returns the step before which the computation is
    /// interrupted, if it is.
    #[cold]
    fn node_by_node(&mut self, id: BlockId, block: &Block, start: usize) -> MachineResult<Option<usize>> {
        let first = block.origins.partition_point(|origin| (*origin as usize) < start);
        let mut operations = block.operations.iter().skip(first);
        for (place, instruction) in self.code.converted.block(id).instructions.iter().enumerate().skip(start) {
            if let Instruction::Step(node) = instruction {
                if self.steps.ticks == self.steps.next_halt && self.halts(*node)? {
                    return Ok(Some(place));
                }
                self.steps.ticks += 1;
            } else if let Some(operation) = operations.next() {
                self.execute(operation).map_err(|failed| self.failed(instruction, *failed))?;
            }
        }
        Ok(None)
    }

    /// Makes the fault of a block whose steps were counted at once: subtracts the steps after it.
    #[cold]
    fn failed_at_once(&mut self, id: BlockId, block: &Block, place: usize, fault: Fault) -> Box<PlacedFault> {
        let instructions = &self.code.converted.block(id).instructions;
        let origin = block.origins.get(place).map_or(0, |origin| *origin as usize);
        let later = instructions.iter().skip(origin).filter(|instruction| matches!(instruction, Instruction::Step(_)));
        self.steps.ticks -= later.count() as u64;
        match instructions.get(origin) {
            Some(instruction) => self.failed(instruction, fault),
            None => internal_bug!("an operation comes from an instruction"),
        }
    }

    /// Makes the fault of an operation, at the node of its instruction.
    fn failed(&self, instruction: &Instruction, fault: Fault) -> Box<PlacedFault> {
        match instruction {
            Instruction::Defined { node, .. }
            | Instruction::Apply { node, .. }
            | Instruction::Match { node: Some(node), .. } => self.stop_at(fault, *node, Position::Within),
            Instruction::Match { node: None, .. } => self.stop_at(fault, self.caller, Position::Call),
            Instruction::Step(_)
            | Instruction::Pair { .. }
            | Instruction::Close { .. }
            | Instruction::Tie { .. }
            | Instruction::Drop(_) => internal_bug!("this instruction does not fail"),
        }
    }

    /// Handles a halt before the step of a node; returns true if the computation is interrupted there.
    fn halts(&mut self, node: ExpressionId) -> MachineResult<bool> {
        match self.steps.halt() {
            Halt::OwnLimit => Ok(true),
            Halt::TotalLimit => {
                let trouble = too_many_steps(self.steps.total_limit());
                Err(self.stop_at(trouble, node, Position::Within))
            }
            Halt::Look => {
                self.watch.look().map_err(|trouble| self.stop_at(trouble, node, Position::Within))?;
                Ok(false)
            }
        }
    }

    /// Makes a fault at a node of the running activation, or of the call that entered it.
    pub fn stop_at(&self, fault: impl Into<Fault>, node: ExpressionId, position: Position) -> Box<PlacedFault> {
        Box::new(PlacedFault { fault: fault.into(), node, site: self.site, position })
    }

    /// The context of a primitive.
    pub fn context(&mut self) -> Context<'_> {
        Context { program: self.program, levels: &mut self.levels, watch: &mut self.watch, host: &mut self.effects }
    }

    /// The context of an operator that calls a procedure.
    pub fn operator_context(&mut self) -> OperatorContext<'_, 'run> {
        OperatorContext {
            program: self.program,
            levels: &mut self.levels,
            watch: &mut self.watch,
            effects: &mut self.effects,
            strategy: self.strategy,
        }
    }
}

/// The pending calls of the frames of a continuation, for error messages. The values of the frames are on a stack of
/// their own, innermost last, so they are matched to frames from its end.
fn pending_frames<'all>(
    code: &'all Code<'_>,
    continuation: &'all Continuation,
) -> impl Iterator<Item = PendingFrame> + use<'all> {
    let mut saved = continuation.saved.iter();
    continuation.frames.iter().map(move |frame| {
        let block = code.converted.block(frame.block);
        let Role::Continuation { awaiting, iteration } = block.role else {
            internal_bug!("block {} awaits a value", frame.block.0)
        };
        let mut found = None;
        for (variable, value) in block.free.iter().rev().zip(saved.by_ref()) {
            if Some(*variable) == iteration {
                found = whole(value);
            }
        }
        PendingFrame { awaiting, site: Some(frame.site), iteration: found }
    })
}
