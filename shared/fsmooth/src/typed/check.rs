//! The checker of typed trees: what the types of [`super`] promise. Tests run it after every pass.

use super::{Expression, ExpressionId, Item, LocalId, Program, Type, TypeId, Types, Variable};
use crate::builtins::{self, DerivativeOperator, KindRule};
use vlad_table::operations::{Arity, Operation};

/// Checks a program.
///
/// # Errors
/// The first violation.
pub fn check(program: &Program) -> Result<(), String> {
    let mut checker = Checker {
        program,
        types: program.types.clone(),
        visited: vec![false; program.count()],
        locals: vec![Scope::Unbound; program.local_count()],
        globals: vec![false; program.globals().len()],
    };
    for item in &program.items {
        match *item {
            Item::Expression(id) => checker.tree(id)?,
            Item::Define(id) => {
                let Some(global) = program.globals().iter().nth(id.0 as usize) else {
                    return Err(format!("global {} does not exist", id.0));
                };
                checker.tree(global.value)?;
                if program.type_of(global.value) != global.type_id {
                    return Err(format!("the value of `{}` has another type", global.name));
                }
                match checker.globals.get_mut(id.0 as usize) {
                    Some(defined @ false) => *defined = true,
                    Some(true) | None => return Err(format!("`{}` is evaluated twice", global.name)),
                }
            }
        }
    }
    Ok(())
}

/// The state of a local.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Unbound,
    Bound,
    Ended,
}

enum Step {
    Visit(ExpressionId),
    Bind(LocalId),
    End(LocalId),
}

struct Checker<'program> {
    program: &'program Program,
    /// The types, and those that rules make.
    types: Types,
    visited: Vec<bool>,
    locals: Vec<Scope>,
    globals: Vec<bool>,
}

