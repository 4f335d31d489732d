//! The machine: the loop over blocks, and the counting of steps.
//!
//! A block whose steps all fit below the next halt is counted at once; else it goes node by node. So the count is exact
//! where a run ends, at a limit or at a fault.

use crate::code::{Block, Code};
use crate::fault::{Position, Stop, Stopped};
use crate::frames::Frame;
use crate::store::Store;
use vlad_shared::apply::{Context, Fault, output_fault};
use vlad_shared::core::{ExpressionId, GlobalId, Item, Program};
use vlad_shared::cps::{BlockId, Instruction, Role};
use vlad_shared::diagnostic::Kind;
use vlad_shared::differentiation::{Levels, Surroundings};
use vlad_shared::internal_bug;
use vlad_shared::pending::{Awaiting, diagnose};
use vlad_shared::run::{Host, Limits, Origin, Outcome, Report, Trouble, Watch};
use vlad_shared::segments::Segments;
use vlad_shared::value::Value;
use vlad_shared::whereabouts::Whereabouts;

/// How many steps pass between two looks at the clock and the memory.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 13;

/// What comes next.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// A block, whose parameters have their values.
    Block(BlockId),
    /// Nothing: the value of the expression at top level is in [`Machine::result`].
    Nothing,
}

/// The state of a run.
pub struct Machine<'run> {
    /// The program.
    pub program: &'run Program,
    /// Its code.
    pub code: &'run Code<'run>,
    /// What places stand for.
    pub store: Store,
    /// Which definitions have run.
    pub defined: Vec<bool>,
    /// k: the frames.
    pub frames: Segments<Frame>,
    /// The values that frames keep.
    pub saved: Segments<Value>,
    /// Operands on their way to a procedure that is not known.
    pub operands: Vec<Value>,
    /// The application of the user's through which the prelude was entered, while prelude code runs: where its faults are
    /// shown.
    pub site: ExpressionId,
    /// The application whose call entered a procedure with its whole argument: where a mismatch is shown.
    pub caller: ExpressionId,
    /// The value of an expression at top level, at the end.
    pub result: Value,
    /// n: the steps taken.
    count: u64,
    /// l: the steps at which the machine stops.
    limit: u64,
    /// The next count at which a step has to do more than count: the limit or the next look.
    next_halt: u64,
    /// The differentiations under way.
    pub levels: Levels,
    /// The clock and the memory.
    pub watch: Watch,
    host: &'run mut dyn Host,
}

