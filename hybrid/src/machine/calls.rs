//! The ends of blocks: returns, jumps, branches and calls.

use crate::code::{Call, End, EntryPoint, Location, Move, Moves, SlotSource};
use crate::fault::{MachineResult, PlacedFault, Position};
use crate::frames::Frame;
use crate::machine::computations::OperatorEntry;
use crate::machine::{Machine, Next};
use std::mem;
use vlad_core::ExpressionId;
use vlad_cps::BlockId;
use vlad_runtime::computations::CallSite;
use vlad_runtime::primitives::apply::not_applicable;
use vlad_runtime::primitives::context::Fault;
use vlad_table::{Form, internal_bug};
use vlad_values::Value;

impl Machine<'_> {
    /// Executes the end of a block.
    #[inline]
    pub fn end(&mut self, end: &End) -> MachineResult<Next> {
        match end {
            End::Return(value) => {
                let value = self.store.value(*value);
                Ok(self.give(value))
            }
            End::Jump { block, moves } => {
                self.carry(&moves.before);
                self.carry(&moves.after);
                Ok(Next::Block(*block))
            }
            End::Branch { test, consequent, alternative } => {
                let is_true = self.store.peek(*test).is_none_or(Value::is_true);
                self.store.release(*test);
                Ok(Next::Block(if is_true { *consequent } else { *alternative }))
            }
            End::Enter { block, slots, moves, call } => {
                self.enter(*slots, moves, *call)?;
                Ok(Next::Block(*block))
            }
            End::Call { operator, operands, call } => self.call(*operator, operands, *call),
        }
    }

    #[inline]
    fn carry(&mut self, moves: &[Move]) {
        for Move { from, to } in moves {
            let value = self.store.value(*from);
            self.store.set(*to, value);
        }
    }

    /// Calls a known procedure with the parts of its argument.
    #[inline]
    fn enter(&mut self, provision: SlotSource, moves: &Moves, call: Call) -> MachineResult<()> {
        let slots = match provision {
            SlotSource::Nothing => None,
            SlotSource::Drop(register) => {
                self.store.set(register, Value::Nil);
                None
            }
            // Shared, not moved, even if no frame keeps them: the moves below may still read captured slots.
            SlotSource::Own => self.store.slots.clone(),
            SlotSource::Of(operator) => self.store.slots_of(operator),
        };
        self.carry(&moves.before);
        if let Some(then) = call.then {
            self.save(then);
            self.nest(call)?;
        }
        self.carry(&moves.after);
        self.store.slots = slots;
        if let Some(site) = call.site {
            self.site = site;
        }
        Ok(())
    }

    /// Counts a call that a frame awaits.
    #[inline]
    fn nest(&mut self, call: Call) -> MachineResult<()> {
        self.steps.nest().map_err(|trouble| self.stop_at(trouble, call.node, Position::Call))
    }

    /// Reifies a continuation: pushes a frame with the values that the block needs.
    #[inline]
    fn save(&mut self, then: BlockId) {
        let block = self.code.block(then);
        for register in &block.free {
            let value = self.store.take(*register);
            self.continuation.saved.push(value);
        }
        let slots = if block.needs_slots { mem::take(&mut self.store.slots) } else { None };
        self.continuation.frames.push(Frame { block: then, site: self.site, slots });
    }

    /// k n l x: returns a value to the continuation.
    #[inline]
    pub fn give(&mut self, value: Value) -> Next {
        let Some(Frame { block: then, site, slots }) = self.continuation.frames.pop() else {
            self.result = value;
            return Next::Nothing;
        };
        self.steps.unnest();
        self.site = site;
        self.store.slots = slots;
        let block = self.code.block(then);
        for register in block.free.iter().rev() {
            let Some(kept) = self.continuation.saved.pop() else { internal_bug!("a frame has its values") };
            self.store.set(*register, kept);
        }
        if let Some(parameter) = block.parameters.first() {
            self.store.set(*parameter, value);
        }
        Next::Block(then)
    }

    /// Calls an operator of any kind.
    fn call(&mut self, operator: Location, operands: &[Location], call: Call) -> MachineResult<Next> {
        let operator = self.store.value(operator);
        if let Value::Primitive(primitive) = operator
            && !matches!(primitive.row().form, Form::Control(_))
        {
            let argument = self.tuple_of(operands);
            return match self.apply_plain(primitive, argument) {
                Ok(value) => Ok(self.give_to(call.then, value)),
                Err(failed) => {
                    // Error messages read the frame of the pending call, which any other procedure would have.
                    call.then.into_iter().for_each(|then| self.save(then));
                    Err(self.stop_at(*failed, call.node, Position::Call))
                }
            };
        }
        for operand in operands {
            let operand = self.store.value(*operand);
            self.operands.push(operand);
        }
        if let Some(then) = call.then {
            self.save(then);
            self.nest(call)?;
        }
        let site = self.site;
        self.apply(operator, call.node, site)
    }

    /// Passes a value to the continuation of a call that needed no frame.
    fn give_to(&mut self, then: Option<BlockId>, value: Value) -> Next {
        let Some(then) = then else {
            return self.give(value);
        };
        if let Some(parameter) = self.code.block(then).parameters.first() {
            self.store.set(*parameter, value);
        }
        Next::Block(then)
    }

    /// x₁ k n l x₂: applies an operator to the operands in [`Machine::operands`], for a call at a node of an activation
    /// with that call site.
    pub fn apply(&mut self, operator: Value, node: ExpressionId, site: ExpressionId) -> MachineResult<Next> {
        let stop = |fault: Fault| Box::new(PlacedFault { fault, node, site, position: Position::Call });
        let mut operator = operator;
        loop {
            match operator {
                Value::Procedure { code, slots } => {
                    let procedure = self.code.procedure(code);
                    // A call from library code keeps the call site through which that was entered.
                    self.site = if self.program.is_shipped(node) { site } else { node };
                    self.caller = node;
                    let door = match &procedure.parts {
                        Some(parts) if parts.parameters.len() <= self.operands.len() => parts,
                        Some(_) | None => &procedure.whole,
                    };
                    self.store.slots = if door.needs_slots { slots } else { None };
                    return Ok(self.go_through(door));
                }
                Value::Primitive(primitive) => {
                    let argument = self.take_operands();
                    let Form::Control(control) = primitive.row().form else {
                        let value = self.apply_plain(primitive, argument).map_err(|failed| stop(*failed))?;
                        return Ok(self.give(value));
                    };
                    match self.control(control, primitive, &argument, CallSite { node, site })? {
                        OperatorEntry::Apply(procedure) => operator = procedure,
                        OperatorEntry::Next(next) => return Ok(next),
                    }
                }
                Value::Tagged(ref tagged) => {
                    let argument = self.take_operands();
                    match self.transformed(&operator, tagged, &argument, CallSite { node, site })? {
                        OperatorEntry::Apply(procedure) => operator = procedure,
                        OperatorEntry::Next(next) => return Ok(next),
                    }
                }
                Value::Nil
                | Value::Boolean(_)
                | Value::Real(_)
                | Value::Lifted(_)
                | Value::Pair(_)
                | Value::Capsule(_)
                | Value::Vector(_) => {
                    return Err(stop(not_applicable(self.program, &operator).into()));
                }
            }
        }
    }

    /// Enters a procedure with the operands in [`Machine::operands`], at least as many as its parameters.
    fn go_through(&mut self, door: &EntryPoint) -> Next {
        while self.operands.len() > door.parameters.len() {
            self.join_operands();
        }
        for (register, operand) in door.parameters.iter().zip(self.operands.drain(..)) {
            self.store.set(*register, operand);
        }
        Next::Block(door.block)
    }

    /// Replaces the last two operands by their pair.
    fn join_operands(&mut self) {
        let (Some(second), Some(first)) = (self.operands.pop(), self.operands.pop()) else {
            internal_bug!("there are operands to join");
        };
        self.operands.push(Value::pair(first, second));
    }

    /// Takes the operands as one argument.
    fn take_operands(&mut self) -> Value {
        while self.operands.len() > 1 {
            self.join_operands();
        }
        match self.operands.pop() {
            Some(argument) => argument,
            None => internal_bug!("an application has an operand"),
        }
    }
}