impl Checker<'_> {
    fn tree(&mut self, root: ExpressionId) -> Result<(), String> {
        let mut steps = vec![Step::Visit(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Bind(local) => self.change(local, Scope::Unbound, Scope::Bound)?,
                Step::End(local) => self.change(local, Scope::Bound, Scope::Ended)?,
                Step::Visit(id) => {
                    match self.visited.get_mut(id.0 as usize) {
                        Some(seen @ false) => *seen = true,
                        Some(true) => return Err(format!("expression {} belongs to two places", id.0)),
                        None => return Err(format!("expression {} does not exist", id.0)),
                    }
                    let parts = self.program.parts(id);
                    if let Some(part) = parts.iter().find(|part| part.0 as usize >= self.program.count()) {
                        return Err(format!("expression {} does not exist", part.0));
                    }
                    self.expression(id).map_err(|message| format!("expression {}: {message}", id.0))?;
                    let expression = self.program.expression(id);
                    if let Expression::Lambda { parameter, body } = expression {
                        steps.extend([Step::End(parameter), Step::Visit(body), Step::Bind(parameter)]);
                    } else if let Expression::Let { local, value, body } = expression {
                        steps.extend([Step::End(local), Step::Visit(body), Step::Bind(local), Step::Visit(value)]);
                    } else {
                        steps.extend(parts.into_iter().rev().map(Step::Visit));
                    }
                }
            }
        }
        Ok(())
    }

    fn change(&mut self, local: LocalId, from: Scope, to: Scope) -> Result<(), String> {
        match self.locals.get_mut(local.0 as usize) {
            Some(scope) if *scope == from => {
                *scope = to;
                Ok(())
            }
            Some(_) => Err(format!("local {} is bound twice", local.0)),
            None => Err(format!("local {} does not exist", local.0)),
        }
    }

    fn variable(&self, variable: Variable) -> Result<TypeId, String> {
        let is_there = match variable {
            Variable::Local(local) => self.locals.get(local.0 as usize) == Some(&Scope::Bound),
            Variable::Global(global) => self.globals.get(global.0 as usize) == Some(&true),
        };
        if is_there { Ok(self.program.variable_type(variable)) } else { Err(format!("{variable:?} is not in scope")) }
    }

    fn same(&self, found: TypeId, expected: TypeId) -> Result<(), String> {
        if found == expected {
            return Ok(());
        }
        Err(format!("`{}` where `{}` is expected", self.types.text(found), self.types.text(expected)))
    }

    fn data(&self, id: TypeId) -> Result<(), String> {
        if self.types.is_data(id) { Ok(()) } else { self.is_no("data", id) }
    }

    /// Fails if a type has an `Index` or a function in it.
    fn continuous(&mut self, id: TypeId) -> Result<(), String> {
        self.data(id)?;
        let widened = self.types.widened(id);
        self.same(id, widened)
    }

    fn function(&self, id: TypeId) -> Result<(TypeId, TypeId), String> {
        let Type::Function(parameter, result) = self.types.get(id) else { return self.is_no("function", id) };
        Ok((parameter, result))
    }

    fn element(&self, id: TypeId) -> Result<TypeId, String> {
        if let Type::Array(element) = self.types.get(id) { Ok(element) } else { self.is_no("array", id) }
    }

    fn pair(&self, id: TypeId) -> Result<(TypeId, TypeId), String> {
        if let Type::Pair(first, second) = self.types.get(id) { Ok((first, second)) } else { self.is_no("pair", id) }
    }

    fn number(&self, id: TypeId) -> Result<(), String> {
        if let Type::Double | Type::Index = self.types.get(id) { Ok(()) } else { self.is_no("number", id) }
    }

    fn is_no<T>(&self, what: &str, id: TypeId) -> Result<T, String> {
        Err(format!("`{}` is no {what}", self.types.text(id)))
    }

    /// Checks an operation on operands of a type that the result has, too.
    fn operation(&self, operation: Operation, arity: Arity, id: TypeId) -> Result<(), String> {
        if operation == Operation::Divide && id == Types::INDEX {
            // The whole part of a quotient.
            return Ok(());
        }
        match builtins::operation(operation) {
            Some(row) if operation.arity() == arity => match row.kinds {
                KindRule::Kept => self.number(id),
                KindRule::Double => self.same(id, Types::DOUBLE),
            },
            Some(_) | None => Err(format!("{operation:?} is not an operation of {arity:?} operands")),
        }
    }

    fn expression(&mut self, id: ExpressionId) -> Result<(), String> {
        let program = self.program;
        let (of, own) = (|part: ExpressionId| program.type_of(part), program.type_of(id));
        match program.expression(id) {
            Expression::Number(_) => self.number(own),
            Expression::Boolean(_) => self.same(own, Types::BOOLEAN),
            Expression::Local(local) => self.same(self.variable(Variable::Local(local))?, own),
            Expression::Global(global) => self.same(self.variable(Variable::Global(global))?, own),
            Expression::Lambda { parameter, body } => {
                let expected = self.function(own)?;
                let Some(local) = program.locals.iter().nth(parameter.0 as usize) else {
                    return Err(format!("local {} does not exist", parameter.0));
                };
                self.same(local.type_id, expected.0)?;
                self.same(of(body), expected.1)
            }
            Expression::Application { function, argument } => {
                let (parameter, result) = self.function(of(function))?;
                self.same(of(argument), parameter)?;
                self.same(result, own)
            }
            Expression::Let { local, value, body } => {
                let Some(local) = program.locals.iter().nth(local.0 as usize) else {
                    return Err(format!("local {} does not exist", local.0));
                };
                self.same(of(value), local.type_id)?;
                self.same(of(body), own)
            }
            Expression::If { condition, consequent, alternative } => {
                self.data(own)?;
                self.same(of(condition), Types::BOOLEAN)?;
                self.same(of(consequent), own)?;
                self.same(of(alternative), own)
            }
            Expression::Array(elements) => {
                let element = self.element(own)?;
                self.data(element)?;
                program.elements(elements).iter().try_for_each(|part| self.same(of(*part), element))
            }
            Expression::Build { size, function } => {
                let element = self.element(own)?;
                self.data(element)?;
                self.same(of(size), Types::INDEX)?;
                let expected = self.types.function(Types::INDEX, element);
                self.same(of(function), expected)
            }
            Expression::Ifold { function, start, count } => {
                self.data(own)?;
                let step = self.types.function(Types::INDEX, own);
                let expected = self.types.function(own, step);
                self.same(of(function), expected)?;
                self.same(of(start), own)?;
                self.same(of(count), Types::INDEX)
            }
            Expression::Get { array, index } => {
                self.same(of(index), Types::INDEX)?;
                self.same(self.element(of(array))?, own)
            }
            Expression::Length(array) => {
                self.element(of(array))?;
                self.same(own, Types::INDEX)
            }
            Expression::OfLength { array, length } => {
                self.element(own)?;
                self.same(of(array), own)?;
                self.same(of(length), Types::INDEX)
            }
            Expression::Pair(first, second) => {
                self.data(own)?;
                let expected = self.types.pair(of(first), of(second));
                self.same(own, expected)
            }
            Expression::First(pair) => self.same(self.pair(of(pair))?.0, own),
            Expression::Second(pair) => self.same(self.pair(of(pair))?.1, own),
            Expression::Unary(operation, operand) => {
                self.operation(operation, Arity::One, own)?;
                self.same(of(operand), own)
            }
            Expression::Binary(operation, first, second) => {
                self.operation(operation, Arity::Two, own)?;
                self.same(of(first), own)?;
                self.same(of(second), own)
            }
            Expression::Compare(_, first, second) => {
                self.number(of(first))?;
                self.same(of(second), of(first))?;
                self.same(own, Types::BOOLEAN)
            }
            Expression::Write(operand) => {
                self.data(own)?;
                self.same(of(operand), own)
            }
            Expression::Not(operand) => {
                self.same(of(operand), Types::BOOLEAN)?;
                self.same(own, Types::BOOLEAN)
            }
            Expression::Widen(operand) => {
                if of(operand) != own && self.types.widens(of(operand), own) {
                    return Ok(());
                }
                Err(format!("`{}` does not widen to `{}`", self.types.text(of(operand)), self.types.text(own)))
            }
            Expression::Deriv { body, variable } => {
                let variable = self.variable(variable)?;
                self.continuous(variable)?;
                self.continuous(of(body))?;
                let expected = self.types.derivative(variable, of(body));
                self.same(own, expected)
            }
            Expression::Derivative { operator, function, point } => {
                let (parameter, result) = self.function(of(function))?;
                self.same(of(point), parameter)?;
                self.derivative(operator, parameter, result, own)
            }
            Expression::Forward { function, point, tangent } => {
                let (parameter, result) = self.function(of(function))?;
                self.continuous(parameter)?;
                self.continuous(result)?;
                self.same(of(point), parameter)?;
                self.same(of(tangent), parameter)?;
                let expected = self.types.pair(result, result);
                self.same(own, expected)
            }
            Expression::Reverse { function, point, cotangent, .. } => {
                let (parameter, result) = self.function(of(function))?;
                self.continuous(parameter)?;
                self.continuous(result)?;
                self.same(of(point), parameter)?;
                self.same(of(cotangent), result)?;
                let expected = self.types.pair(result, parameter);
                self.same(own, expected)
            }
        }
    }

    fn derivative(
        &mut self,
        operator: DerivativeOperator,
        parameter: TypeId,
        result: TypeId,
        own: TypeId,
    ) -> Result<(), String> {
        let (point, value) = match operator {
            DerivativeOperator::Diff | DerivativeOperator::VDiff | DerivativeOperator::MDiff => (Types::DOUBLE, result),
            DerivativeOperator::Grad | DerivativeOperator::Hessian => (Types::VECTOR, Types::DOUBLE),
            DerivativeOperator::Jacob => (Types::VECTOR, Types::VECTOR),
            DerivativeOperator::MGrad => (Types::MATRIX, Types::DOUBLE),
        };
        self.same(parameter, point)?;
        self.same(result, value)?;
        self.continuous(result)?;
        let is_second = operator == DerivativeOperator::Hessian;
        let expected = if is_second { Types::MATRIX } else { self.types.derivative(point, result) };
        self.same(own, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::{Global, Origin, print};
    use vlad_core::source::{FileId, Span};

    const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

    /// A program with `let f = fun x -> let y = x * x in y + y`, and its body.
    fn doubled() -> (Program, ExpressionId) {
        let mut program = Program::new();
        let (x, y) = (program.add_local("x", Types::DOUBLE, NOWHERE), program.add_local("x", Types::DOUBLE, NOWHERE));
        let mut double = |expression| program.add(expression, Types::DOUBLE, NOWHERE);
        let (a, b) = (double(Expression::Local(x)), double(Expression::Local(x)));
        let value = double(Expression::Binary(Operation::Multiply, a, b));
        let (a, b) = (double(Expression::Local(y)), double(Expression::Local(y)));
        let sum = double(Expression::Binary(Operation::Add, a, b));
        let body = double(Expression::Let { local: y, value, body: sum });
        let type_id = program.types.function(Types::DOUBLE, Types::DOUBLE);
        let value = program.add(Expression::Lambda { parameter: x, body }, type_id, NOWHERE);
        let global =
            program.add_global(Global { name: "f".into(), type_id, span: NOWHERE, value, origin: Origin::Program });
        program.items.push(Item::Define(global));
        (program, body)
    }

    #[test]
    fn trees_and_their_copies_are_sound() {
        let (mut program, body) = doubled();
        assert_eq!(check(&program), Ok(()));
        let expected = "let f = fun (x : Double) ->\n  let x_2 = x * x in\n  x_2 + x_2\n";
        assert_eq!(print::program(&program), expected);
        let x = LocalId(0);
        let three = program.add(Expression::Number(3.0), Types::DOUBLE, NOWHERE);
        let copy = program.copy_replacing(body, x, three);
        program.items.push(Item::Expression(copy));
        assert_eq!(check(&program), Ok(()));
        assert_eq!(print::expression(&program, copy), "(\n  let x = 3.0 * 3.0 in\n  x + x)");
    }

    #[test]
    fn violations_are_found() {
        let (mut program, body) = doubled();
        program.items.push(Item::Expression(body));
        assert!(check(&program).is_err_and(|message| message.contains("belongs to two places")));
        let (mut program, _) = doubled();
        let condition = program.add(Expression::Boolean(true), Types::BOOLEAN, NOWHERE);
        let not = program.add(Expression::Not(condition), Types::DOUBLE, NOWHERE);
        program.items.push(Item::Expression(not));
        let expected = format!("expression {}: `Double` where `Bool` is expected", not.0);
        assert_eq!(check(&program), Err(expected));
        let (mut program, _) = doubled();
        let free = program.add(Expression::Local(LocalId(0)), Types::DOUBLE, NOWHERE);
        program.items.push(Item::Expression(free));
        assert!(check(&program).is_err_and(|message| message.contains("is not in scope")));
    }
}
