//! CPS conversion: core to blocks, with the count and the limit threaded.
//!
//! The equations are those of the talk of 2018 (part II), with e for expressions and k for continuations:
//!
//! ```text
//! [c | k, n, l]            ~> ⟨k (n+1) l c⟩
//! [x | k, n, l]            ~> ⟨k (n+1) l x⟩
//! [(lambda p e) | k, n, l] ~> ⟨k (n+1) l (λ k n l p. [e | k, n, l])⟩
//! [(e₁ e₂) | k, n, l]      ~> ⟨[e₁ | (λ n l x₁. [e₂ | (λ n l x₂. (x₁ k n l x₂)), n, l]), n+1, l]⟩
//! ⟨e⟩                      ~> if n = l then stop else e
//! ```
//!
//! A continuation that is written as a λ here is known: it is a [`Rest`], data of the conversion, and giving it a value
//! means to go on converting with the name of that value. So nothing of it is left in the converted program but where a
//! call needs a frame. `if` gives one continuation to two branches: it becomes a block of its own, that both jump to.
//!
//! Where it departs from the equations: an operand that is written as a tuple stays a row of operands, so that primitives
//! and procedures of known code are given them without a pair; `let` binds without a procedure. Counts stay as they are.
//!
//! The conversion is a loop over tasks; neither nesting nor length of a program needs the host's stack. What it remembers
//! of the way to a task (locals, operands) lies on stacks: a task is done before anything below its own part of them can
//! change, since tasks are done last in, first out.

mod body;
pub mod observation;

use super::{ActivationId, Atom, Converted, End, Role, Variable};
use crate::core::{ExpressionId, Item, LambdaId, Pattern, PatternId, Program};
use crate::internal_bug;
use crate::mismatch::Binder;
use body::{Body, Continuation};
use observation::Observation;

/// The most operands that are kept in a row.
pub const MOST_OPERANDS: usize = 32;

/// Converts a program.
pub fn convert(program: &Program) -> Converted {
    let mut conversion = Conversion {
        program,
        converted: Converted { procedures: vec![None; program.lambdas.len()], ..Converted::default() },
        waiting: Vec::new(),
        definition_codes: program.definition_codes(),
        observation: None,
    };
    for (_, lambda) in &program.prelude {
        conversion.need(*lambda);
    }
    conversion.needed_procedures();
    for item in &program.items {
        let (Item::Define(_, top) | Item::Expression(top)) = *item;
        let activation = conversion.top_level(top);
        conversion.converted.items.push(activation);
        conversion.needed_procedures();
    }
    conversion.converted
}

/// The patterns in a row of a pattern `(cons* p q ...)` if all are variables: how many there are. 1 for a variable.
pub fn variables_in_a_row(program: &Program, pattern: PatternId) -> Option<usize> {
    let (mut row, mut tail) = (1, pattern);
    while let Pattern::Pair(first, rest) = program.pattern(tail) {
        if program.pattern(first) != Pattern::Variable || row == MOST_OPERANDS {
            return None;
        }
        (row, tail) = (row + 1, rest);
    }
    (program.pattern(tail) == Pattern::Variable).then_some(row)
}

/// The variables of a pattern, in order.
fn pattern_variables(program: &Program, pattern: PatternId) -> Vec<PatternId> {
    program.patterns_within(pattern).filter(|within| program.pattern(*within) == Pattern::Variable).collect()
}

struct Conversion<'program> {
    program: &'program Program,
    converted: Converted,
    /// Procedures that are referred to and still to be converted.
    waiting: Vec<LambdaId>,
    /// See [`Program::definition_codes`].
    definition_codes: Vec<Option<LambdaId>>,
    /// What is asked of a conversion that is done again.
    observation: Option<Observation>,
}

impl Conversion<'_> {
    /// Notes that a procedure's code is needed.
    fn need(&mut self, lambda: LambdaId) {
        let Some(place) = self.converted.procedures.get_mut(lambda.0 as usize) else {
            internal_bug!("lambda {} is in the arena", lambda.0);
        };
        if place.is_none() {
            // The number is settled when the procedure is converted; that it is needed is noted now.
            *place = Some(ActivationId(u32::MAX));
            self.waiting.push(lambda);
        }
    }

    fn needed_procedures(&mut self) {
        while let Some(lambda) = self.waiting.pop() {
            self.procedure(lambda);
        }
    }

    fn top_level(&mut self, top: ExpressionId) -> ActivationId {
        let mut body = Body::new(self, None);
        let entry = body.new_block(Role::Entry, Vec::new());
        body.begin(entry);
        body.convert(top, Continuation::RETURN);
        body.finish(None, entry, None)
    }

    fn procedure(&mut self, lambda: LambdaId) {
        let program = self.program;
        let code = program.lambda(lambda);
        let mut body = Body::new(self, Some(lambda));
        let argument = body.new_variable("");
        let row = variables_in_a_row(program, code.pattern);
        let entry = body.new_block(Role::Entry, vec![argument]);
        body.begin(entry);
        let names = pattern_variables(program, code.pattern);
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