impl<'run> Machine<'run> {
    /// A machine at the start of a program.
    pub fn new(
        program: &'run Program,
        code: &'run Code<'run>,
        host: &'run mut dyn Host,
        limits: &Limits,
    ) -> Machine<'run> {
        let limit = limits.steps.unwrap_or(u64::MAX);
        let watch = Watch::new(limits);
        let mut machine = Machine {
            program,
            code,
            store: Store::new(program, code.layout),
            defined: vec![false; program.globals.len()],
            frames: Segments::default(),
            saved: Segments::default(),
            operands: Vec::new(),
            site: ExpressionId(0),
            caller: ExpressionId(0),
            result: Value::Nil,
            count: 0,
            limit,
            next_halt: limit.min(STEPS_BETWEEN_LOOKS),
            levels: Levels::new(watch.clone()),
            watch,
            host,
        };
        for (global, code) in &program.prelude {
            machine.define(*global, Value::Procedure { code: *code, slots: None });
        }
        machine
    }

    /// Runs the items of the program in order.
    pub fn run_program(mut self) -> Report {
        let mut outcome = Outcome::Finished;
        for (item, activation) in self.program.items.iter().zip(&self.code.converted.items) {
            let (Item::Define(_, top) | Item::Expression(top)) = *item;
            let entry = self.code.converted.activation(*activation).entry;
            if let Err(stop) = self.run_item(*item, entry, top) {
                outcome = self.outcome(*stop, top);
                break;
            }
        }
        Report { outcome, steps: self.count }
    }

    fn run_item(&mut self, item: Item, entry: BlockId, top: ExpressionId) -> Result<(), Stopped> {
        self.site = top;
        self.store.slots = None;
        let value = self.run(entry)?;
        match item {
            Item::Define(global, _) => {
                self.define(global, value);
                Ok(())
            }
            Item::Expression(_) => {
                let written = self.host.write(self.program, &value, Origin::Result);
                written.map_err(|error| self.stop_at(output_fault(&error), top, Position::Within))
            }
        }
    }

    fn define(&mut self, global: GlobalId, value: Value) {
        self.store.set(self.code.layout.globals + global.0, value);
        if let Some(place) = self.defined.get_mut(global.0 as usize) {
            *place = true;
        }
    }

    fn outcome(&self, stop: Stop, top: ExpressionId) -> Outcome {
        let Stop { fault, node, site, position } = stop;
        match fault {
            Fault::OutputClosed => Outcome::OutputClosed,
            Fault::Trouble(trouble) => {
                // The frames of the prelude tell nothing that is shown.
                let is_untold = position == Position::Within && !self.program.is_prelude(node);
                let innermost =
                    is_untold.then(|| Awaiting { node: Whereabouts::of(self.program).outermost(node), awaited: node });
                let awaiting = innermost.into_iter().chain(self.frames.iter().map(|frame| self.awaiting(frame)));
                Outcome::Failed(Box::new(diagnose(self.program, trouble, node, site, awaiting, top)))
            }
        }
    }

    /// The node whose value a frame awaits.
    fn awaiting(&self, frame: &Frame) -> Awaiting {
        match frame {
            Frame::Continue { block, .. } => match self.code.converted.block(*block).role {
                Role::Continuation { awaiting } => awaiting,
                Role::Entry | Role::Branch => internal_bug!("block {} awaits a value", block.0),
            },
            Frame::Leave { node, .. } => Awaiting { node: *node, awaited: *node },
        }
    }

    /// Runs blocks until the continuation is used up.
    fn run(&mut self, entry: BlockId) -> Result<Value, Stopped> {
        let mut id = entry;
        loop {
            let block = self.code.block(id);
            let count = self.count + block.steps;
            if count <= self.next_halt {
                self.count = count;
                for (place, operation) in block.operations.iter().enumerate() {
                    if let Err(failed) = self.execute(operation) {
                        return Err(self.failed_at_once(id, block, place, *failed));
                    }
                }
            } else {
                self.node_by_node(id, block)?;
            }
            match self.end(&block.end)? {
                Next::Block(next) => id = next,
                Next::Nothing => return Ok(std::mem::take(&mut self.result)),
            }
        }
    }

    /// The instructions of a block one after the other.
    #[cold]
    fn node_by_node(&mut self, id: BlockId, block: &Block) -> Result<(), Stopped> {
        let mut operations = block.operations.iter();
        for instruction in &self.code.converted.block(id).instructions {
            if let Instruction::Step(node) = instruction {
                self.step(*node)?;
            } else if let Some(operation) = operations.next() {
                self.execute(operation).map_err(|failed| self.failed(instruction, *failed))?;
            }
        }
        Ok(())
    }

    /// A fault in a block that was counted at once: the steps after it are taken back.
    #[cold]
    fn failed_at_once(&mut self, id: BlockId, block: &Block, place: usize, fault: Fault) -> Stopped {
        let instructions = &self.code.converted.block(id).instructions;
        let origin = block.origins.get(place).map_or(0, |origin| *origin as usize);
        let later = instructions.iter().skip(origin).filter(|instruction| matches!(instruction, Instruction::Step(_)));
        self.count -= later.count() as u64;
        match instructions.get(origin) {
            Some(instruction) => self.failed(instruction, fault),
            None => internal_bug!("an operation comes from an instruction"),
        }
    }

    /// A fault of an operation, at the node that its instruction tells.
    fn failed(&self, instruction: &Instruction, fault: Fault) -> Stopped {
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

    /// The limit is tested, then the count goes up by one.
    fn step(&mut self, node: ExpressionId) -> Result<(), Stopped> {
        if self.count == self.next_halt {
            self.halt(node)?;
        }
        self.count += 1;
        Ok(())
    }

    fn halt(&mut self, node: ExpressionId) -> Result<(), Stopped> {
        if self.count == self.limit {
            let trouble = Trouble::new(Kind::Steps, format!("the limit of {} steps is reached", self.limit));
            return Err(self.stop_at(trouble, node, Position::Within));
        }
        self.watch.look().map_err(|trouble| self.stop_at(trouble, node, Position::Within))?;
        self.next_halt = self.limit.min(self.count + STEPS_BETWEEN_LOOKS);
        Ok(())
    }

    /// A fault at a node of the running activation, or of the call that entered it.
    pub fn stop_at(&self, fault: impl Into<Fault>, node: ExpressionId, position: Position) -> Stopped {
        Box::new(Stop { fault: fault.into(), node, site: self.site, position })
    }

    /// What a primitive needs of the machine.
    pub fn context(&mut self) -> Context<'_> {
        Context { program: self.program, levels: &mut self.levels, watch: &mut self.watch, host: self.host }
    }

    /// What an operator of differentiation needs of the machine.
    pub fn differentiation(&mut self) -> (&mut Levels, Surroundings<'_>) {
        (&mut self.levels, Surroundings { program: self.program, watch: &mut self.watch })
    }
}
