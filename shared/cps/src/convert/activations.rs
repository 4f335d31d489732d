//! The conversion of one activation: a procedure, or an expression at top level.

use super::body::{Body, Continuation};
use super::conversion::Conversion;
use crate::tree::{ActivationId, Atom, End, Role, Variable};
use vlad_core::{Binder, ExpressionId, LambdaId};

impl Conversion<'_> {
    /// Converts the procedures on the worklist.
    pub(super) fn needed_procedures(&mut self) {
        while let Some(lambda) = self.waiting.pop() {
            self.procedure(lambda);
        }
    }

    /// Converts an expression at top level.
    pub(super) fn top_level(&mut self, top: ExpressionId) -> ActivationId {
        let mut body = Body::new(self, None);
        let entry = body.new_block(Role::Entry, Vec::new());
        body.begin(entry);
        body.convert(top, Continuation::RETURN);
        body.finish(None, entry, None)
    }

    /// Converts a procedure.
    pub(super) fn procedure(&mut self, lambda: LambdaId) {
        let program = self.program;
        let code = program.lambda(lambda);
        let mut body = Body::new(self, Some(lambda));
        let argument = body.new_variable("");
        let row = program.variables_in_a_row(code.pattern);
        let entry = body.new_block(Role::Entry, vec![argument]);
        body.begin(entry);
        let names = program.pattern_variables(code.pattern);
        let direct = if row == Some(1) {
            body.name(argument, program.pattern_name(code.pattern));
            body.stacks.locals.push(Atom::Variable(argument));
            Some(entry)
        } else {
            let variables = body.match_pattern(lambda, Atom::Variable(argument), Binder::Procedure, None);
            row.map(|_| {
                let parameters: Vec<Variable> =
                    names.iter().map(|name| body.new_variable(program.pattern_name(*name))).collect();
                let direct = body.new_block(Role::Entry, parameters.clone());
                let arguments = variables.into_iter().map(Atom::Variable).collect();
                body.end(End::Jump { block: direct, arguments });
                body.begin(direct);
                body.stacks.locals.truncate(0);
                parameters.into_iter().for_each(|parameter| body.stacks.locals.push(Atom::Variable(parameter)));
                direct
            })
        };
        body.convert(code.body, Continuation::RETURN);
        let activation = body.finish(Some(lambda), entry, direct);
        if let Some(place) = self.converted.procedures.get_mut(lambda.0 as usize) {
            *place = Some(activation);
        }
    }
}
