//! The machine's side of [`vlad_runtime::computations`]: running the computations of operators.

use crate::fault::{MachineResult, PlacedFault, Position};
use crate::machine::{Machine, Next};
use crate::state::{State, point_stack};
use std::mem;
use vlad_cps::BlockId;
use vlad_runtime::computations::{CallSite, Ended};
use vlad_runtime::operators::{ComputationResult, EnteredOperator, OperatorContext, Start, application, transformed};
use vlad_table::{Control, Primitive};
use vlad_values::fault::RuntimeError;
use vlad_values::{Tagged, Value};

/// The result of a primitive that calls a procedure, or of a tagged procedure.
pub enum OperatorEntry {
    /// The caller applies this procedure to the operand in [`Machine::operands`].
    Apply(Value),
    /// The machine continues here.
    Next(Next),
}

impl<'run> Machine<'run> {
    /// Calls a primitive that calls procedures.
    pub fn control(
        &mut self,
        control: Control,
        primitive: Primitive,
        argument: &Value,
        site: CallSite,
    ) -> MachineResult<OperatorEntry> {
        let entered = application::enter(control, primitive, argument, site.node, &mut self.operator_context());
        self.go_into(entered, site)
    }

    /// Calls a tagged procedure.
    pub fn transformed(
        &mut self,
        operator: &Value,
        tagged: &Tagged,
        argument: &Value,
        site: CallSite,
    ) -> MachineResult<OperatorEntry> {
        let entered = transformed::enter(operator, tagged, argument, site.node, &mut self.operator_context());
        self.go_into(entered, site)
    }

    fn go_into(
        &mut self,
        entered: Result<EnteredOperator<State<'run>>, RuntimeError>,
        site: CallSite,
    ) -> MachineResult<OperatorEntry> {
        match entered.map_err(|trouble| stop(trouble, site))? {
            EnteredOperator::Value(value) => Ok(OperatorEntry::Next(self.give(value))),
            EnteredOperator::Call { operator, operand } => {
                self.operands.push(operand);
                Ok(OperatorEntry::Apply(operator))
            }
            EnteredOperator::Resume { capsule, values } => {
                let calls = point_stack(&*capsule.skeleton.points).len().saturating_sub(1) as u64;
                self.steps.nests(calls).map_err(|trouble| stop(trouble, site))?;
                Ok(OperatorEntry::Next(self.put_back(&*capsule.skeleton.points, values)))
            }
            EnteredOperator::Computation { run, then } => {
                let continuation = mem::take(&mut self.continuation);
                let start = self.computations.begin(continuation, run, then, site, &mut self.steps);
                Ok(self.start(start))
            }
        }
    }

    fn start(&mut self, start: Start<State<'run>>) -> OperatorEntry {
        match start {
            Start::Apply { operator, operand } => {
                self.operands.push(operand);
                OperatorEntry::Apply(operator)
            }
            Start::State(state) => OperatorEntry::Next(self.go_on_from(state)),
        }
    }

    /// Ends a computation with its value, which is in the result.
    #[cold]
    pub fn computed(&mut self) -> MachineResult<Next> {
        let value = mem::take(&mut self.result);
        self.ended(ComputationResult::Value(value))
    }

    /// Ends a computation at its limit, before an instruction of a block.
    #[cold]
    pub fn interrupted(&mut self, block: BlockId, instruction: usize) -> MachineResult<Next> {
        let state = self.take_state(block, instruction);
        self.ended(ComputationResult::Interrupted(state))
    }

    fn ended(&mut self, ending: ComputationResult<State<'run>>) -> MachineResult<Next> {
        let Machine { program, computations, steps, levels, watch, effects, strategy, .. } = self;
        let mut operator_context = OperatorContext { program, levels, watch, effects, strategy: *strategy };
        match computations.end(ending, steps, &mut operator_context) {
            Ended::Again(start, CallSite { node, site }) => match self.start(start) {
                OperatorEntry::Apply(operator) => self.apply(operator, node, site),
                OperatorEntry::Next(next) => Ok(next),
            },
            Ended::Value(continuation, value) => {
                self.continuation = continuation;
                Ok(self.give(value))
            }
            Ended::Fault(continuation, trouble, site) => {
                self.continuation = continuation;
                Err(stop(trouble, site))
            }
        }
    }
}

/// Makes a fault of an application.
fn stop(trouble: RuntimeError, CallSite { node, site }: CallSite) -> Box<PlacedFault> {
    Box::new(PlacedFault { fault: trouble.into(), node, site, position: Position::Call })
}
