//! Affine numbers of a build: its index times a constant, plus a constant, plus multiples of numbers from outside. Places in arrays are
//! affine.
//!
//! The build begins with a test that the numbers from outside are whole and of moderate size. Then all of the arithmetic is exact, also
//! in integers of 64 bits.

use crate::{Operand, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::operations::Operation;

/// The most operands from outside in one side of an equality.
const MOST_OUTSIDE: usize = 4;

/// The greatest factor of the index, and of operands from outside.
const GREATEST_FACTOR: i64 = 1 << 10;

/// The greatest constant.
const GREATEST_CONSTANT: i64 = 1 << 40;

/// The index times a number, plus a number, plus operands from outside times numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Affine {
    /// The number that the index is multiplied by.
    pub factor: i64,
    /// The number that is added.
    pub constant: i64,
    /// The operands from outside, with the numbers that they are multiplied by.
    pub outside: Vec<(Operand, i64)>,
}

impl Affine {
    /// The sum with another one times a number, unless its parts are too great.
    pub fn plus(&self, other: &Affine, times: i64) -> Option<Affine> {
        let mut sum = self.clone();
        sum.factor = sum.factor.checked_add(other.factor.checked_mul(times)?)?;
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (operand, factor) in &other.outside {
            sum.outside.push((*operand, factor.checked_mul(times)?));
        }
        sum.is_moderate().then_some(sum)
    }

    fn is_moderate(&self) -> bool {
        let is_factor = |factor: &i64| factor.abs() <= GREATEST_FACTOR;
        is_factor(&self.factor)
            && self.constant.abs() <= GREATEST_CONSTANT
            && self.outside.len() <= MOST_OUTSIDE
            && self.outside.iter().all(|(_, factor)| is_factor(factor))
    }

    fn as_number(&self) -> Option<i64> {
        (self.factor == 0 && self.outside.is_empty()).then_some(self.constant)
    }
}

/// The variables of a build's body that are such numbers.
pub struct Affines {
    /// The variables that the body defines.
    inside: HashSet<Variable>,
    known: HashMap<Variable, Affine>,
}

impl Affines {
    /// Of a body with an index that defines variables; nothing but the index is known.
    pub fn new(index: Variable, inside: HashSet<Variable>) -> Affines {
        let own = Affine { factor: 1, ..Affine::default() };
        let mut affines = Affines { inside, known: HashMap::from([(index, own)]) };
        affines.inside.insert(index);
        affines
    }

    /// An operand as such a number.
    pub fn of(&self, operand: Operand) -> Option<Affine> {
        match operand {
            Operand::Real(bits) => {
                let real = bits.real();
                let is_whole = real.fract() == 0.0 && real.abs() <= GREATEST_CONSTANT as f64;
                is_whole.then_some(Affine { constant: real as i64, ..Affine::default() })
            }
            Operand::Variable(variable) if !self.inside.contains(&variable) => {
                Some(Affine { outside: vec![(operand, 1)], ..Affine::default() })
            }
            Operand::Variable(variable) => self.known.get(&variable).cloned(),
            Operand::Boolean(_) => None,
        }
    }

    /// Notes that the body defines variables.
    pub fn define(&mut self, variables: &[Variable]) {
        self.inside.extend(variables);
    }

    /// Returns true for an operand that the body does not define.
    pub fn is_outside(&self, operand: Operand) -> bool {
        operand.variable().is_none_or(|variable| !self.inside.contains(&variable))
    }

    /// Notes the result of an operation, if it is such a number; returns true if so.
    pub fn note(&mut self, target: Variable, operation: Operation, operands: (Operand, Operand)) -> bool {
        let value = self.value(operation, operands);
        let is_noted = value.is_some();
        self.known.extend(value.map(|value| (target, value)));
        is_noted
    }

    fn value(&self, operation: Operation, (first, second): (Operand, Operand)) -> Option<Affine> {
        let (first, second) = (self.of(first)?, self.of(second)?);
        match operation {
            Operation::Add => first.plus(&second, 1),
            Operation::Subtract => first.plus(&second, -1),
            Operation::Multiply => match (first.as_number(), second.as_number()) {
                (Some(number), _) => Affine::default().plus(&second, number),
                (None, Some(number)) => Affine::default().plus(&first, number),
                (None, None) => None,
            },
            _ => None,
        }
    }
}

/// The operands from outside that affine numbers mention, each once.
pub fn outside_of<'affine>(affines: impl IntoIterator<Item = &'affine Affine>) -> Vec<Operand> {
    let mut outside: Vec<Operand> = Vec::new();
    for (operand, _) in affines.into_iter().flat_map(|affine| &affine.outside) {
        if !outside.contains(operand) {
            outside.push(*operand);
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(factor: i64, constant: i64, outside: &[(u32, i64)]) -> Affine {
        let outside = outside.iter().map(|(variable, factor)| (Operand::Variable(Variable(*variable)), *factor));
        Affine { factor, constant, outside: outside.collect() }
    }

    #[test]
    fn sums_are_bounded() {
        let one = affine(3, 11, &[(7, -3)]);
        let sum = one.plus(&affine(0, 2, &[]), 1).map(|sum| (sum.factor, sum.constant, sum.outside.len()));
        assert_eq!(sum, Some((3, 13, 1)));
        assert!(one.plus(&one, 1 << 20).is_none());
        assert!(affine(0, 0, &[(1, 1), (2, 1), (3, 1)]).plus(&affine(0, 0, &[(4, 1), (5, 1)]), 1).is_none());
    }
}
