//! Expressions: first the calls in them, from left to right, then all else.

use super::frames::{MOST_INTEGER, converted, whole};
use super::machine::{Binding, Callee, Evaluator};
use super::value::{Halt, Value, broken, failed};
use crate::number::{Binary, Number, Unary, binary, unary};
use crate::tree::{Expression, Intrinsic, Operator, Type};
use std::collections::VecDeque;

/// The values of the calls in an expression, in their order.
type Called = VecDeque<Value>;

impl<'program> Evaluator<'program> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expression: &'program Expression) -> Result<Value, Halt> {
        let mut called = Called::new();
        self.calls(expression, &mut called)?;
        self.rest(expression, &mut called)
    }

    /// The values of the indices of an element.
    pub(super) fn indices(&mut self, indices: &'program [Expression]) -> Result<Vec<Value>, Halt> {
        let mut called = Called::new();
        for index in indices {
            self.calls(index, &mut called)?;
        }
        indices.iter().map(|index| self.rest(index, &mut called)).collect()
    }

    /// Executes the calls in an expression.
    fn calls(&mut self, expression: &'program Expression, called: &mut Called) -> Result<(), Halt> {
        match expression {
            Expression::Real(_)
            | Expression::Integer(_)
            | Expression::Logical(_)
            | Expression::Name(_)
            | Expression::Passed(_) => Ok(()),
            Expression::Element(_, parts) | Expression::Intrinsic(_, parts) => {
                parts.iter().try_for_each(|part| self.calls(part, called))
            }
            Expression::Call(name, arguments) => match self.invoke(name, arguments)? {
                Some(value) => {
                    called.push_back(value);
                    Ok(())
                }
                None => broken(format!("{name} is no function")),
            },
            Expression::Minus(part) | Expression::Not(part) => self.calls(part, called),
            Expression::Binary(_, first, second) => {
                self.calls(first, called)?;
                self.calls(second, called)
            }
        }
    }

    /// Calls a subprogram with the arguments in a call.
    pub(super) fn invoke(
        &mut self,
        name: &'program str,
        arguments: &'program [Expression],
    ) -> Result<Option<Value>, Halt> {
        let (length, implied) = (self.store.length(), self.implied);
        let mut called = Called::new();
        for argument in arguments {
            self.calls(argument, &mut called)?;
        }
        let given: Result<Vec<Binding>, Halt> =
            arguments.iter().map(|argument| self.argument(argument, &mut called)).collect();
        let result = match self.callee(name)? {
            Callee::Unit(procedure) => self.call(procedure, given?)?,
            Callee::Intrinsic(intrinsic) => Some(self.call_intrinsic(intrinsic, given?)?),
        };
        self.free_from(length, implied);
        Ok(result)
    }

    /// The value of an intrinsic function that was given as an argument.
    fn call_intrinsic(&mut self, intrinsic: Intrinsic, given: Vec<Binding>) -> Result<Value, Halt> {
        let mut operands = Vec::new();
        for argument in given {
            match argument {
                Binding::Variable(reference) => operands.push(self.load(&reference, "an argument")?),
                Binding::Constant(value) => operands.push(value),
                Binding::Procedure(_) | Binding::Intrinsic(_) => return broken("an operand is a subprogram"),
            }
        }
        intrinsic_value(intrinsic, &operands)
    }

    /// An argument: a reference to a variable or an element, a subprogram, or a new variable with the value of an expression.
    fn argument(&mut self, argument: &'program Expression, called: &mut Called) -> Result<Binding, Halt> {
        match argument {
            Expression::Name(name) => match self.lookup(name)? {
                Binding::Constant(value) => Ok(Binding::Variable(self.temporary(value))),
                binding => Ok(binding),
            },
            Expression::Passed(intrinsic) => Ok(Binding::Intrinsic(*intrinsic)),
            Expression::Element(name, indices) => {
                let indices: Result<Vec<Value>, Halt> = indices.iter().map(|index| self.rest(index, called)).collect();
                let array = self.variable(name)?;
                Ok(Binding::Variable(self.element(&array, &indices?, name)?))
            }
            other => {
                let value = self.rest(other, called)?;
                Ok(Binding::Variable(self.temporary(value)))
            }
        }
    }

    /// The value of an expression whose calls have been executed.
    fn rest(&mut self, expression: &'program Expression, called: &mut Called) -> Result<Value, Halt> {
        match expression {
            Expression::Real(text) => match text.replace(['D', 'd'], "E").parse() {
                Ok(real) => Ok(Value::Real(Number::Plain(real))),
                Err(_) => broken(format!("{text} is no real")),
            },
            Expression::Integer(integer) => Ok(Value::Integer(*integer)),
            Expression::Logical(logical) => Ok(Value::Logical(*logical)),
            Expression::Name(name) => match self.lookup(name)? {
                Binding::Constant(value) => Ok(value),
                Binding::Variable(reference) if reference.bounds.is_none() => self.load(&reference, name),
                Binding::Variable(_) | Binding::Procedure(_) | Binding::Intrinsic(_) => {
                    broken(format!("{name} is no scalar"))
                }
            },
            Expression::Element(name, indices) => {
                let indices: Result<Vec<Value>, Halt> = indices.iter().map(|index| self.rest(index, called)).collect();
                let array = self.variable(name)?;
                let element = self.element(&array, &indices?, name)?;
                self.load(&element, name)
            }
            Expression::Call(name, _) => match called.pop_front() {
                Some(value) => Ok(value),
                None => broken(format!("{name} was not called")),
            },
            Expression::Passed(_) => broken("an intrinsic function is no value"),
            Expression::Intrinsic(intrinsic, operands) => {
                let operands: Result<Vec<Value>, Halt> =
                    operands.iter().map(|operand| self.rest(operand, called)).collect();
                intrinsic_value(*intrinsic, &operands?)
            }
            Expression::Minus(operand) => match self.rest(operand, called)? {
                Value::Integer(integer) => Ok(Value::Integer(-integer)),
                Value::Real(number) => Ok(Value::Real(unary(Unary::Negate, &number))),
                Value::Logical(_) => broken("the negative of a logical value"),
            },
            Expression::Not(operand) => match self.rest(operand, called)? {
                Value::Logical(logical) => Ok(Value::Logical(!logical)),
                Value::Real(_) | Value::Integer(_) => broken("the negation of a number"),
            },
            Expression::Binary(operator, first, second) => {
                let first = self.rest(first, called)?;
                let second = self.rest(second, called)?;
                operation(*operator, &first, &second)
            }
        }
    }

    /// The truth of a condition.
    pub(super) fn truth(&mut self, expression: &'program Expression) -> Result<bool, Halt> {
        match self.value(expression)? {
            Value::Logical(logical) => Ok(logical),
            Value::Real(_) | Value::Integer(_) => broken("a condition is a number"),
        }
    }
}

