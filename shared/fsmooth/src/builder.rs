//! The builder of typed expressions, which finds their types, and access paths: parts of a variable that are read as often as
//! needed.

use crate::typed::{Build, Expression, ExpressionId, Ifold, LocalId, Program, Side, Type, TypeId, Types, Variable};
use vlad_core::source::Span;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// A builder of expressions that have one span. It takes the type of each from its parts.
pub(super) struct Builder<'program> {
    pub(super) program: &'program mut Program,
    pub(super) span: Span,
}

/// A local that is still to be bound to a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) local: LocalId,
    pub(super) value: ExpressionId,
}

impl From<(LocalId, ExpressionId)> for Binding {
    fn from((local, value): (LocalId, ExpressionId)) -> Binding {
        Binding { local, value }
    }
}

impl Program {
    /// A builder of expressions with a span.
    pub(super) fn at(&mut self, span: Span) -> Builder<'_> {
        Builder { program: self, span }
    }

    /// A builder of expressions with the span of another one.
    pub(super) fn like(&mut self, id: ExpressionId) -> Builder<'_> {
        let span = self.span(id);
        self.at(span)
    }
}

impl Builder<'_> {
    pub(super) fn add(&mut self, expression: Expression, type_id: TypeId) -> ExpressionId {
        self.program.add(expression, type_id, self.span)
    }

    /// A number of kind D.
    pub(super) fn number(&mut self, value: f64) -> ExpressionId {
        self.add(Expression::Number(value), Types::DOUBLE)
    }

    /// A number of kind I.
    pub(super) fn index(&mut self, value: f64) -> ExpressionId {
        self.add(Expression::Number(value), Types::INDEX)
    }

    pub(super) fn variable(&mut self, variable: Variable) -> ExpressionId {
        let type_id = self.program.variable_type(variable);
        match variable {
            Variable::Local(local) => self.add(Expression::Local(local), type_id),
            Variable::Global(global) => self.add(Expression::Global(global), type_id),
        }
    }

    pub(super) fn local(&mut self, local: LocalId) -> ExpressionId {
        self.variable(Variable::Local(local))
    }

    /// A new local.
    pub(super) fn fresh(&mut self, name: &str, type_id: TypeId) -> LocalId {
        self.program.add_local(name, type_id, self.span)
    }

    /// A new local that is to be bound to a value.
    pub(super) fn binding(&mut self, name: &str, value: ExpressionId) -> Binding {
        let type_id = self.program.type_of(value);
        Binding { local: self.fresh(name, type_id), value }
    }

    /// `let x = e in e` for each binding, from the last to the first, around a body.
    pub(super) fn bind<B: Into<Binding>>(
        &mut self,
        bindings: impl IntoIterator<Item = B, IntoIter: DoubleEndedIterator>,
        body: ExpressionId,
    ) -> ExpressionId {
        let bindings = bindings.into_iter().rev().map(B::into);
        bindings.fold(body, |body, Binding { local, value }| self.let_in(local, value, body))
    }

    /// `let local = value in body`.
    pub(super) fn let_in(&mut self, local: LocalId, value: ExpressionId, body: ExpressionId) -> ExpressionId {
        let type_id = self.program.type_of(body);
        self.add(Expression::Let { local, value, body }, type_id)
    }

    pub(super) fn pair(&mut self, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        let (of_first, of_second) = (self.program.type_of(first), self.program.type_of(second));
        let type_id = self.program.types.pair(of_first, of_second);
        self.add(Expression::Pair(first, second), type_id)
    }

    pub(super) fn first(&mut self, pair: ExpressionId) -> ExpressionId {
        let (first, _) = self.parts_of_pair(pair);
        self.add(Expression::First(pair), first)
    }

    pub(super) fn second(&mut self, pair: ExpressionId) -> ExpressionId {
        let (_, second) = self.parts_of_pair(pair);
        self.add(Expression::Second(pair), second)
    }

    /// A side of a pair.
    pub(super) fn part(&mut self, side: Side, pair: ExpressionId) -> ExpressionId {
        match side {
            Side::First => self.first(pair),
            Side::Second => self.second(pair),
        }
    }

    fn parts_of_pair(&self, pair: ExpressionId) -> (TypeId, TypeId) {
        let Type::Pair(first, second) = self.program.types.get(self.program.type_of(pair)) else {
            internal_bug!("a pair has parts")
        };
        (first, second)
    }

    pub(super) fn unary(&mut self, operation: Operation, operand: ExpressionId) -> ExpressionId {
        let type_id = self.program.type_of(operand);
        self.add(Expression::Unary(operation, operand), type_id)
    }

    pub(super) fn binary(&mut self, operation: Operation, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        let type_id = self.program.type_of(first);
        self.add(Expression::Binary(operation, first, second), type_id)
    }

    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        first: ExpressionId,
        second: ExpressionId,
    ) -> ExpressionId {
        self.add(Expression::Compare(comparison, first, second), Types::BOOLEAN)
    }

    /// `a && b`.
    pub(super) fn both(&mut self, first: ExpressionId, second: ExpressionId) -> ExpressionId {
        let no = self.boolean(false);
        self.choice(first, second, no)
    }

    pub(super) fn boolean(&mut self, value: bool) -> ExpressionId {
        self.add(Expression::Boolean(value), Types::BOOLEAN)
    }

    pub(super) fn choice(
        &mut self,
        condition: ExpressionId,
        consequent: ExpressionId,
        alternative: ExpressionId,
    ) -> ExpressionId {
        let type_id = self.program.type_of(consequent);
        self.add(Expression::If { condition, consequent, alternative }, type_id)
    }

    pub(super) fn not(&mut self, operand: ExpressionId) -> ExpressionId {
        self.add(Expression::Not(operand), Types::BOOLEAN)
    }

    pub(super) fn of_length(&mut self, array: ExpressionId, length: ExpressionId) -> ExpressionId {
        let type_id = self.program.type_of(array);
        self.add(Expression::OfLength { array, length }, type_id)
    }

    pub(super) fn length(&mut self, array: ExpressionId) -> ExpressionId {
        self.add(Expression::Length(array), Types::INDEX)
    }

    pub(super) fn lambda(&mut self, parameter: LocalId, body: ExpressionId) -> ExpressionId {
        let (from, to) = (self.program.local(parameter).type_id, self.program.type_of(body));
        let type_id = self.program.types.function(from, to);
        self.add(Expression::Lambda { parameter, body }, type_id)
    }

    pub(super) fn apply(&mut self, function: ExpressionId, argument: ExpressionId) -> ExpressionId {
        let result = self.result_of(function);
        self.add(Expression::Application { function, argument }, result)
    }

    /// Returns the type of the result of a function.
    fn result_of(&self, function: ExpressionId) -> TypeId {
        let Type::Function(_, result) = self.program.types.get(self.program.type_of(function)) else {
            internal_bug!("a function has a result")
        };
        result
    }

    /// `array[index]`.
    pub(super) fn get(&mut self, array: ExpressionId, index: ExpressionId) -> ExpressionId {
        let Type::Array(element) = self.program.types.get(self.program.type_of(array)) else {
            internal_bug!("an array has elements")
        };
        self.add(Expression::Get { array, index }, element)
    }

    /// `build size (fun index -> element)`.
    pub(super) fn build(&mut self, Build { size, index, element }: Build) -> ExpressionId {
        let function = self.lambda(index, element);
        self.build_with(size, function)
    }

    /// `build size function`.
    pub(super) fn build_with(&mut self, size: ExpressionId, function: ExpressionId) -> ExpressionId {
        let element = self.result_of(function);
        let type_id = self.program.types.array(element);
        self.add(Expression::Build { size, function }, type_id)
    }

    /// `build (length array) (fun index -> body)`.
    pub(super) fn build_like(&mut self, array: ExpressionId, index: LocalId, body: ExpressionId) -> ExpressionId {
        let size = self.length(array);
        self.build(Build { size, index, element: body })
    }

    /// `ifold (fun state -> fun index -> turn) start count`.
    pub(super) fn ifold(&mut self, Ifold { state, index, turn, start, count }: Ifold) -> ExpressionId {
        let step = self.lambda(index, turn);
        let function = self.lambda(state, step);
        self.ifold_with(function, start, count)
    }

    /// `ifold function start count`.
    pub(super) fn ifold_with(
        &mut self,
        function: ExpressionId,
        start: ExpressionId,
        count: ExpressionId,
    ) -> ExpressionId {
        let type_id = self.program.type_of(start);
        self.add(Expression::Ifold { function, start, count }, type_id)
    }
}

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Projection {
    /// The element at an index.
    Index(LocalId),
    /// `fst`.
    First,
    /// `snd`.
    Second,
}

