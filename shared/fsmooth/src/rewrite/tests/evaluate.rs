//! A direct evaluator of typed trees, written for the tests of rewriting alone: it follows the meaning of each
//! construct, and knows nothing of rules. Terms of tests are small, so it recurses.

use crate::typed::{Expression, ExpressionId, GlobalId, Item, LocalId, Program, Types};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use vlad_table::operations::{Evaluation, Operation};
use vlad_table::primitives::Comparison;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number of either kind.
    Number(f64),
    /// A boolean.
    Boolean(bool),
    /// An array.
    Array(Rc<Vec<Value>>),
    /// A pair.
    Pair(Rc<(Value, Value)>),
    /// A function and its surroundings.
    Closure(LocalId, ExpressionId, Scope),
}

/// The values of locals.
pub type Scope = Rc<FxHashMap<LocalId, Value>>;

/// A failure, with its message.
pub type Outcome = Result<Value, String>;

impl Value {
    /// The text of a value with all of its bits.
    pub fn text(&self) -> String {
        match self {
            Value::Number(number) if number.is_nan() => "nan".to_owned(),
            Value::Number(number) => format!("{number:?}"),
            Value::Boolean(value) => value.to_string(),
            Value::Array(elements) => {
                let texts: Vec<String> = elements.iter().map(Value::text).collect();
                format!("[{}]", texts.join("; "))
            }
            Value::Pair(pair) => format!("({}, {})", pair.0.text(), pair.1.text()),
            Value::Closure(..) => "function".to_owned(),
        }
    }

    /// Returns true if two values agree up to a relative error.
    pub fn is_near(&self, other: &Value, error: f64) -> bool {
        match (self, other) {
            (Value::Number(one), Value::Number(other)) => {
                let is_same = one == other || (one.is_nan() && other.is_nan());
                is_same || (one - other).abs() <= error * (one.abs() + other.abs() + 1.0)
            }
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len() && one.iter().zip(&**other).all(|(one, other)| one.is_near(other, error))
            }
            (Value::Pair(one), Value::Pair(other)) => one.0.is_near(&other.0, error) && one.1.is_near(&other.1, error),
            (_, _) => self.text() == other.text(),
        }
    }
}

/// An evaluation of a program.
pub struct Evaluator<'program> {
    program: &'program Program,
    globals: RefCell<FxHashMap<GlobalId, Value>>,
}

