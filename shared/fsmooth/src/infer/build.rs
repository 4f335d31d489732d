//! The typed tree of all instances.

use super::flow::instances::{Instance, Key};
use super::flow::walk::Signature;
use crate::builtins::Builtin;
use crate::scoped::{Scoped, ScopedId, ScopedLocalId, ScopedTree, ScopedVariable};
use crate::typed::{
    Expression, ExpressionId, Global, GlobalId, Head, Item, LocalId, Program, Type, TypeId, Types, Variable,
};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use vlad_core::source::Span;
use vlad_language::names::Names;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// Makes the typed tree of instances.
pub(super) fn build(tree: &ScopedTree, names: &Names, instances: Vec<Instance>, types: Types) -> Program {
    let mut program = Program::with_types(types);
    let mut globals: FxHashMap<Key, GlobalId> = FxHashMap::default();
    for instance in instances {
        let body = instance.walked.body;
        let mut builder = Builder {
            tree,
            names,
            program: &mut program,
            globals: &globals,
            instance: &instance,
            made: Vec::with_capacity((body.root.0 - body.first) as usize + 1),
            locals: FxHashMap::default(),
        };
        for id in body.expressions() {
            let made = builder.expression(id);
            builder.made.push(made);
        }
        let value = builder.made(body.root);
        match instance.key {
            None => program.items.push(Item::Expression(value)),
            Some(key) => {
                let definition = tree.definition(key.0.0);
                let global = program.add_global(Global {
                    name: names.text(definition.name).into(),
                    type_id: program.type_of(value),
                    span: definition.span,
                    value,
                    origin: definition.origin,
                });
                program.items.push(Item::Define(global));
                globals.insert(key, global);
            }
        }
    }
    program
}

struct Builder<'run> {
    tree: &'run ScopedTree,
    names: &'run Names,
    program: &'run mut Program,
    globals: &'run FxHashMap<Key, GlobalId>,
    instance: &'run Instance,
    /// The typed expression of each expression, from the first.
    made: Vec<ExpressionId>,
    locals: FxHashMap<ScopedLocalId, LocalId>,
}