/// A part of a variable.
#[derive(Clone, Debug)]
pub(super) struct Access {
    base: Variable,
    path: Vec<Projection>,
    type_id: TypeId,
}

/// The longest path that is read from its variable each time; a longer one gets a variable of its own, so that types of
/// any depth make code of linear size.
const LONGEST_PATH: usize = 3;

impl Access {
    pub(super) fn of(program: &Program, base: Variable) -> Access {
        Access { base, path: vec![], type_id: program.variable_type(base) }
    }

    /// The type of the part.
    pub(super) fn type_id(&self) -> TypeId {
        self.type_id
    }

    /// Returns the access to a part.
    pub(super) fn part(&self, program: &Program, projection: Projection) -> Access {
        let type_id = match (projection, program.types.get(self.type_id)) {
            (Projection::Index(_), Type::Array(part))
            | (Projection::First, Type::Pair(part, _))
            | (Projection::Second, Type::Pair(_, part)) => part,
            (Projection::Index(_) | Projection::First | Projection::Second, _) => {
                internal_bug!("an access follows the type")
            }
        };
        let mut path = self.path.clone();
        path.push(projection);
        Access { base: self.base, path, type_id }
    }

    /// Returns the expression that reads the part.
    pub(super) fn read(&self, build: &mut Builder) -> ExpressionId {
        let mut value = build.variable(self.base);
        for projection in &self.path {
            value = match *projection {
                Projection::First => build.first(value),
                Projection::Second => build.second(value),
                Projection::Index(local) => {
                    let index = build.local(local);
                    build.get(value, index)
                }
            };
        }
        value
    }

    /// Returns an access with a short path to the same part, and the binding that it needs.
    pub(super) fn shortened(self, build: &mut Builder) -> (Access, Option<Binding>) {
        if self.path.len() < LONGEST_PATH {
            return (self, None);
        }
        let value = self.read(build);
        let binding = build.binding("part", value);
        (Access::of(build.program, Variable::Local(binding.local)), Some(binding))
    }
}
