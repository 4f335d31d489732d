//! States and capsules, ⟦k, f⟧ in the equations: moving the state out of the machine, and resuming states and capsules.

use crate::frames::Frame;
use crate::machine::{Machine, Next};
use crate::state::{Point, State, needs_slots, point_stack};
use std::rc::Rc;
use vlad_cps::BlockId;
use vlad_cps::liveness::live_before;
use vlad_table::internal_bug;
use vlad_values::{Points, Slots, Value};

impl<'run> Machine<'run> {
    /// Moves the state before an instruction of a block, which is a step, out of the machine.
    pub fn take_state(&mut self, block: BlockId, instruction: usize) -> State<'run> {
        let converted = self.code.converted;
        let at = Point::of_step(converted, block, instruction, self.site);
        let registers = self.code.layout.registers;
        let alive = live_before(converted.block(block), instruction);
        let registers = alive.iter().map(|variable| self.store.take(registers + variable.0)).collect();
        let slots = self.store.slots.take().filter(|_| needs_slots(converted, at));
        let continuation = std::mem::take(&mut self.continuation).keep();
        let calls = self.steps.own_nested();
        State { code: self.code, continuation, calls, at, registers, slots }
    }

    /// Resumes a state.
    pub fn go_on_from(&mut self, state: State<'run>) -> Next {
        self.continuation = state.continuation.into();
        self.steps.nest_again(state.calls);
        self.store.slots = state.slots;
        self.go_on_at(state.at, state.registers.iter().cloned())
    }

    /// Sets the registers that are live at a point, and continues there.
    fn go_on_at(&mut self, at: Point, values: impl IntoIterator<Item = Value>) -> Next {
        let Some(instruction) = at.instruction else { internal_bug!("a frame is given a value") };
        let alive = live_before(self.code.converted.block(at.block), instruction);
        for (variable, value) in alive.into_iter().zip(values) {
            self.store.set(self.code.layout.registers + variable.0, value);
        }
        self.site = at.site;
        Next::Middle(at.block, instruction)
    }

    /// Pushes the frames of a capsule on the current ones.
    pub fn put_back(&mut self, points: &dyn Points, values: Vec<Value>) -> Next {
        let converted = self.code.converted;
        let mut values = values.into_iter();
        for point in point_stack(points) {
            let Some(instruction) = point.instruction else {
                let code = converted.block(point.block);
                values.by_ref().take(code.free.len()).for_each(|value| self.continuation.saved.push(value));
                let slots = if code.needs_slots { slots_of(values.next()) } else { None };
                self.continuation.frames.push(Frame { block: point.block, site: point.site, slots });
                self.steps.nest_again(1);
                continue;
            };
            let count = live_before(converted.block(point.block), instruction).len();
            let registers: Vec<Value> = values.by_ref().take(count).collect();
            self.store.slots = if needs_slots(converted, *point) { slots_of(values.next()) } else { None };
            return self.go_on_at(*point, registers);
        }
        internal_bug!("the last point of a capsule is entered")
    }
}

fn slots_of(procedure: Option<Value>) -> Option<Rc<Slots>> {
    match procedure {
        Some(Value::Procedure { slots, .. }) => slots,
        Some(
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Primitive(_)
            | Value::Pair(_)
            | Value::Capsule(_)
            | Value::Tagged(_)
            | Value::Vector(_),
        )
        | None => internal_bug!("a capsule has the procedure that its point needs"),
    }
}
