//! The machine: the registers of the equations, the trampoline, and the step count.

use crate::continuation::Continuation;
use crate::continuation_needs::ContinuationNeedsTable;
use crate::direct_sizes::DirectSizes;
use crate::entry::Entry;
use crate::environment::Environment;
use crate::fault::{Stop, Stopped};
use crate::state::{NeedsTable, State};
use std::cell::OnceCell;
use vlad_ad::Levels;
use vlad_ad::checkpointing::Strategy;
use vlad_core::diagnostic::Kind;
use vlad_core::node_ranges::NodeRanges;
use vlad_core::{ExpressionId, GlobalId, Item, Program};
use vlad_runtime::computations::Computations;
use vlad_runtime::diagnosis::pending::diagnose;
use vlad_runtime::effects::Effects;
use vlad_runtime::operators::OperatorContext;
use vlad_runtime::primitives::apply::output_fault;
use vlad_runtime::primitives::context::{Context, Fault};
use vlad_runtime::run::{Host, Limits, Origin, Outcome, Report};
use vlad_runtime::steps::{Halt, Steps, too_many_steps};
use vlad_runtime::suspended::{PartEnd, PartRequest};
use vlad_table::internal_bug;
use vlad_values::Value;
use vlad_values::constants::constant_values;
use vlad_values::fault::RuntimeError;
use vlad_values::watch::LimitCheck;

/// The next transition of the machine.
#[derive(Debug)]
pub enum Transition {
    /// 𝓔: evaluates an expression in the current environment.
    Evaluate(ExpressionId),
    /// Evaluates a `let` from the entry of its lambda on; its own node has been entered.
    EvaluateOperator(ExpressionId),
    /// 𝓐: applies an operator to an operand.
    Apply {
        /// The operator.
        operator: Value,
        /// The operand.
        operand: Value,
        /// The application.
        node: ExpressionId,
        /// The call site, at which faults of library code are reported.
        site: ExpressionId,
    },
    /// Passes a value to the continuation.
    Return(Value),
}

/// A visitor of each step of a run.
pub(crate) trait StepVisitor {
    /// Looks at the machine before a step; returns false if the run ends before it.
    fn visit(&mut self, machine: &Machine<'_>, entry: Entry) -> bool;
}

/// The state of a run.
pub struct Machine<'run> {
    /// The program.
    pub program: &'run Program,
    /// The values of constants, by their numbers.
    pub constants: Vec<Value>,
    /// The values of the definitions that have run.
    pub globals: Vec<Option<Value>>,
    /// σ: the environment of the expression to be evaluated.
    pub environment: Environment,
    /// k: the frames of the running computation.
    pub frames: Continuation,
    /// The computations that wait for nested ones.
    pub computations: Computations<Continuation, State<'run>>,
    /// n and l.
    pub steps: Steps,
    /// The sizes of direct expressions, which are evaluated by recursion.
    pub direct_sizes: DirectSizes,
    /// The values that frames must keep.
    pub continuation_needs: ContinuationNeedsTable,
    /// The values that capsules must keep.
    pub needs: NeedsTable,
    /// The ranges of nodes, once a capsule is resumed.
    pub ranges: OnceCell<NodeRanges>,
    /// The differentiations in progress.
    pub levels: Levels,
    /// The limit check.
    pub watch: LimitCheck,
    /// Input and output, and the log of effects.
    pub effects: Effects<'run>,
    /// The checkpoint options of a `checkpoint-*j` whose operands give none.
    pub strategy: Strategy,
    /// The visitor of each step, in a walk.
    pub(crate) walker: Option<Box<dyn StepVisitor>>,
}