impl Evaluator<'_> {
    /// An evaluator whose globals have their values, as far as they have any.
    pub fn new(program: &Program) -> Evaluator<'_> {
        let evaluator = Evaluator { program, globals: RefCell::new(FxHashMap::default()) };
        for item in &program.items {
            if let Item::Define(global) = item
                && let Ok(value) = evaluator.of(program.global(*global).value, &Scope::default())
            {
                evaluator.globals.borrow_mut().insert(*global, value);
            }
        }
        evaluator
    }

    /// Applies a function.
    pub fn apply(&self, function: Value, argument: Value) -> Outcome {
        let Value::Closure(parameter, body, scope) = function else { return Err("a call of no function".to_owned()) };
        let mut scope = (*scope).clone();
        scope.insert(parameter, argument);
        self.of(body, &Rc::new(scope))
    }

    fn number(&self, id: ExpressionId, scope: &Scope) -> Result<f64, String> {
        match self.of(id, scope)? {
            Value::Number(number) => Ok(number),
            other => Err(format!("{other:?} is no number")),
        }
    }

    fn size(&self, id: ExpressionId, scope: &Scope) -> Result<usize, String> {
        let number = self.number(id, scope)?;
        if number >= 0.0 && number.fract() == 0.0 { Ok(number as usize) } else { Err(format!("size {number}")) }
    }

    fn array(&self, id: ExpressionId, scope: &Scope) -> Result<Rc<Vec<Value>>, String> {
        match self.of(id, scope)? {
            Value::Array(elements) => Ok(elements),
            other => Err(format!("{other:?} is no array")),
        }
    }

    fn pair(&self, id: ExpressionId, scope: &Scope) -> Result<Rc<(Value, Value)>, String> {
        match self.of(id, scope)? {
            Value::Pair(pair) => Ok(pair),
            other => Err(format!("{other:?} is no pair")),
        }
    }

    /// Evaluates an expression.
    pub fn of(&self, id: ExpressionId, scope: &Scope) -> Outcome {
        match self.program.expression(id) {
            Expression::Number(number) => Ok(Value::Number(number)),
            Expression::Boolean(value) => Ok(Value::Boolean(value)),
            Expression::Local(local) => scope.get(&local).cloned().ok_or_else(|| format!("{local:?} is unbound")),
            Expression::Global(global) => {
                self.globals.borrow().get(&global).cloned().ok_or_else(|| format!("{global:?} has no value"))
            }
            Expression::Lambda { parameter, body } => Ok(Value::Closure(parameter, body, scope.clone())),
            Expression::Application { function, argument } => {
                let function = self.of(function, scope)?;
                self.apply(function, self.of(argument, scope)?)
            }
            Expression::Let { local, value, body } => {
                let value = self.of(value, scope)?;
                let mut scope = (**scope).clone();
                scope.insert(local, value);
                self.of(body, &Rc::new(scope))
            }
            Expression::If { condition, consequent, alternative } => match self.of(condition, scope)? {
                Value::Boolean(true) => self.of(consequent, scope),
                Value::Boolean(false) => self.of(alternative, scope),
                other => Err(format!("{other:?} is no boolean")),
            },
            Expression::Array(elements) => {
                let values: Result<Vec<Value>, String> =
                    self.program.elements(elements).iter().map(|element| self.of(*element, scope)).collect();
                Ok(Value::Array(Rc::new(values?)))
            }
            Expression::Build { size, function } => {
                let size = self.size(size, scope)?;
                let function = self.of(function, scope)?;
                let element = |index| self.apply(function.clone(), Value::Number(index as f64));
                let values: Result<Vec<Value>, String> = (0..size).map(element).collect();
                Ok(Value::Array(Rc::new(values?)))
            }
            Expression::Ifold { function, start, count } => {
                let function = self.of(function, scope)?;
                let mut state = self.of(start, scope)?;
                for index in 0..self.size(count, scope)? {
                    let step = self.apply(function.clone(), state)?;
                    state = self.apply(step, Value::Number(index as f64))?;
                }
                Ok(state)
            }
            Expression::Get { array, index } => {
                let array = self.array(array, scope)?;
                let index = self.size(index, scope)?;
                array.get(index).cloned().ok_or_else(|| format!("index {index}"))
            }
            Expression::OfLength { array, length } => {
                let array = self.array(array, scope)?;
                let length = self.size(length, scope)?;
                if array.len() == length { Ok(Value::Array(array)) } else { Err(format!("length {length}")) }
            }
            Expression::Length(array) => Ok(Value::Number(self.array(array, scope)?.len() as f64)),
            Expression::Pair(first, second) => {
                let first = self.of(first, scope)?;
                Ok(Value::Pair(Rc::new((first, self.of(second, scope)?))))
            }
            Expression::First(pair) => Ok(self.pair(pair, scope)?.0.clone()),
            Expression::Second(pair) => Ok(self.pair(pair, scope)?.1.clone()),
            Expression::Unary(operation, operand) => {
                let operand = self.number(operand, scope)?;
                match operation.row().evaluation {
                    Evaluation::Unary(evaluate) => Ok(Value::Number(evaluate(operand))),
                    Evaluation::Binary(_) => Err("an operation of two operands".to_owned()),
                }
            }
            Expression::Binary(operation, first, second) => {
                let (first, second) = (self.number(first, scope)?, self.number(second, scope)?);
                match operation.row().evaluation {
                    Evaluation::Binary(evaluate) if self.program.type_of(id) == Types::INDEX => {
                        // Of indices, a quotient is its whole part.
                        let value = evaluate(first, second);
                        Ok(Value::Number(if operation == Operation::Divide { value.floor() } else { value }))
                    }
                    Evaluation::Binary(evaluate) => Ok(Value::Number(evaluate(first, second))),
                    Evaluation::Unary(_) => Err("an operation of one operand".to_owned()),
                }
            }
            Expression::Compare(comparison, first, second) => {
                let (first, second) = (self.number(first, scope)?, self.number(second, scope)?);
                Ok(Value::Boolean(match comparison {
                    Comparison::Equal => first == second,
                    Comparison::Less => first < second,
                    Comparison::Greater => first > second,
                    Comparison::NotGreater => first <= second,
                    Comparison::NotLess => first >= second,
                }))
            }
            Expression::Write(operand) => self.of(operand, scope),
            Expression::Not(operand) => match self.of(operand, scope)? {
                Value::Boolean(value) => Ok(Value::Boolean(!value)),
                other => Err(format!("{other:?} is no boolean")),
            },
            // The values of tests have one kind of numbers, and no functions that are widened.
            Expression::Widen(operand) => self.of(operand, scope),
            Expression::Deriv { .. }
            | Expression::Derivative { .. }
            | Expression::Forward { .. }
            | Expression::Reverse { .. } => Err("a derivative".to_owned()),
        }
    }
}