/// A number as a real.
pub(super) fn real(value: &Value) -> Result<Number, Halt> {
    match value {
        Value::Real(number) => Ok(number.clone()),
        Value::Integer(integer) => Ok(Number::Plain(*integer as f64)),
        Value::Logical(_) => broken("a logical value is used as a number"),
    }
}

/// The value of an operator on two operands.
pub(super) fn operation(operator: Operator, first: &Value, second: &Value) -> Result<Value, Halt> {
    match operator {
        Operator::And | Operator::Or | Operator::Equivalent | Operator::NotEquivalent => {
            let (Value::Logical(first), Value::Logical(second)) = (first, second) else {
                return broken("a logical operation on numbers");
            };
            Ok(Value::Logical(match operator {
                Operator::And => *first && *second,
                Operator::Or => *first || *second,
                Operator::Equivalent => first == second,
                _ => first != second,
            }))
        }
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::NotGreater
        | Operator::Greater
        | Operator::NotLess => {
            let (first, second) = (real(first)?.base(), real(second)?.base());
            Ok(Value::Logical(match operator {
                Operator::Equal => first == second,
                Operator::NotEqual => first != second,
                Operator::Less => first < second,
                Operator::NotGreater => first <= second,
                Operator::Greater => first > second,
                _ => first >= second,
            }))
        }
        Operator::Add => arithmetic(Binary::Add, i64::checked_add, first, second),
        Operator::Subtract => arithmetic(Binary::Subtract, i64::checked_sub, first, second),
        Operator::Multiply => arithmetic(Binary::Multiply, i64::checked_mul, first, second),
        Operator::Divide => match (first, second) {
            (Value::Integer(_), Value::Integer(0)) => Err(Halt::Unknown("a division by the integer zero")),
            _ => arithmetic(Binary::Divide, i64::checked_div, first, second),
        },
        Operator::Power => match (first, second) {
            (Value::Integer(base), Value::Integer(exponent)) => power(*base, *exponent).map(Value::Integer),
            _ => Ok(Value::Real(binary(Binary::Power, &real(first)?, &real(second)?))),
        },
    }
}

