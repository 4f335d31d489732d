//! The equations of the conversion: one for each construct, and one for each known continuation applied to a value.

use crate::convert::body::{Body, Continuation, KnownContinuation, Next, Rest, Task};
use crate::convert::stacks::Location;
use crate::tree::{Atom, BlockId, CallContinuation, End, Instruction, Role, Variable};
use vlad_core::{Awaiting, Binder, Expression, ExpressionId, LambdaId, MOST_OPERANDS, Reference};
use vlad_table::{Form, Primitive, internal_bug};

impl Body<'_, '_> {
    /// Converts an expression: one equation for each construct.
    pub(super) fn expression(&mut self, node: ExpressionId, then: Continuation) -> Next {
        self.step(node);
        match self.program.expression(node) {
            Expression::Constant(constant) => Next::Give(Atom::Constant(constant), then),
            Expression::Variable(reference) => Next::Give(self.variable(reference, node), then),
            Expression::Lambda(lambda) => Next::Give(self.close(lambda, node), then),
            Expression::Application { operator, operand } => {
                let rest = Rest::Operator { node, operand };
                Next::Convert(operator, self.continuation(rest, node, operator, then))
            }
            Expression::Let { operator, lambda, operand } => {
                self.step(operator);
                let row = self.program.variables_in_a_row(self.program.lambda(lambda).pattern);
                self.operand(node, operand, self.stacks.operands.len(), row.unwrap_or(1), then)
            }
            Expression::Cons { first, second } => {
                Next::Convert(first, self.continuation(Rest::First { second }, node, first, then))
            }
            Expression::If { test, consequent, alternative } => {
                let rest = Rest::Test { consequent, alternative };
                Next::Convert(test, self.continuation(rest, node, test, then))
            }
            Expression::Letrec { group, body } => {
                let group_of = self.program.group(group);
                let captures = self.captures(&group_of.captures, node);
                let mut variables = Vec::new();
                for member in &group_of.members {
                    self.conversion.need(*member);
                    variables.push(self.known_procedure(*member));
                }
                variables.iter().for_each(|variable| self.stacks.locals.push(Atom::Variable(*variable)));
                self.instructions.push(Instruction::Tie { variables, group, captures });
                Next::Convert(body, then)
            }
        }
    }

    /// Makes the continuation that receives the value of a part of a construct. Parts in tail position get none of
    /// their own.
    fn continuation(
        &mut self,
        rest: Rest,
        node: ExpressionId,
        awaited: ExpressionId,
        next: Continuation,
    ) -> Continuation {
        let outermost = self.known(next).outermost.or(Some(node));
        let (locals, operands) = (self.stacks.locals.len(), self.stacks.operands.len());
        self.continuations.push(KnownContinuation { rest, next, locals, operands, awaited, outermost });
        Continuation(self.continuations.len() - 1)
    }

    pub(super) fn known(&self, continuation: Continuation) -> KnownContinuation {
        match self.continuations.get(continuation.0) {
            Some(known) => *known,
            None => internal_bug!("continuation {} is in the arena", continuation.0),
        }
    }

    fn variable(&mut self, reference: Reference, node: ExpressionId) -> Atom {
        match reference {
            Reference::Global(global) => {
                self.instructions.push(Instruction::Defined { global, node });
                Atom::Global(global)
            }
            Reference::Primitive(primitive) => Atom::Primitive(primitive),
            Reference::Local(_) | Reference::Slot(_) | Reference::Sibling(_) => self.captured(reference, node),
        }
    }

    /// The atom of a variable of the activation.
    fn captured(&mut self, reference: Reference, node: ExpressionId) -> Atom {
        match reference {
            Reference::Local(index) => match self.stacks.locals.get(index as usize) {
                Some(place) => self.atom_at(place, node),
                None => internal_bug!("local {index} is bound"),
            },
            Reference::Slot(index) => Atom::Slot(index),
            Reference::Sibling(place) => {
                let group = self.lambda.and_then(|lambda| self.program.lambda(lambda).group);
                let member = group.and_then(|(group, _)| self.program.group(group).members.get(place as usize));
                match member {
                    Some(member) => Atom::Sibling(*member),
                    None => internal_bug!("only members of a group refer to siblings"),
                }
            }
            Reference::Global(_) | Reference::Primitive(_) => internal_bug!("top-level names are never captured"),
        }
    }

