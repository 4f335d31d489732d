//! Negations: taken into sums and differences, and left out where there are two.
//!
//! Negation changes the sign bit and nothing else, so these are equal to the bit, but for the bits of NaN, which no program
//! distinguishes:
//!
//! | operation | becomes | the result has to be marked ([`Marks`]) |
//! |---|---|---|
//! | -(-x) | x | no |
//! | x + -y, -y + x | x - y | no |
//! | x - -y | x + y | no |
//! | -(x - y) | y - x | yes: they differ in the sign of zero where x = y |
//!
//! Objectives that are maximised through minimisation, and coefficients -1, make chains of these.

use super::zero_signs::Marks;
use crate::{Block, Operand, Statement, Unit, Variable};
use std::collections::HashMap;
use vlad_table::Operation;

/// Takes negations into other operations.
pub fn move_negations(unit: &mut Unit) {
    let marks = Marks::of(unit);
    for (id, function) in unit.numbered_mut() {
        let mut known = Known::default();
        known.block(&mut function.body, &|variable| marks.is_marked(id, variable));
    }
}

#[derive(Default)]
struct Known {
    /// The operand that each variable is the negation of.
    negated: HashMap<Variable, Operand>,
    /// The operands that each variable is the difference of.
    differences: HashMap<Variable, [Operand; 2]>,
    /// The operands that stand for variables.
    values: HashMap<Variable, Operand>,
}

impl Known {
    fn block(&mut self, block: &mut Block, is_marked: &impl Fn(Variable) -> bool) {
        for mut statement in std::mem::take(&mut block.statements) {
            statement.change_operands(|operand| self.replace(operand));
            if let Some(inner) = statement.block_mut() {
                self.block(inner, is_marked);
            }
            let Statement::Operation { target, operation, first, second } = &mut statement else {
                block.statements.push(statement);
                continue;
            };
            match (*operation, self.negated(Some(*first)), self.negated(*second)) {
                (Operation::Negate, Some(operand), _) => {
                    self.values.insert(*target, operand);
                    continue;
                }
                (Operation::Negate, None, _) => {
                    if let Operand::Variable(variable) = first
                        && let Some([minuend, subtrahend]) = self.differences.get(variable)
                        && is_marked(*target)
                    {
                        (*operation, *first, *second) = (Operation::Subtract, *subtrahend, Some(*minuend));
                    } else {
                        self.negated.insert(*target, *first);
                    }
                }
                (Operation::Add, _, Some(operand)) => (*operation, *second) = (Operation::Subtract, Some(operand)),
                (Operation::Add, Some(operand), None) => {
                    if let Some(other) = *second {
                        (*operation, *first, *second) = (Operation::Subtract, other, Some(operand));
                    }
                }
                (Operation::Subtract, _, Some(operand)) => (*operation, *second) = (Operation::Add, Some(operand)),
                _ => {}
            }
            if let (Operation::Subtract, Some(second)) = (*operation, *second) {
                self.differences.insert(*target, [*first, second]);
            }
            block.statements.push(statement);
        }
        block.end.operands_mut().iter_mut().for_each(|operand| self.replace(operand));
        for inner in block.end.blocks_mut().into_iter().flatten() {
            self.block(inner, is_marked);
        }
    }

    fn negated(&self, operand: Option<Operand>) -> Option<Operand> {
        self.negated.get(&operand?.variable()?).copied()
    }

    fn replace(&self, operand: &mut Operand) {
        operand.substitute(&self.values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;
    use crate::Kind::Real;
    use crate::build::Building;
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;

    #[test]
    fn random_units_keep_their_bits() {
        compare(Dials::without_levels(), 0..1500, |unit| {
            move_negations(unit);
            true
        });
    }

    #[test]
    fn negations_vanish() {
        let mut building = Building::default();
        building.entry(&[Real, Real, Real, Real], |code| {
            let (x, y) = (code.read(), code.read());
            let negated = code.unary(Operation::Negate, y);
            let twice = code.unary(Operation::Negate, negated);
            let sums = [(x, negated), (negated, x)].map(|(a, b)| code.binary(Operation::Add, a, b));
            let sum = code.binary(Operation::Subtract, x, negated);
            let difference = code.binary(Operation::Subtract, y, x);
            let negated = code.unary(Operation::Negate, difference);
            let hidden = code.positive_zero(negated);
            let total = code.binary(Operation::Multiply, sums[0], sums[1]);
            End::Yield(vec![twice, total, sum, hidden])
        });
        let mut unit = building.finish();
        move_negations(&mut unit);
        tidy(&mut unit);
        let text = print(&unit, None);
        assert_eq!((text.matches("negate").count(), text.matches("= - ").count()), (0, 3), "{text}");
    }
}
