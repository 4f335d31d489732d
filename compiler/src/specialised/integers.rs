//! Reals that are whole numbers, as integers of C.
//!
//! An index of a build, and a counter of a loop, is an integer, from which the real of the same value is made where it is
//! read. Lengths of arrays are integers already, and so are sums, differences and remainders of such numbers. C compilers
//! then see what is indexed and where a loop ends, and no call of a rounding stands in a remainder.
//!
//! Whole numbers below 2^53 are reals, so what reals compute of them is exact, and the integer has the same value: no
//! counter gets near 2^50 in a run that ends, and expressions are nested [`MOST_NESTED`] times at most. The integers are
//! unsigned and wrap around; where the sign counts, `vlad_signed` gives it back. A remainder of a division by 0 is no
//! number: its integer is the greatest one, which is no index.

use super::function::{Body, name, operand};
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::counters::whole;
use crate::first_order::{Function, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Operation;

/// The greatest depth of nested expressions.
const MOST_NESTED: u32 = 3;

/// The greatest size of a constant in an expression.
const MOST_CONSTANT: f64 = 2_147_483_648.0;

/// The integer of a real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// A counter of a loop, or an index of a build: a variable of C.
    Counter,
    /// The length of an array.
    Length(Variable),
    /// The sum of two such numbers.
    Sum(Operand, Operand),
    /// The difference of two such numbers.
    Difference(Operand, Operand),
    /// The remainder of a division by a length or a constant, which is not negative: a variable of C.
    Remainder(Operand, Operand),
    /// The same as another one, rounded.
    Same(Operand),
}

/// The variables of a function that are whole numbers, given its counters.
pub fn wholes(function: &Function, counters: &HashSet<Variable>) -> HashMap<Variable, Whole> {
    let mut found: HashMap<Variable, (Whole, u32)> =
        counters.iter().map(|counter| (*counter, (Whole::Counter, 0))).collect();
    function.body.each_statement(&mut |statement| match statement {
        Statement::Length { target, array: Operand::Variable(array) } => {
            found.insert(*target, (Whole::Length(*array), 0));
        }
        Statement::Operation { target, operation, first, second } if !counters.contains(target) => {
            if let Some(whole) = of_operation(*operation, *first, *second, &found) {
                found.insert(*target, whole);
            }
        }
        _ => {}
    });
    found.into_iter().map(|(variable, (whole, _))| (variable, whole)).collect()
}

/// The integer of a result, and the depth of its expression.
fn of_operation(
    operation: Operation,
    first: Operand,
    second: Option<Operand>,
    found: &HashMap<Variable, (Whole, u32)>,
) -> Option<(Whole, u32)> {
    let depth_of = |operand: Operand| match operand {
        Operand::Variable(variable) => found.get(&variable).map(|(_, depth)| *depth),
        Operand::Real(bits) => is_constant(bits.real()).then_some(0),
        Operand::Boolean(_) => None,
    };
    let of_variable = |operand: Operand| matches!(operand, Operand::Variable(_));
    let depth = 1 + depth_of(first)?.max(second.map_or(Some(0), depth_of)?);
    if depth > MOST_NESTED || !of_variable(first) && !second.is_some_and(of_variable) {
        return None;
    }
    match (operation, second) {
        (Operation::Add, Some(second)) => Some((Whole::Sum(first, second), depth)),
        (Operation::Subtract, Some(second)) => Some((Whole::Difference(first, second), depth)),
        (Operation::Modulo, Some(second)) => {
            let is_size = match second {
                Operand::Variable(variable) => matches!(found.get(&variable), Some((Whole::Length(_), _))),
                Operand::Real(bits) => bits.real() > 0.0,
                Operand::Boolean(_) => false,
            };
            is_size.then_some((Whole::Remainder(first, second), 0))
        }
        (Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate, None) => {
            Some((Whole::Same(first), depth))
        }
        _ => None,
    }
}

/// True for a whole number that may be part of an expression.
fn is_constant(real: f64) -> bool {
    real.abs() <= MOST_CONSTANT && real.fract() == 0.0
}