fn arithmetic(
    of_reals: Binary,
    of_integers: fn(i64, i64) -> Option<i64>,
    first: &Value,
    second: &Value,
) -> Result<Value, Halt> {
    match (first, second) {
        (Value::Integer(first), Value::Integer(second)) => followed(of_integers(*first, *second)).map(Value::Integer),
        _ => Ok(Value::Real(binary(of_reals, &real(first)?, &real(second)?))),
    }
}

fn followed(integer: Option<i64>) -> Result<i64, Halt> {
    integer.filter(|integer| integer.abs() <= MOST_INTEGER).ok_or(Halt::Unknown("a huge integer"))
}

/// The power of two integers, truncated.
fn power(base: i64, exponent: i64) -> Result<i64, Halt> {
    if exponent < 0 {
        return match base {
            0 => Err(Halt::Unknown("a negative power of zero")),
            1 => Ok(1),
            -1 => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
            _ => Ok(0),
        };
    }
    let mut result = Some(1_i64);
    match base {
        0 | 1 => return Ok(if exponent == 0 { 1 } else { base }),
        -1 => return Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => {}
    }
    for _ in 0..exponent.min(64) {
        result = result.and_then(|result| result.checked_mul(base));
    }
    followed(result)
}

/// The largest angle: an error in the last place of a derivative turns larger ones into any other.
const MOST_ANGLE: f64 = 1e6;