impl<'run> Machine<'run> {
    /// A machine at the start of a program.
    pub fn new(program: &'run Program, host: &'run mut dyn Host, limits: &Limits) -> Machine<'run> {
        let mut globals = vec![None; program.globals.len()];
        for (GlobalId(global), code) in &program.prelude {
            if let Some(value) = globals.get_mut(*global as usize) {
                *value = Some(Value::Procedure { code: *code, slots: None });
            }
        }
        let watch = limits.watch();
        Machine {
            program,
            constants: constant_values(&program.constants),
            globals,
            environment: Environment::top(ExpressionId(0)),
            frames: Continuation::default(),
            computations: Computations::default(),
            steps: Steps::new(limits.steps, limits.depth),
            direct_sizes: DirectSizes::of(program),
            continuation_needs: ContinuationNeedsTable::of(program),
            needs: NeedsTable::default(),
            ranges: OnceCell::new(),
            levels: Levels::new(watch.clone()).trapping(limits.traps),
            watch,
            effects: Effects::new(host),
            strategy: limits.strategy,
            walker: None,
        }
    }

    /// Runs the items of the program in order: all of them, or those of a part of the run.
    pub fn run_program(mut self, part: PartRequest, limits: &Limits) -> PartEnd {
        let (mut first, mut suspended) = (0, None);
        let done = self.effects.done();
        let mut taken = done.steps;
        if let Some(from) = part.from {
            taken = taken.saturating_add(from.steps);
            self.globals = from.globals;
            (first, suspended) = (from.item, Some((from.point_stack, from.values)));
        }
        if taken > 0 {
            self.steps = Steps::going_on(limits.steps, limits.depth, taken);
        }
        if let Some(until) = part.until {
            self.steps.suspend_after(until);
        }
        let mut outcome = Outcome::Finished;
        for (number, item) in self.program.items.iter().enumerate().skip(first) {
            if done.covers(number, *item) {
                continue;
            }
            self.effects.begin_item(number, *item, self.steps.total());
            if part.before == Some(number) {
                self.steps.suspend_after(self.steps.total());
            }
            let top = item.node();
            let start = match suspended.take() {
                Some((point_stack, values)) => self.put_back(&point_stack, values),
                None => {
                    self.environment = Environment::top(top);
                    Transition::Evaluate(top)
                }
            };
            self.steps.apply_suspension();
            match self.run_item(*item, top, start) {
                Ok(()) => {}
                Err(stop) => match *stop {
                    Stop::Interrupted(entry) => return PartEnd::Suspended(Box::new(self.suspended(number, entry))),
                    Stop::Fault { fault, node, site } => {
                        outcome = self.outcome(fault, node, site, top);
                        break;
                    }
                },
            }
        }
        PartEnd::Ended(Report { outcome, steps: self.steps.total() })
    }

    /// Runs an item from its start, inside no part of a run.
    ///
    /// # Errors
    /// The outcome of the run, if the item ends it.
    pub(crate) fn run_whole_item(&mut self, number: usize, item: Item) -> Result<(), Outcome> {
        self.effects.begin_item(number, item, self.steps.total());
        let top = item.node();
        self.environment = Environment::top(top);
        match self.run_item(item, top, Transition::Evaluate(top)) {
            Ok(()) => Ok(()),
            Err(stop) => match *stop {
                Stop::Fault { fault, node, site } => Err(self.outcome(fault, node, site, top)),
                Stop::Interrupted(_) => internal_bug!("a run without a limit of its own is not interrupted"),
            },
        }
    }

    fn run_item(&mut self, item: Item, top: ExpressionId, start: Transition) -> Result<(), Stopped> {
        let value = self.run(start)?;
        match item {
            Item::Define(GlobalId(global), _) => {
                if let Some(place) = self.globals.get_mut(global as usize) {
                    *place = Some(value);
                }
                Ok(())
            }
            Item::Expression(_) => {
                let written = self.effects.write(self.program, &value, Origin::Result);
                written.map_err(|error| Box::new(Stop::Fault { fault: output_fault(&error), node: top, site: top }))
            }
        }
    }

    fn outcome(&self, fault: Fault, node: ExpressionId, site: ExpressionId, top: ExpressionId) -> Outcome {
        match fault {
            Fault::OutputClosed => Outcome::OutputClosed,
            Fault::RuntimeError(trouble) => {
                Outcome::at_fault(diagnose(self.program, trouble, node, site, self.pending(), top))
            }
        }
    }

    /// The trampoline: executes transitions until the continuations of all computations are empty.
    fn run(&mut self, first: Transition) -> Result<Value, Stopped> {
        let mut transition = first;
        loop {
            let next = match transition {
                Transition::Evaluate(node) => self.evaluate(node),
                Transition::EvaluateOperator(node) => self.operator_of_let(node),
                Transition::Apply { operator, operand, node, site } => self.apply(operator, operand, node, site),
                Transition::Return(value) => match self.frames.pop() {
                    Some(frame) => self.resume(frame, value),
                    None if self.computations.is_empty() => return Ok(value),
                    None => self.computed(value),
                },
            };
            transition = match next {
                Ok(next) => next,
                Err(stop) => match *stop {
                    Stop::Interrupted(entry) if !self.computations.is_empty() => self.interrupted(entry)?,
                    Stop::Interrupted(_) | Stop::Fault { .. } => return Err(stop),
                },
            };
        }
    }

    /// ⟦·⟧ with k, n, l: tests the limit, then increments the count.
    #[inline]
    pub fn step(&mut self, entry: Entry) -> Result<(), Stopped> {
        if !self.program.counts(entry.node()) {
            return Ok(());
        }
        if self.steps.ticks == self.steps.next_halt {
            self.halt(entry)?;
        }
        self.steps.ticks += 1;
        Ok(())
    }

    #[cold]
    fn halt(&mut self, entry: Entry) -> Result<(), Stopped> {
        match self.steps.halt() {
            Halt::OwnLimit => Err(Box::new(Stop::Interrupted(entry))),
            Halt::TotalLimit => {
                let trouble = too_many_steps(self.steps.total_limit());
                Err(self.stop(trouble, self.entered(entry)))
            }
            Halt::Look => {
                if let Some(mut walker) = self.walker.take() {
                    let goes_on = walker.visit(self, entry);
                    self.walker = Some(walker);
                    if !goes_on {
                        let trouble = RuntimeError::new(Kind::Abandoned, "the walk ends here");
                        return Err(self.stop(trouble, self.entered(entry)));
                    }
                }
                self.watch.look().map_err(|trouble| self.stop(trouble, self.entered(entry)))
            }
        }
    }

    /// The stop for a fault at a node of the current activation.
    pub fn stop(&self, fault: impl Into<Fault>, node: ExpressionId) -> Stopped {
        Box::new(Stop::Fault { fault: fault.into(), node, site: self.environment.site })
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