    fn captures(&mut self, captures: &[Reference], node: ExpressionId) -> Vec<Atom> {
        captures.iter().map(|reference| self.captured(*reference, node)).collect()
    }

    fn close(&mut self, lambda: LambdaId, node: ExpressionId) -> Atom {
        self.conversion.need(lambda);
        let captures = self.captures(&self.program.lambda(lambda).captures, node);
        let variable = self.known_procedure(lambda);
        self.instructions.push(Instruction::Close { variable, lambda, captures });
        Atom::Variable(variable)
    }

    fn known_procedure(&mut self, lambda: LambdaId) -> Variable {
        let variable = self.new_variable(self.program.lambda(lambda).name.as_deref().unwrap_or_default());
        self.set_code(variable, Some(lambda));
        variable
    }

    pub(super) fn set_code(&mut self, variable: Variable, code: Option<LambdaId>) {
        if let Some(place) = self.codes.get_mut(variable.0 as usize) {
            *place = code;
        }
    }

    /// k n l x for a known continuation k.
    pub(super) fn give(&mut self, value: Atom, to: Continuation) -> Next {
        let known = self.known(to);
        if let Rest::Return = known.rest {
            self.end(End::Return(value));
            return Next::Done;
        }
        if let Rest::Block(block) = known.rest {
            self.end(End::Jump { block, arguments: vec![value] });
            return Next::Done;
        }
        self.stacks.locals.truncate(known.locals);
        self.stacks.operands.truncate(known.operands);
        match known.rest {
            Rest::Operator { node, operand } => {
                let start = self.stacks.operands.len();
                self.stacks.operands.push(value);
                self.operand(node, operand, start, self.row_limit(value), known.next)
            }
            Rest::Operand { node, start, rest, row_limit } => {
                self.stacks.operands.push(value);
                self.operand(node, rest, start, row_limit - 1, known.next)
            }
            Rest::LastOperand { node, start } => {
                self.stacks.operands.push(value);
                let places = self.stacks.operands.split_off(start);
                let operands = places.into_iter().map(|place| self.atom_at(place, node)).collect();
                self.apply_or_bind(node, operands, known.next)
            }
            Rest::First { second } => {
                let start = self.stacks.operands.len();
                self.stacks.operands.push(value);
                let node = known.outermost.unwrap_or(known.awaited);
                Next::Convert(second, self.continuation(Rest::Second { start }, node, second, known.next))
            }
            Rest::Second { start } => {
                let Some(first) = self.stacks.operands.get(start) else {
                    internal_bug!("the first half of a pair waits on the stack");
                };
                let first = self.atom_at(first, known.awaited);
                let variable = self.pair(first, value);
                Next::Give(variable, known.next)
            }
            Rest::Test { consequent, alternative } => self.branch(value, consequent, alternative, known.next),
            Rest::Return | Rest::Block(_) => internal_bug!("these continuations end a block"),
        }
    }

    /// The greatest length of the row of operands that is passed to an operator.
    fn row_limit(&self, operator: Atom) -> usize {
        match self.code(operator) {
            Some(lambda) => self.program.variables_in_a_row(self.program.lambda(lambda).pattern).unwrap_or(1),
            None => MOST_OPERANDS,
        }
    }

    /// The code of a procedure, if it is known.
    pub(in super::super) fn code(&self, operator: Atom) -> Option<LambdaId> {
        match operator {
            Atom::Variable(variable) | Atom::Moved(variable) => self.codes.get(variable.0 as usize).copied().flatten(),
            Atom::Sibling(lambda) => Some(lambda),
            Atom::Global(global) => self.conversion.known_definitions.get(global.0 as usize).copied().flatten(),
            Atom::Constant(_) | Atom::Primitive(_) | Atom::Slot(_) => None,
        }
    }