/// The value of an intrinsic function.
fn intrinsic_value(intrinsic: Intrinsic, operands: &[Value]) -> Result<Value, Halt> {
    let (Some(first), second) = (operands.first(), operands.get(1)) else {
        return broken("an intrinsic function without operands");
    };
    let one = |operation| Ok(Value::Real(unary(operation, &real(first)?)));
    let Some(pair) = second else {
        if matches!(intrinsic, Intrinsic::Sin | Intrinsic::Cos | Intrinsic::Tan)
            && real(first)?.base().abs() > MOST_ANGLE
        {
            return Err(Halt::Unknown("a large angle"));
        }
        return match intrinsic {
            Intrinsic::Abs => match first {
                Value::Integer(integer) => Ok(Value::Integer(integer.abs())),
                _ => one(Unary::Abs),
            },
            Intrinsic::Sqrt => one(Unary::Sqrt),
            Intrinsic::Exp => one(Unary::Exp),
            Intrinsic::Log => one(Unary::Log),
            Intrinsic::Log10 => one(Unary::Log10),
            Intrinsic::Sin => one(Unary::Sin),
            Intrinsic::Cos => one(Unary::Cos),
            Intrinsic::Tan => one(Unary::Tan),
            Intrinsic::Asin => one(Unary::Asin),
            Intrinsic::Acos => one(Unary::Acos),
            Intrinsic::Atan => one(Unary::Atan),
            Intrinsic::Sinh => one(Unary::Sinh),
            Intrinsic::Cosh => one(Unary::Cosh),
            Intrinsic::Tanh => one(Unary::Tanh),
            Intrinsic::Erf => one(Unary::Erf),
            Intrinsic::Erfc => one(Unary::Erfc),
            Intrinsic::Int => whole(real(first)?.base().trunc()).map(Value::Integer),
            Intrinsic::Nint => whole(real(first)?.base().round()).map(Value::Integer),
            Intrinsic::Aint => one(Unary::Truncate),
            Intrinsic::Anint => one(Unary::Nearest),
            Intrinsic::Real => Ok(Value::Real(real(first)?)),
            Intrinsic::Atan2
            | Intrinsic::Max
            | Intrinsic::Min
            | Intrinsic::RealMax
            | Intrinsic::RealMin
            | Intrinsic::WholeMax
            | Intrinsic::WholeMin
            | Intrinsic::Product
            | Intrinsic::Mod
            | Intrinsic::Sign
            | Intrinsic::Dim => broken("an intrinsic function of two operands has one"),
        };
    };
    match intrinsic {
        Intrinsic::Atan2 => Ok(Value::Real(binary(Binary::Atan2, &real(first)?, &real(pair)?))),
        Intrinsic::Max | Intrinsic::Min => {
            let mut chosen = first.clone();
            for next in operands.iter().skip(1) {
                let (old, new) = (real(&chosen)?.base(), real(next)?.base());
                if (intrinsic == Intrinsic::Max && old < new) || (intrinsic == Intrinsic::Min && new < old) {
                    chosen = next.clone();
                }
            }
            Ok(chosen)
        }
        Intrinsic::RealMax => converted(intrinsic_value(Intrinsic::Max, operands)?, Type::Real),
        Intrinsic::RealMin => converted(intrinsic_value(Intrinsic::Min, operands)?, Type::Real),
        Intrinsic::WholeMax => converted(intrinsic_value(Intrinsic::Max, operands)?, Type::Integer),
        Intrinsic::WholeMin => converted(intrinsic_value(Intrinsic::Min, operands)?, Type::Integer),
        Intrinsic::Product => operation(Operator::Multiply, first, pair),
        Intrinsic::Mod => match (first, pair) {
            (Value::Integer(_), Value::Integer(0)) => Err(Halt::Unknown("a remainder by the integer zero")),
            (Value::Integer(first), Value::Integer(second)) => Ok(Value::Integer(first % second)),
            _ => {
                let (first, second) = (real(first)?, real(pair)?);
                let remainder = first.base() % second.base();
                // The tangents are those of a difference with a constant number of turns.
                let turns = Number::Plain(((first.base() - remainder) / second.base()).round());
                let difference = binary(Binary::Subtract, &first, &binary(Binary::Multiply, &second, &turns));
                Ok(Value::Real(difference.with_base(remainder)))
            }
        },
        Intrinsic::Sign => {
            let is_negative = real(pair)?.base() < 0.0;
            match first {
                Value::Integer(integer) => Ok(Value::Integer(if is_negative { -integer.abs() } else { integer.abs() })),
                _ => {
                    let size = unary(Unary::Abs, &real(first)?);
                    Ok(Value::Real(if is_negative { unary(Unary::Negate, &size) } else { size }))
                }
            }
        }
        Intrinsic::Dim => {
            let difference = operation(Operator::Subtract, first, pair)?;
            let is_positive = real(&difference)?.base() > 0.0;
            match difference {
                _ if is_positive => Ok(difference),
                Value::Integer(_) => Ok(Value::Integer(0)),
                Value::Real(_) | Value::Logical(_) => Ok(Value::Real(Number::Plain(0.0))),
            }
        }
        _ => failed("an intrinsic function of one operand has two"),
    }
}