impl Body<'_> {
    /// The integer of an index.
    pub fn integer(&self, index: Operand) -> C {
        self.whole_number(index).unwrap_or_else(|| C::call("vlad_whole", [operand(index)]))
    }

    /// The integer of a real that is known to be a whole number, unless it is negative: then the greatest integers come
    /// first.
    pub fn whole_number(&self, real: Operand) -> Option<C> {
        let variable = match real {
            Operand::Variable(variable) => variable,
            Operand::Real(bits) => return whole(bits.real()).map(C::Number),
            Operand::Boolean(_) => return None,
        };
        match *self.wholes.get(&variable)? {
            Whole::Counter | Whole::Remainder(..) => Some(C::Name(integer_name(variable))),
            Whole::Length(array) => Some(name(array).dot("length")),
            Whole::Sum(first, second) => match (negated(first), negated(second)) {
                (None, None) => Some(self.whole_number(first)?.infix(Infix::Add, self.whole_number(second)?)),
                (None, Some(less)) => Some(self.whole_number(first)?.infix(Infix::Subtract, less)),
                (Some(less), _) => Some(self.whole_number(second)?.infix(Infix::Subtract, less)),
            },
            Whole::Difference(first, second) => {
                let first = self.whole_number(first).or_else(|| negated(first).map(|less| less.prefix("-")))?;
                match negated(second) {
                    None => Some(first.infix(Infix::Subtract, self.whole_number(second)?)),
                    Some(more) => Some(first.infix(Infix::Add, more)),
                }
            }
            Whole::Same(operand) => self.whole_number(operand),
        }
    }

    /// The same as a signed integer.
    pub fn signed(&self, real: Operand) -> Option<C> {
        match negated(real) {
            Some(less) => Some(C::call("vlad_signed", [less]).prefix("-")),
            None => self.whole_number(real).map(|integer| C::call("vlad_signed", [integer])),
        }
    }

    /// The length of an array that a real is, as an integer.
    pub fn length(&self, real: Operand) -> Option<C> {
        match real {
            Operand::Variable(variable) => match self.wholes.get(&variable)? {
                Whole::Length(array) => Some(name(*array).dot("length")),
                Whole::Counter | Whole::Sum(..) | Whole::Difference(..) | Whole::Remainder(..) | Whole::Same(_) => None,
            },
            Operand::Real(_) | Operand::Boolean(_) => None,
        }
    }

    /// The number of whole numbers from 0 below a real.
    pub fn bound(&self, real: Operand) -> C {
        match self.whole_number(real) {
            Some(integer) if self.length(real).is_some() => integer,
            Some(integer) => C::call("vlad_whole_bound", [C::call("vlad_signed", [integer])]),
            None => C::call("vlad_bound", [operand(real)]),
        }
    }

    /// Two reals that are compared: as integers if both are whole.
    pub fn compared(&self, first: Operand, second: Operand) -> (C, C) {
        // C compilers warn of whole numbers that are compared with themselves.
        if first != second {
            if let (Some(first), Some(second)) = (self.length(first), self.length(second))
                && first != second
            {
                return (first, second);
            }
            if let (Some(first), Some(second)) = (self.signed(first), self.signed(second)) {
                return (first, second);
            }
        }
        (operand(first), operand(second))
    }

    /// Computes a remainder, if the target is one, and its real.
    pub fn remainder(&self, target: Variable, out: &mut Vec<S>) -> bool {
        let Some(Whole::Remainder(first, second)) = self.wholes.get(&target) else { return false };
        let (Some(first), Some(second)) = (self.signed(*first), self.signed(*second)) else { return false };
        let (ctype, name) = ("uint64_t".into(), integer_name(target));
        out.push(S::Define { ctype, name: name.clone(), value: C::call("vlad_remainder", [first, second]) });
        self.define(target, C::call("vlad_real_of_remainder", [C::Name(name)]), out);
        true
    }

    /// Makes the reals of those variables that are counters.
    pub fn counters(&self, variables: &[Variable], out: &mut Vec<S>) {
        for variable in variables.iter().filter(|variable| self.is_counter(**variable)) {
            self.define(*variable, C::call("vlad_real_of", [C::Name(integer_name(*variable))]), out);
        }
    }

    /// True for a variable whose integer is a variable of C, of which its real is made.
    pub fn is_counter(&self, variable: Variable) -> bool {
        self.wholes.get(&variable) == Some(&Whole::Counter)
    }
}

/// The size of a negative constant.
fn negated(operand: Operand) -> Option<C> {
    match operand {
        Operand::Real(bits) if bits.real() < 0.0 => whole(-bits.real()).map(C::Number),
        Operand::Real(_) | Operand::Variable(_) | Operand::Boolean(_) => None,
    }
}

/// The name of the integer of a variable.
pub fn integer_name(variable: Variable) -> String {
    format!("k{}", variable.0)
}