    /// Converts an operand, or the rest of it; a tuple becomes a row of operands while the row may grow.
    fn operand(
        &mut self,
        node: ExpressionId,
        operand: ExpressionId,
        start: usize,
        row_limit: usize,
        next: Continuation,
    ) -> Next {
        if let Expression::Cons { first, second } = self.program.expression(operand)
            && row_limit > 1
        {
            self.step(operand);
            let rest = Rest::Operand { node, start, rest: second, row_limit };
            return Next::Convert(first, self.continuation(rest, node, first, next));
        }
        let rest = Rest::LastOperand { node, start };
        Next::Convert(operand, self.continuation(rest, node, operand, next))
    }

    pub(super) fn pair(&mut self, first: Atom, second: Atom) -> Atom {
        let variable = self.new_variable("");
        self.instructions.push(Instruction::Pair { variable, first, second });
        Atom::Variable(variable)
    }

    /// Shortens a row of operands to `length`, by replacing the last two by a pair repeatedly.
    fn shorten(&mut self, operands: &mut Vec<Atom>, length: usize) {
        while operands.len() > length.max(1)
            && let (Some(second), Some(first)) = (operands.pop(), operands.pop())
        {
            let pair = self.pair(first, second);
            operands.push(pair);
        }
    }

    /// Emits an application or a `let` whose operands have their values; the operands of an application follow the
    /// operator.
    fn apply_or_bind(&mut self, node: ExpressionId, mut operands: Vec<Atom>, next: Continuation) -> Next {
        if let Expression::Let { lambda, .. } = self.program.expression(node) {
            return self.bind(node, lambda, operands, next);
        }
        let operator = operands.remove(0);
        if let Atom::Primitive(primitive) = operator
            && !matches!(primitive.row().form, Form::Control(_))
        {
            return Next::Give(self.apply(primitive, operands, node), next);
        }
        let then = self.reify(next);
        let row = self.code(operator).and_then(|lambda| {
            let row = self.program.variables_in_a_row(self.program.lambda(lambda).pattern)?;
            Some((lambda, row))
        });
        match row {
            Some((lambda, row)) if operands.len() >= row => {
                self.shorten(&mut operands, row);
                self.end(End::Enter { operator, lambda, arguments: operands, then, node });
            }
            Some(_) | None => self.end(End::Call { operator, operands, then, node }),
        }
        Next::Done
    }

    fn apply(&mut self, primitive: Primitive, operands: Vec<Atom>, node: ExpressionId) -> Atom {
        if let (Form::Pair, [first, second]) = (primitive.row().form, operands.as_slice()) {
            return self.pair(*first, *second);
        }
        let variable = self.new_variable("");
        self.instructions.push(Instruction::Apply { variable, primitive, operands, node });
        Atom::Variable(variable)
    }

    /// Binds the pattern of a `let` to its operand, and converts the body.
    fn bind(&mut self, node: ExpressionId, lambda: LambdaId, mut operands: Vec<Atom>, next: Continuation) -> Next {
        let code = self.program.lambda(lambda);
        match self.program.variables_in_a_row(code.pattern) {
            Some(row) if row == operands.len() => {
                for (pattern, operand) in self.program.pattern_variables(code.pattern).iter().zip(&operands) {
                    if let Atom::Variable(variable) = operand
                        && self.names.get(variable.0 as usize).is_some_and(String::is_empty)
                    {
                        self.name(*variable, self.program.pattern_name(*pattern));
                    }
                }
                operands.into_iter().for_each(|operand| self.stacks.locals.push(operand));
            }
            Some(_) | None => {
                self.shorten(&mut operands, 1);
                let Some(argument) = operands.pop() else { internal_bug!("a let has an operand") };
                let variables = self.match_pattern(lambda, argument, Binder::Let, Some(node));
                variables.into_iter().for_each(|variable| self.stacks.locals.push(Atom::Variable(variable)));
            }
        }
        Next::Convert(code.body, next)
    }

