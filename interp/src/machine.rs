//! The machine: the registers of the equations, the trampoline, and the counting of steps.

use crate::continuation::Continuation;
use crate::direct::Sizes;
use crate::environment::Environment;
use crate::fault::{Stop, Stopped};
use crate::rests::Rests;
use vlad_shared::apply::{Context, Fault, output_fault};
use vlad_shared::core::{ExpressionId, GlobalId, Item, Program};
use vlad_shared::diagnostic::Kind;
use vlad_shared::differentiation::{Levels, Surroundings};
use vlad_shared::pending::diagnose;
use vlad_shared::run::{Host, Limits, Origin, Outcome, Report, Trouble, Watch};
use vlad_shared::value::Value;

/// How many steps pass between two looks at the clock and the memory.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 13;

/// What the machine does next.
#[derive(Debug)]
pub enum Transition {
    /// 𝓔: evaluate an expression in the current environment.
    Evaluate(ExpressionId),
    /// 𝓐: apply an operator to an operand.
    Apply {
        /// The operator.
        operator: Value,
        /// The operand.
        operand: Value,
        /// The application.
        node: ExpressionId,
        /// Where faults of the prelude are shown.
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
    /// k: the frames.
    pub frames: Continuation,
    /// n: the steps taken.
    pub count: u64,
    /// l: the steps at which the machine stops.
    limit: u64,
    /// The next count at which a step has to do more than count: the limit or the next look.
    pub next_halt: u64,
    /// Which expressions are evaluated in one go.
    pub sizes: Sizes,
    /// What frames have to keep.
    pub rests: Rests,
    levels: Levels,
    watch: Watch,
    host: &'run mut dyn Host,
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
        let limit = limits.steps.unwrap_or(u64::MAX);
        let watch = Watch::new(limits);
        Machine {
            program,
            globals,
            environment: Environment::top(ExpressionId(0)),
            frames: Continuation::default(),
            count: 0,
            limit,
            next_halt: limit.min(STEPS_BETWEEN_LOOKS),
            sizes: Sizes::of(program),
            rests: Rests::of(program),
            levels: Levels::new(watch.clone()),
            watch,
            host,
        }
    }

    /// Runs the items of the program in order.
    pub fn run_program(mut self) -> Report {
        let mut outcome = Outcome::Finished;
        for item in &self.program.items {
            let (Item::Define(_, top) | Item::Expression(top)) = *item;
            if let Err(stop) = self.run_item(*item, top) {
                outcome = self.outcome(*stop, top);
                break;
            }
        }
        Report { outcome, steps: self.count }
    }

    fn run_item(&mut self, item: Item, top: ExpressionId) -> Result<(), Stopped> {
        self.environment = Environment::top(top);
        let value = self.run(Transition::Evaluate(top))?;
        match item {
            Item::Define(GlobalId(global), _) => {
                if let Some(place) = self.globals.get_mut(global as usize) {
                    *place = Some(value);
                }
                Ok(())
            }
            Item::Expression(_) => {
                let written = self.host.write(self.program, &value, Origin::Result);
                written.map_err(|error| Box::new(Stop { fault: output_fault(&error), node: top, site: top }))
            }
        }
    }

    fn outcome(&self, stop: Stop, top: ExpressionId) -> Outcome {
        match stop.fault {
            Fault::OutputClosed => Outcome::OutputClosed,
            Fault::Trouble(trouble) => {
                let awaiting = self.frames.iter().map(|frame| frame.awaiting(self.program));
                Outcome::Failed(Box::new(diagnose(self.program, trouble, stop.node, stop.site, awaiting, top)))
            }
        }
    }

    /// The trampoline: takes transitions until the continuation is used up.
    fn run(&mut self, first: Transition) -> Result<Value, Stopped> {
        let mut transition = first;
        loop {
            transition = match transition {
                Transition::Evaluate(node) => self.evaluate(node)?,
                Transition::Apply { operator, operand, node, site } => self.apply(operator, operand, node, site)?,
                Transition::Return(value) => match self.frames.pop() {
                    Some(frame) => self.resume(frame, value)?,
                    None => return Ok(value),
                },
            };
        }
    }

    /// ⟦·⟧ with k, n, l: the limit is tested, then the count goes up by one.
    #[inline]
    pub fn step(&mut self, node: ExpressionId) -> Result<(), Stopped> {
        if self.count == self.next_halt {
            self.halt(node)?;
        }
        self.count += 1;
        Ok(())
    }

    #[cold]
    fn halt(&mut self, node: ExpressionId) -> Result<(), Stopped> {
        if self.count == self.limit {
            let trouble = Trouble::new(Kind::Steps, format!("the limit of {} steps is reached", self.limit));
            return Err(self.stop(trouble, node));
        }
        self.watch.look().map_err(|trouble| self.stop(trouble, node))?;
        self.next_halt = self.limit.min(self.count + STEPS_BETWEEN_LOOKS);
        Ok(())
    }

    /// A fault at a node of the current activation.
    pub fn stop(&self, fault: impl Into<Fault>, node: ExpressionId) -> Stopped {
        Box::new(Stop { fault: fault.into(), node, site: self.environment.site })
    }

    /// What a primitive needs of the machine.
    pub fn context(&mut self) -> Context<'_> {
        Context { program: self.program, levels: &mut self.levels, watch: &mut self.watch, host: self.host }
    }

    /// What an operator of differentiation needs of the machine.
    pub fn differentiation(&mut self) -> (&mut Levels, Surroundings<'_>) {
        (&mut self.levels, Surroundings { program: self.program, watch: &mut self.watch })
    }

    /// The differentiations under way.
    pub fn levels(&mut self) -> &mut Levels {
        &mut self.levels
    }

    /// The watch over clock and memory.
    pub fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }
}
