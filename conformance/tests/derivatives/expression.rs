//! Expressions over the operations of the table: text for the engines, values and central differences for the oracle.

use crate::reference::{Estimate, Reference, difference};
use astro_float_num::BigFloat;
use std::fmt;
use vlad_shared::table::{Operation, number};

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A variable, by its number.
    Variable(usize),
    /// A constant.
    Constant(f64),
    /// An operation.
    Apply(Operation, Vec<Expression>),
    /// A value, the number of the variable that is bound to it, and an expression over it: the value is shared.
    Share(Carrier, usize, Box<Expression>, Box<Expression>),
}

/// A form in which a value gets from its definition to its use. None of them makes a tape node.
#[derive(Clone, Copy, Debug)]
pub enum Carrier {
    /// A variable.
    Let,
    /// An operand of a procedure.
    Call,
    /// A captured slot of a procedure.
    Closure,
    /// A pair that a pattern destructures.
    Pair,
    /// A branch whose condition does not depend on the value.
    Branch,
}

impl Carrier {
    /// All forms.
    pub const ALL: [Carrier; 5] = [Carrier::Let, Carrier::Call, Carrier::Closure, Carrier::Pair, Carrier::Branch];
}

/// The name of a variable in texts.
fn name(number: usize) -> String {
    format!("x{number}")
}

impl Expression {
    /// The value at a point, with 96 digits.
    pub fn value(&self, reference: &mut Reference, point: &[BigFloat]) -> BigFloat {
        match self {
            Expression::Variable(number) => point[*number].clone(),
            Expression::Constant(constant) => Reference::number(*constant),
            Expression::Apply(operation, operands) => {
                let operands: Vec<BigFloat> = operands.iter().map(|operand| operand.value(reference, point)).collect();
                reference.value(*operation, &operands)
            }
            Expression::Share(_, number, value, body) => {
                let value = value.value(reference, point);
                let mut scope = point[..*number].to_vec();
                scope.push(value);
                body.value(reference, &scope)
            }
        }
    }

    /// The derivative along some variables in turn, by central differences.
    pub fn derivative(&self, reference: &mut Reference, point: &[f64], along: &[usize]) -> Estimate {
        difference(point, along, &mut |point| self.value(reference, point))
    }

    /// The procedure of `arity` variables that computes it. Its argument is the tuple of them.
    pub fn procedure(&self, arity: usize) -> String {
        format!("(lambda ({}) {self})", (0..arity).map(name).collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Variable(number) => out.write_str(&name(*number)),
            Expression::Constant(constant) => out.write_str(&number::format(*constant)),
            Expression::Apply(operation, operands) => match (operation, operands.as_slice()) {
                (Operation::Negate, [operand]) => write!(out, "(- {operand})"),
                // Copy is the operation of taking an element of a vector.
                (Operation::Copy, [operand]) => write!(out, "(get (vector {operand}) 0)"),
                (Operation::ArcTangent2, [y, x]) => write!(out, "(atan {y} {x})"),
                (_, [operand]) => write!(out, "({} {operand})", operation.row().name),
                (_, operands) => {
                    write!(out, "({}", operation.row().name)?;
                    operands.iter().try_for_each(|operand| write!(out, " {operand}"))?;
                    out.write_str(")")
                }
            },
            Expression::Share(carrier, number, value, body) => {
                let name = name(*number);
                match carrier {
                    Carrier::Let => write!(out, "(let (({name} {value})) {body})"),
                    Carrier::Call => write!(out, "(let ((f (lambda ({name}) {body}))) (f {value}))"),
                    Carrier::Closure => {
                        write!(out, "(let ((f (let ((v {value})) (lambda () v)))) (let (({name} (f))) {body}))")
                    }
                    Carrier::Pair => write!(out, "(let (((cons {name} rest) (cons {value} 1))) {body})"),
                    Carrier::Branch => write!(out, "(let (({name} (if (= 1 2) 0 {value}))) {body})"),
                }
            }
        }
    }
}

/// A point as the argument of a procedure: one real, or the tuple of several.
pub fn tuple(point: &[f64]) -> String {
    match point {
        [single] => number::format(*single),
        _ => format!("(cons* {})", point.iter().map(|real| number::format(*real)).collect::<Vec<_>>().join(" ")),
    }
}
