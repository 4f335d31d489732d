//! The integers of reals that are whole numbers ([`super::facts::wholes`]), as expressions of C.

use super::facts::wholes::{Whole, integer_name};
use super::function::{Body, name, operand};
use crate::c::{Expression as C, Infix, Statement as S};
use vlad_first_order::counted_loops::whole;
use vlad_first_order::{Kind, Operand, Variable};

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
        if self.kind(variable) == Kind::Integer {
            return Some(name(variable));
        }
        match *self.wholes.get(&variable)? {
            Whole::Counter | Whole::Chosen | Whole::Remainder(..) => Some(C::Name(integer_name(variable))),
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
                Whole::Counter
                | Whole::Chosen
                | Whole::Sum(..)
                | Whole::Difference(..)
                | Whole::Remainder(..)
                | Whole::Same(_) => None,
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

    /// Makes the reals of those variables that are counters or chosen indices.
    pub fn counters(&self, variables: &[Variable], out: &mut Vec<S>) {
        for variable in variables.iter().filter(|variable| self.is_integer(**variable)) {
            self.define(*variable, C::call("vlad_real_of", [C::Name(integer_name(*variable))]), out);
        }
    }

    /// True for a variable whose integer is a variable of C, of which its real is made.
    pub fn is_integer(&self, variable: Variable) -> bool {
        self.is_counter(variable) || self.is_chosen(variable)
    }

    /// True for a counter of a loop, or the index of a build.
    pub fn is_counter(&self, variable: Variable) -> bool {
        self.wholes.get(&variable) == Some(&Whole::Counter)
    }

    /// True for an index that is chosen.
    pub fn is_chosen(&self, variable: Variable) -> bool {
        self.wholes.get(&variable) == Some(&Whole::Chosen)
    }
}

/// The size of a negative constant.
fn negated(operand: Operand) -> Option<C> {
    match operand {
        Operand::Real(bits) if bits.real() < 0.0 => whole(-bits.real()).map(C::Number),
        Operand::Real(_) | Operand::Variable(_) | Operand::Boolean(_) => None,
    }
}
