//! Instructions of a block: steps, pairs, closures, tests of definitions, and drops. Other modules generate the rest.

use super::Body;
use crate::c::{Expression as C, Infix, Statement};
use vlad_core::{ExpressionId, GlobalId, GroupId, LambdaId};
use vlad_cps::{Atom, Instruction, Variable};

impl Body<'_, '_> {
    /// Generates an instruction other than a step.
    pub fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            // `function` takes steps, several at once.
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

    /// Tests that a definition has run, unless that is certain, and fails otherwise.
    fn defined(&mut self, global: GlobalId, node: ExpressionId) {
        if self.context.globals.is_defined(global, self.function.activation) {
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

    /// Binds the members of a recursive group, which share their captured slots.
    fn tie(&mut self, variables: &[Variable], group: GroupId, captures: &[Atom]) {
        let slots = self.slots(captures);
        let members = &self.context.unit.program.group(group).members;
        if variables.len() > 1 && !captures.is_empty() {
            let count = slots.clone().arrow("header").dot("count");
            self.put(Statement::Add(count, C::Number(variables.len() as u64 - 1)));
        }
        for (variable, member) in variables.iter().zip(members) {
            self.assign(*variable, C::call("vlad_procedure", [C::Number(u64::from(member.0)), slots.clone()]));
        }
    }

    /// Allocates captured slots for some values, under a name; 0 for none.
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
