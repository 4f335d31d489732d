//! Code for elided values (see [`crate::tagged::analyses::elision`]): bindings of their parts, and continuations that
//! may receive a flagged part in place of a value.

use super::{Body, Form};
use crate::c::{Expression as C, Statement};
use crate::tagged::analyses::elision::{Demand, ElidedCall, ElidedContent};
use crate::tagged::context::Style;
use vlad_cps::liveness::bound;
use vlad_cps::{BlockId, Instruction};

impl Body<'_, '_> {
    /// Generates the first instructions of a continuation whose value may be a part with a note: it tests for the note,
    /// and without one executes them as usual. Returns the number of these instructions.
    pub fn take_part(&mut self, id: BlockId) -> usize {
        let count = match self.context.elisions.demand(id) {
            Demand::Whole | Demand::Operand => return 0,
            Demand::Tangent | Demand::Second | Demand::Pull => 1,
            Demand::PlainTangent | Demand::PlainSecond => 2,
        };
        let block = self.block(id);
        let ([parameter], Some(instructions)) = (block.parameters.as_slice(), block.instructions.get(..count)) else {
            return 0;
        };
        let value = self.variable(*parameter);
        let part = match self.form {
            Form::AtOnce => C::call("vlad_without_note", [value.clone()]),
            Form::Stepwise => C::service("keep", [value.clone()]),
        };
        let then = self.nested(|body| {
            if let Some([others @ .., variable]) = instructions.last().map(bound) {
                others.iter().for_each(|other| body.assign(*other, C::call("vlad_nil", [])));
                body.assign(*variable, part);
            }
        });
        let otherwise = self.nested(|body| instructions.iter().for_each(|instruction| body.instruction(instruction)));
        self.put(Statement::If { test: C::call("vlad_is_noted", [value]), then, otherwise });
        count
    }

    /// Returns true if elision is turned off, so that all values are built.
    fn is_elision_off(&self) -> bool {
        self.form == Form::Stepwise || self.style() == Style::Short
    }

    /// The kind of the call at the end of a block, if its operator and operand are elided.
    pub fn elided_call(&self, block: BlockId) -> Option<ElidedCall> {
        if self.is_elision_off() { None } else { self.context.elisions.call(block) }
    }

    /// Binds a variable whose value is elided, if the instruction is such a binding. Returns true if it is.
    pub fn bind_elided(&mut self, block: BlockId, instruction: &Instruction) -> bool {
        let Instruction::Apply { variable, operands, node, .. } = instruction else { return false };
        if self.is_elision_off() {
            return false;
        }
        match (self.context.elisions.content(block, *variable), operands.as_slice()) {
            (Some(ElidedContent::Content), [content]) => {
                let content = self.owned(*content);
                self.assign(*variable, content);
                true
            }
            (Some(ElidedContent::Bundle { is_perturbed }), [primal, tangent]) => {
                let parts = [self.borrowed(*primal), self.borrowed(*tangent), C::Number(is_perturbed.into())];
                self.assign(*variable, C::service("open", parts));
                self.check_fault(*node);
                for moved in [self.moved(*primal), self.moved(*tangent)].into_iter().flatten() {
                    self.drop(moved);
                }
                true
            }
            (Some(ElidedContent::Content | ElidedContent::Bundle { .. }) | None, _) => false,
        }
    }
}
