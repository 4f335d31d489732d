//! Common subexpressions: equal operations on equal operands are computed once.
//!
//! A computation in a block is known in the rest of it and in the blocks nested there. It ended without bailing out, and the statements
//! that are shared depend on nothing but their operands; so their values are the same, to the bit. Sums and products of two operands
//! in either order are equal but for the bits of NaN, which no program distinguishes. In the blocks of a branch its test is known, and
//! so are the results that earlier binds chose by it ([`super::choices`]).
//!
//! Guarded and plain products are different operations: their zeros and NaN differ.

use super::choices::{Choice, Facts};
use super::computation::{Executed, computation};
use crate::{Block, End, Operand, Statement, Unit, Variable};
use std::collections::HashMap;

/// Computes equal operations once, in every function.
pub fn share_common(unit: &mut Unit) {
    for function in &mut unit.functions {
        Sharing::default().block(&mut function.body);
    }
}

#[derive(Default)]
struct Sharing {
    /// The operands that stand for variables.
    values: HashMap<Variable, Operand>,
    executed: Executed,
    /// The choices in scope.
    choices: Vec<Choice>,
}

impl Sharing {
    fn block(&mut self, block: &mut Block) {
        let (known, chosen) = (self.executed.len(), self.choices.len());
        for mut statement in std::mem::take(&mut block.statements) {
            statement.change_operands(|operand| self.replace(operand));
            if let Some(block) = statement.block_mut() {
                self.block(block);
            }
            let Some(computation) = computation(&statement) else {
                self.choose(&statement);
                block.statements.push(statement);
                continue;
            };
            match self.executed.get(&computation) {
                Some(earlier) => {
                    let copies = statement.targets().iter().zip(earlier);
                    self.values.extend(copies.map(|(target, earlier)| (*target, Operand::Variable(*earlier))));
                }
                None => {
                    self.executed.learn(computation, statement.targets());
                    self.choose(&statement);
                    block.statements.push(statement);
                }
            }
        }
        block.end.operands_mut().iter_mut().for_each(|operand| self.replace(operand));
        if let End::Branch { test, consequent, alternative } = &mut block.end {
            for (block, outcome) in [(consequent, true), (alternative, false)] {
                match test {
                    Operand::Variable(test) => self.side(*test, outcome, block),
                    Operand::Real(_) | Operand::Boolean(_) => self.block(block),
                }
            }
        }
        self.choices.truncate(chosen);
        self.executed.forget(known);
    }

    /// A block in which a test has a known outcome.
    fn side(&mut self, test: Variable, outcome: bool, block: &mut Block) {
        let mut facts = Facts::default();
        self.choices.iter().for_each(|choice| choice.add_facts(test, outcome, &mut facts));
        facts.values.retain(|(result, _)| !self.values.contains_key(result));
        facts.values.push((test, Operand::Boolean(outcome)));
        let known = self.executed.len();
        for (computation, result) in facts.computed {
            self.executed.learn(computation, &[result]);
        }
        self.values.extend(facts.values.iter().copied());
        self.block(block);
        for (variable, _) in facts.values {
            self.values.remove(&variable);
        }
        self.executed.forget(known);
    }

    /// Remembers a choice, and lets results be those of earlier ones that are equal.
    fn choose(&mut self, statement: &Statement) {
        let Some(choice) = Choice::of(statement) else { return };
        for (place, target) in choice.targets().iter().enumerate() {
            if let Some(equal) = self.choices.iter().find_map(|earlier| earlier.equal(&choice, place)) {
                self.values.insert(*target, Operand::Variable(equal));
            }
        }
        self.choices.push(choice);
    }

    fn replace(&self, operand: &mut Operand) {
        operand.substitute(&self.values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind::Real;
    use crate::build::Building;
    use crate::check;
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use vlad_table::{Comparison, Operation};

    #[test]
    fn random_units_keep_their_bits() {
        compare(Dials::without_levels(), 0..1500, |unit| {
            share_common(unit);
            true
        });
    }

    /// The second choice has the first result of the first one again, and another one that is computed of it.
    #[test]
    fn results_of_equal_choices_are_known_where_the_test_is() {
        let mut building = Building::default();
        let function = building.declare("f", &[Real, Real], &[Real; 3]);
        building.define(function, |code, p| {
            let is_less = code.compare(Comparison::Less, p[0], p[1]);
            let infinite = Operand::real(f64::INFINITY);
            let first = code.bind(&[Real], |code| {
                code.branch(
                    is_less,
                    |_| End::Yield(vec![infinite]),
                    |code| End::Yield(vec![code.unary(Operation::Sine, p[0])]),
                )
            })[0];
            let between = code.binary(Operation::Multiply, first, p[1]);
            let second = code.bind(&[Real, Real], |code| {
                code.branch(
                    is_less,
                    |_| End::Yield(vec![infinite, p[0]]),
                    |code| {
                        let again = code.unary(Operation::Sine, p[0]);
                        End::Yield(vec![again, code.binary(Operation::Add, again, between)])
                    },
                )
            });
            End::Yield(vec![first, second[0], second[1]])
        });
        let mut unit = building.finish();
        share_common(&mut unit);
        tidy(&mut unit);
        check::check(&unit).unwrap();
        let text = print(&unit, None);
        assert_eq!(text.matches("= sin ").count(), 1, "{text}");
        let yields = text.lines().last().unwrap();
        let words: Vec<&str> = yields.split_whitespace().collect();
        assert_eq!(words[1], words[2], "{text}");
    }

    #[test]
    fn equal_operations_are_computed_once_in_the_scope_of_the_first() {
        let mut building = Building::default();
        let function = building.declare("f", &[Real, Real], &[Real]);
        building.define(function, |code, p| {
            let product = code.binary(Operation::Multiply, p[0], p[1]);
            let is_less = code.compare(Comparison::Less, product, p[0]);
            let choose = |code: &mut crate::build::Code<'_>| {
                let again = code.binary(Operation::Multiply, p[1], p[0]);
                code.bind(&[Real], |code| {
                    code.branch(
                        is_less,
                        |code| End::Yield(vec![code.unary(Operation::Sine, again)]),
                        |_| End::Yield(vec![again]),
                    )
                })[0]
            };
            let (first, second) = (choose(code), choose(code));
            End::Yield(vec![code.binary(Operation::Subtract, first, second)])
        });
        let mut unit = building.finish();
        share_common(&mut unit);
        tidy(&mut unit);
        let text = print(&unit, None);
        let count = |word: &str| text.matches(word).count();
        assert_eq!((count("= * "), count("= sin "), count("bind")), (1, 1, 1), "{text}");
    }
}
