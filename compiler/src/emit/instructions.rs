//! What blocks do, instruction by instruction.

use super::function::{Body, Form};
use crate::c::{Expression as C, Infix, Statement};
use std::mem;
use std::ops::Range;
use vlad_shared::core::{ExpressionId, GlobalId, GroupId, LambdaId};
use vlad_shared::cps::{Atom, BlockId, Instruction, Variable};

impl Body<'_, '_> {
    /// The instructions of a piece, in order.
    pub fn instructions(&mut self, block: BlockId, places: Range<usize>) {
        let instructions = self.block(block).instructions.get(places.clone()).unwrap_or_default();
        let taken = if places.start == 0 { self.take_part(block) } else { 0 };
        let mut steps = 0;
        for instruction in instructions.iter().skip(taken) {
            if let Instruction::Step(_) = instruction {
                steps += 1;
                continue;
            }
            self.steps(mem::take(&mut steps));
            if !self.stand(block, instruction) {
                self.instruction(instruction);
            }
        }
        self.steps(steps);
    }

    /// So many steps between which nothing happens. Taken at once they are paid already.
    fn steps(&mut self, count: u64) {
        self.steps_ahead -= count;
        if count > 0 && self.form == Form::Stepwise {
            self.row();
        }
    }

    /// One that is no step.
    pub fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            // A row of steps is written by `steps`.
            Instruction::Step(_) => {}
            Instruction::Defined { global, node } => self.defined(*global, *node),
            Instruction::Pair { variable, first, second } => {
                let halves = [C::name("m"), self.owned(*first), self.owned(*second)];
                self.assign(*variable, C::call("vlad_pair", halves));
            }
            Instruction::Close { variable, lambda, captures } => self.close(*variable, *lambda, captures),
            Instruction::Tie { variables, group, captures } => self.tie(variables, *group, captures),
            Instruction::Apply { variable, primitive, operands, node } => {
                self.apply(*variable, *primitive, operands, *node);
            }
            Instruction::Match { variables, lambda, binder, argument, node } => {
                self.match_pattern(variables, *lambda, *binder, *argument, *node);
            }
            Instruction::Drop(variable) if self.booleans.contains(variable) => {}
            Instruction::Drop(variable) => {
                let variable = self.variable(*variable);
                self.drop(variable);
            }
        }
    }

    /// Gives a value up.
    pub fn drop(&mut self, value: C) {
        self.put(Statement::Evaluate(C::call("vlad_drop", [C::name("m"), value])));
    }

    /// Fails unless a definition has run, if that is not certain.
    fn defined(&mut self, global: GlobalId, node: ExpressionId) {
        if self.context.is_defined(global, self.function.activation) {
            return;
        }
        let value = C::machine("globals").at(u64::from(global.0));
        let test = value.dot("tag").infix(Infix::Equal, C::name("VLAD_RAW"));
        let fail = self.nested(|body| {
            body.put(Body::fault_of("VLAD_FAULT_UNBOUND"));
            body.put(Statement::Assign(C::machine("fault").dot("detail"), C::Number(u64::from(global.0))));
            let fail = body.fail(node);
            fail.into_iter().for_each(|statement| body.put(statement));
        });
        self.put(Statement::when(test.unlikely(), fail));
    }

    fn close(&mut self, variable: Variable, lambda: LambdaId, captures: &[Atom]) {
        let slots = self.slots(captures);
        self.assign(variable, C::call("vlad_procedure", [C::Number(u64::from(lambda.0)), slots]));
    }

    /// The members of a group share their slots.
    fn tie(&mut self, variables: &[Variable], group: GroupId, captures: &[Atom]) {
        let slots = self.slots(captures);
        let members = &self.context.program.group(group).members;
        if variables.len() > 1 && !captures.is_empty() {
            let count = slots.clone().arrow("header").dot("count");
            self.put(Statement::Add(count, C::Number(variables.len() as u64 - 1)));
        }
        for (variable, member) in variables.iter().zip(members) {
            self.assign(*variable, C::call("vlad_procedure", [C::Number(u64::from(member.0)), slots.clone()]));
        }
    }

    /// New slots of some values, under a name; 0 for none.
    fn slots(&mut self, captures: &[Atom]) -> C {
        if captures.is_empty() {
            return C::Number(0);
        }
        let name = self.fresh("closed");
        let made = C::service("new_slots", [C::Number(captures.len() as u64)]);
        self.put(Statement::Declare { ctype: "struct vlad_slots *", names: vec![name.clone()] });
        self.put(Statement::Assign(C::Name(name.clone()), made));
        for (place, capture) in captures.iter().enumerate() {
            let value = self.owned(*capture);
            self.put(Statement::Assign(C::Name(name.clone()).arrow("values").at(place as u64), value));
        }
        C::Name(name)
    }
}