impl Builder<'_> {
    fn made(&self, id: ScopedId) -> ExpressionId {
        let Some(made) = self.made.get(id.0.wrapping_sub(self.instance.walked.body.first) as usize) else {
            internal_bug!("expression {} is made in order", id.0)
        };
        *made
    }

    /// Returns the typed local of a local, new or old.
    fn local(&mut self, id: ScopedLocalId) -> LocalId {
        if let Some(local) = self.locals.get(&id) {
            return *local;
        }
        let local = self.tree.local(id);
        let type_id = match local.value {
            Some(value) => self.instance.type_of(value),
            None => self.instance.solved(self.instance.walked.local(id)),
        };
        let new = self.program.add_local(self.names.text(local.name), type_id, local.span);
        self.locals.insert(id, new);
        new
    }

    /// Returns an expression, widened to a type.
    fn widened(&mut self, made: ExpressionId, to: TypeId) -> ExpressionId {
        let from = self.program.type_of(made);
        if from == to {
            return made;
        }
        if let (Expression::Lambda { parameter, body }, Type::Function(taken, result)) =
            (self.program.expression(made), self.program.types.get(to))
            && taken == self.program.local(parameter).type_id
        {
            // The body is widened in place of the function.
            let body = self.widened_body(body, result);
            return self.program.add(Expression::Lambda { parameter, body }, to, self.program.span(made));
        }
        self.widened_value(made, to)
    }

    /// Returns an expression of another type, widened to this one; a number has it at once.
    fn widened_value(&mut self, made: ExpressionId, to: TypeId) -> ExpressionId {
        let span = self.program.span(made);
        if let Expression::Number(value) = self.program.expression(made) {
            return self.program.add(Expression::Number(value), to, span);
        }
        self.program.add(Expression::Widen(made), to, span)
    }

    /// Widens the body of a function, which may be a function in turn.
    fn widened_body(&mut self, body: ExpressionId, to: TypeId) -> ExpressionId {
        let (mut parameters, mut inner, mut result) = (vec![], body, to);
        while let (Expression::Lambda { parameter, body }, Type::Function(taken, next)) =
            (self.program.expression(inner), self.program.types.get(result))
            && taken == self.program.local(parameter).type_id
        {
            parameters.push((parameter, self.program.span(inner)));
            (inner, result) = (body, next);
        }
        let mut made = if self.program.type_of(inner) == result { inner } else { self.widened_value(inner, result) };
        for (parameter, span) in parameters.into_iter().rev() {
            made = self.program.at(span).lambda(parameter, made);
        }
        made
    }

    /// Returns the typed expression of an expression, widened to a type.
    fn part(&mut self, id: ScopedId, to: TypeId) -> ExpressionId {
        let made = self.made(id);
        self.widened(made, to)
    }

    fn expression(&mut self, id: ScopedId) -> ExpressionId {
        let (own, span) = (self.instance.type_of(id), self.tree.span(id));
        let expression = match self.tree.get(id) {
            Scoped::Number(value, _) => Expression::Number(value),
            Scoped::Boolean(value) => Expression::Boolean(value),
            Scoped::Local(local) => Expression::Local(self.local(local)),
            Scoped::Definition(_) => Expression::Global(self.global(id)),
            Scoped::Lambda(local, body) => Expression::Lambda { parameter: self.local(local), body: self.made(body) },
            Scoped::Application(function, argument) => {
                let function = self.made(function);
                let function_type = self.program.type_of(function);
                let Type::Function(parameter, _) = self.program.types.get(function_type) else {
                    internal_bug!("an operator is a function")
                };
                Expression::Application { function, argument: self.part(argument, parameter) }
            }
            Scoped::Let(local, value, body) => {
                Expression::Let { local: self.local(local), value: self.made(value), body: self.made(body) }
            }
            Scoped::If(condition, consequent, alternative) => Expression::If {
                condition: self.made(condition),
                consequent: self.part(consequent, own),
                alternative: self.part(alternative, own),
            },
            Scoped::Array(elements) => {
                let Type::Array(element) = self.program.types.get(own) else {
                    internal_bug!("an array has the type of one")
                };
                let elements = self.tree.operands(elements);
                let elements: Vec<ExpressionId> = elements.iter().map(|part| self.part(*part, element)).collect();
                Expression::Array(self.program.add_elements(elements))
            }
            Scoped::Annotated(inner, _) => return self.part(inner, own),
            Scoped::Deriv(body, variable, _) => {
                let Some(widened) = self.instance.walked.widened.get(&id) else {
                    internal_bug!("the type of a differentiated expression is known")
                };
                let body = self.part(body, self.instance.solved(*widened));
                let variable = match variable {
                    ScopedVariable::Local(local) => Variable::Local(self.local(local)),
                    ScopedVariable::Definition(_) => Variable::Global(self.global(id)),
                };
                Expression::Deriv { body, variable }
            }
            Scoped::Call(builtin, operands, _) => return self.call(id, builtin, self.tree.operands(operands)),
            Scoped::Unknown => internal_bug!("an item with errors has no typed tree"),
        };
        self.program.add(expression, own, span)
    }

    fn global(&self, id: ScopedId) -> GlobalId {
        let Some(global) = self.instance.use_of(id).and_then(|key| self.globals.get(&key)) else {
            internal_bug!("the instances that are used come before their use")
        };
        *global
    }

    /// Makes a call of a function of the language. Without all operands it is a function of the others; the given ones
    /// are evaluated before.
    fn call(&mut self, id: ScopedId, builtin: Builtin, given: &[ScopedId]) -> ExpressionId {
        let span = self.tree.span(id);
        let instance = self.instance;
        let Some(Signature { taken, missing, result }) = instance.walked.signatures.get(&id) else {
            internal_bug!("the signatures of calls are known")
        };
        let taken: SmallVec<[TypeId; 3]> = taken.iter().map(|kinded| instance.solved(*kinded)).collect();
        let result = instance.solved(*result);
        let mut operands: SmallVec<[ExpressionId; 3]> = smallvec![];
        for (operand, to) in given.iter().zip(&taken) {
            operands.push(self.part(*operand, *to));
        }
        if missing.is_empty() {
            return self.saturated(builtin, &operands, result, span);
        }
        let mut bindings = vec![];
        for operand in &mut operands {
            if !self.is_value(*operand) {
                let mut build = self.program.like(*operand);
                let binding = build.binding("operand", *operand);
                *operand = build.local(binding.local);
                bindings.push(binding);
            }
        }
        let mut parameters = vec![];
        for (name, (kinded, to)) in ["a", "b", "c"].into_iter().zip(missing.iter().zip(taken.iter().skip(given.len())))
        {
            let type_id = self.instance.solved(*kinded);
            let mut build = self.program.at(span);
            let parameter = build.fresh(name, type_id);
            parameters.push(parameter);
            let operand = build.local(parameter);
            operands.push(self.widened(operand, *to));
        }
        let mut made = self.saturated(builtin, &operands, result, span);
        let mut build = self.program.at(span);
        made = parameters.into_iter().rev().fold(made, |body, parameter| build.lambda(parameter, body));
        build.bind(bindings, made)
    }

    /// Returns true if an expression has its value without evaluation.
    fn is_value(&self, id: ExpressionId) -> bool {
        matches!(
            self.program.expression(id),
            Expression::Number(_)
                | Expression::Boolean(_)
                | Expression::Local(_)
                | Expression::Global(_)
                | Expression::Lambda { .. }
        )
    }

    fn saturated(&mut self, builtin: Builtin, operands: &[ExpressionId], result: TypeId, span: Span) -> ExpressionId {
        let mut build = self.program.at(span);
        let expression = match (builtin, operands) {
            (Builtin::Operation(Operation::Negate), [only])
                if let Expression::Number(value) = build.program.expression(*only) =>
            {
                Expression::Number(-value)
            }
            (Builtin::Unequal, &[first, second]) => Expression::Not(build.compare(Comparison::Equal, first, second)),
            (Builtin::And, &[first, second]) => {
                Expression::If { condition: first, consequent: second, alternative: build.boolean(false) }
            }
            (Builtin::Or, &[first, second]) => {
                Expression::If { condition: first, consequent: build.boolean(true), alternative: second }
            }
            (Builtin::Quotient, &[first, second]) => Expression::Binary(Operation::Divide, first, second),
            (builtin, operands) => build.program.together(Head::Call(builtin), operands),
        };
        self.program.add(expression, result, span)
    }
}