    /// Emits a match of an argument against the pattern of a lambda, and returns the new variables. Those of a
    /// procedure also become its locals, until a direct block replaces them.
    pub(in super::super) fn match_pattern(
        &mut self,
        lambda: LambdaId,
        argument: Atom,
        binder: Binder,
        node: Option<ExpressionId>,
    ) -> Vec<Variable> {
        let program = self.program;
        let names = program.pattern_variables(program.lambda(lambda).pattern);
        let variables: Vec<Variable> =
            names.iter().map(|name| self.new_variable(program.pattern_name(*name))).collect();
        self.instructions.push(Instruction::Match { variables: variables.clone(), lambda, binder, argument, node });
        if binder == Binder::Procedure {
            variables.iter().for_each(|variable| self.stacks.locals.push(Atom::Variable(*variable)));
        }
        variables
    }

    /// Emits the branch of an `if` whose test has its value.
    fn branch(&mut self, test: Atom, consequent: ExpressionId, alternative: ExpressionId, next: Continuation) -> Next {
        self.pack();
        let then = match self.known(next).rest {
            Rest::Return | Rest::Block(_) => next,
            Rest::Operator { .. }
            | Rest::Operand { .. }
            | Rest::LastOperand { .. }
            | Rest::First { .. }
            | Rest::Second { .. }
            | Rest::Test { .. } => self.continuation_of_block(next),
        };
        let (yes, no) = (self.new_block(Role::Branch, Vec::new()), self.new_block(Role::Branch, Vec::new()));
        self.end(End::Branch { test, consequent: yes, alternative: no });
        let (locals, operands, mark) = (self.stacks.locals.len(), self.stacks.operands.len(), self.stacks.mark());
        self.tasks.push(Task::Convert { block: no, node: alternative, then, locals, operands, mark });
        self.tasks.push(Task::Convert { block: yes, node: consequent, then, locals, operands, mark });
        Next::Done
    }

    /// Makes the block of a continuation, to be filled later.
    fn block_of(&mut self, continuation: Continuation) -> BlockId {
        let known = self.known(continuation);
        let value = self.new_variable("");
        let node = known.outermost.unwrap_or(known.awaited);
        let awaiting = Awaiting { node, awaited: known.awaited };
        let local = self.program.iteration_local(known.awaited);
        let iteration = local.and_then(|local| match self.stacks.locals.get(local as usize) {
            Some(Location::Atom(Atom::Variable(variable))) => Some(variable),
            Some(Location::Atom(_) | Location::Packed { .. }) | None => None,
        });
        let block = self.new_block(Role::Continuation { awaiting, iteration }, vec![value]);
        self.tasks.push(Task::Give { block, value, to: continuation, mark: self.stacks.mark() });
        block
    }

    /// Makes a continuation that jumps to the block of another one.
    fn continuation_of_block(&mut self, continuation: Continuation) -> Continuation {
        let rest = Rest::Block(self.block_of(continuation));
        self.continuations.push(KnownContinuation { rest, ..self.known(continuation) });
        Continuation(self.continuations.len() - 1)
    }

    /// The continuation operand of a call: the activation's own, or a block to be reified.
    fn reify(&mut self, continuation: Continuation) -> CallContinuation {
        match self.known(continuation).rest {
            Rest::Return => CallContinuation::Return,
            Rest::Block(block) => CallContinuation::Continue(block),
            Rest::Operator { .. }
            | Rest::Operand { .. }
            | Rest::LastOperand { .. }
            | Rest::First { .. }
            | Rest::Second { .. }
            | Rest::Test { .. } => {
                self.pack();
                CallContinuation::Continue(self.block_of(continuation))
            }
        }
    }
}
