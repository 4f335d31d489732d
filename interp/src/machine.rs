//! The machine: the registers of the equations, the trampoline, and the counting of steps.

use crate::capsule::{NeedsFound, State};
use crate::computations::Entry;
use crate::continuation::Continuation;
use crate::direct::Sizes;
use crate::environment::Environment;
use crate::fault::{Stop, Stopped};
use crate::rests::Rests;
use vlad_shared::apply::{Context, Fault, output_fault};
use vlad_shared::checkpointing::Strategy;
use vlad_shared::computations::Computations;
use vlad_shared::core::{ExpressionId, GlobalId, Item, Program};
use vlad_shared::differentiation::Levels;
use vlad_shared::differentiation::application::Means;
use vlad_shared::effects::Effects;
use vlad_shared::pending::diagnose;
use vlad_shared::run::{Host, Limits, Origin, Outcome, Report, Watch};
use vlad_shared::steps::{Halt, Steps, too_many_steps};
use vlad_shared::suspended::{Part, PartEnd};
use vlad_shared::value::Value;

/// What the machine does next.
#[derive(Debug)]
pub enum Transition {
    /// 𝓔: evaluate an expression in the current environment.
    Evaluate(ExpressionId),
    /// The same of the lambda of a `let`, whose node has been entered.
    EvaluateOperator(ExpressionId),
    /// 𝓐: apply an operator to an operand.
    Apply {
        /// The operator.
        operator: Value,
        /// The operand.
        operand: Value,
        /// The application.
        node: ExpressionId,
        /// Where faults of shipped code are shown.
        site: ExpressionId,
    },
    /// Give a value to the continuation.
    Return(Value),
}

/// The state of a run.
pub struct Machine<'run> {
    /// The program.
    pub program: &'run Program,
    /// The values of the definitions that have run.
    pub globals: Vec<Option<Value>>,
    /// σ: the environment of the expression to be evaluated.
    pub environment: Environment,
    /// k: the frames of the running computation.
    pub frames: Continuation,
    /// The computations that wait for those inside them.
    pub computations: Computations<Continuation, State<'run>>,
    /// n and l.
    pub steps: Steps,
    /// Which expressions are evaluated in one go.
    pub sizes: Sizes,
    /// What frames have to keep.
    pub rests: Rests,
    /// What capsules have to keep.
    pub needs: NeedsFound,
    /// The differentiations under way.
    pub levels: Levels,
    /// The clock and the memory.
    pub watch: Watch,
    /// Input and output.
    pub effects: Effects<'run>,
    /// How `checkpoint-*j` divides what it executes.
    pub strategy: Strategy,
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
        let watch = Watch::new(limits);
        Machine {
            program,
            globals,
            environment: Environment::top(ExpressionId(0)),
            frames: Continuation::default(),
            computations: Computations::default(),
            steps: Steps::new(limits.steps),
            sizes: Sizes::of(program),
            rests: Rests::of(program),
            needs: NeedsFound::default(),
            levels: Levels::new(watch.clone()),
            watch,
            effects: Effects::new(host),
            strategy: limits.strategy,
        }
    }

    /// Runs the items of the program in order: all of them, or as many as a part of a run has.
    pub fn run_program(mut self, part: Part, limits: &Limits) -> PartEnd {
        let (mut first, mut suspended) = (0, None);
        if let Some(from) = part.from {
            self.steps = Steps::going_on(limits.steps, from.steps);
            self.globals = from.globals;
            (first, suspended) = (from.item, Some((from.standing, from.values)));
        }
        if let Some(until) = part.until {
            self.steps.suspend_after(until);
        }
        let done = self.effects.done();
        if done.steps > 0 {
            self.steps = Steps::going_on(limits.steps, done.steps);
        }
        let mut outcome = Outcome::Finished;
        for (number, item) in self.program.items.iter().enumerate().skip(first) {
            if done.covers(number, *item) {
                continue;
            }
            self.effects.begin_item(number, *item, self.steps.total());
            let (Item::Define(_, top) | Item::Expression(top)) = *item;
            let start = match suspended.take() {
                Some((standing, values)) => self.put_back(&standing, values),
                None => {
                    self.environment = Environment::top(top);
                    Transition::Evaluate(top)
                }
            };
            self.steps.mind_suspension();
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
            Fault::Trouble(trouble) => {
                Outcome::Failed(Box::new(diagnose(self.program, trouble, node, site, self.pending(), top)))
            }
        }
    }

    /// The trampoline: takes transitions until the continuations of all computations are used up.
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

    /// ⟦·⟧ with k, n, l: the limit is tested, then the count goes up by one.
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
            Halt::Look => self.watch.look().map_err(|trouble| self.stop(trouble, self.entered(entry))),
        }
    }

    /// A fault at a node of the current activation.
    pub fn stop(&self, fault: impl Into<Fault>, node: ExpressionId) -> Stopped {
        Box::new(Stop::Fault { fault: fault.into(), node, site: self.environment.site })
    }

    /// What a primitive needs of the machine.
    pub fn context(&mut self) -> Context<'_> {
        Context { program: self.program, levels: &mut self.levels, watch: &mut self.watch, host: &mut self.effects }
    }

    /// What an operator that calls a procedure needs of the machine.
    pub fn means(&mut self) -> Means<'_, 'run> {
        Means {
            program: self.program,
            levels: &mut self.levels,
            watch: &mut self.watch,
            effects: &mut self.effects,
            strategy: self.strategy,
        }
    }
}
