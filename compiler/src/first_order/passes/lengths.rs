//! Tests of lengths and indices whose outcome is known.
//!
//! For code without levels. A length, and the index of a build, is a whole number from 0 to [`MOST_ELEMENTS`]; a counter
//! of a loop is a whole number from 0. Rounding them, and the tests that they are such numbers, change nothing. A
//! counter is an index of an array where it is known to be less than its length: in the build of as many elements, and
//! after a comparison with that length. What a guard has tested is known after it: had it failed, the code would have
//! been left.
//!
//! No bit changes: each variable that is replaced has the value of its replacement. A length is replaced by the number
//! that an array was built with only if that is a length itself or a constant: another number could be a negative zero.

use crate::first_order::counters::{counters, natural, whole};
use crate::first_order::{Block, End, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::{Comparison, Operation};
use vlad_values::vector::MOST_ELEMENTS;

/// Decides such tests, in every function.
pub fn decide_tests_of_lengths(unit: &mut Unit) {
    for function in &mut unit.functions {
        let indices = counters(function);
        let mut lengths = Lengths { counters: indices, ..Lengths::default() };
        lengths.block(&mut function.body);
    }
}

#[derive(Default)]
struct Lengths {
    /// The operands that stand for variables.
    values: HashMap<Variable, Operand>,
    /// The variables that have whole numbers from 0.
    counters: HashSet<Variable>,
    /// The variables that have numbers of elements.
    sizes: HashSet<Variable>,
    /// The number of elements of each array.
    length: HashMap<Variable, Operand>,
    /// The comparisons of a counter with a number: whether it is less.
    comparisons: HashMap<Variable, (Variable, Operand)>,
    /// The counters and numbers from 0 that are known to be less than others.
    less: Vec<(Variable, Operand)>,
    /// The tests whose outcome is known at the place of the text.
    decided: Vec<Variable>,
    /// The arrays whose length is a variable of the blocks around the place of the text, and what was known of it outside.
    measured: Vec<(Variable, Option<Operand>)>,
}

/// The numbers of facts that hold only in some blocks.
struct Known {
    less: usize,
    decided: usize,
    measured: usize,
}

impl Lengths {
    fn block(&mut self, block: &mut Block) {
        let known = self.known();
        for statement in &mut block.statements {
            statement.change_operands(|operand| operand.substitute(&self.values));
            self.statement(statement);
        }
        block.end.operands_mut().iter_mut().for_each(|operand| operand.substitute(&self.values));
        if let End::Branch { test, consequent, alternative } = &mut block.end {
            for (block, outcome) in [(consequent, true), (alternative, false)] {
                let known = self.known();
                self.decide(*test, outcome);
                self.block(block);
                self.forget(&known);
            }
        }
        self.forget(&known);
    }

    fn known(&self) -> Known {
        Known { less: self.less.len(), decided: self.decided.len(), measured: self.measured.len() }
    }

    fn decide(&mut self, test: Operand, outcome: bool) {
        let Operand::Variable(test) = test else { return };
        self.values.insert(test, Operand::Boolean(outcome));
        self.decided.push(test);
        if let Some(comparison) = self.comparisons.get(&test)
            && outcome
        {
            self.less.push(*comparison);
        }
    }

    fn forget(&mut self, known: &Known) {
        self.less.truncate(known.less);
        for test in self.decided.drain(known.decided..) {
            self.values.remove(&test);
        }
        for (array, before) in self.measured.drain(known.measured..).rev() {
            match before {
                Some(length) => self.length.insert(array, length),
                None => self.length.remove(&array),
            };
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Length { target, array: Operand::Variable(array) } => match self.length.get(array) {
                Some(length) if self.is_size(*length) => {
                    self.values.insert(*target, *length);
                }
                Some(_) | None => {
                    let before = self.length.insert(*array, Operand::Variable(*target));
                    self.measured.push((*array, before));
                    self.sizes.insert(*target);
                    self.counters.insert(*target);
                }
            },
            Statement::Array { target, elements } => {
                self.length.insert(*target, Operand::real(elements.len() as f64));
            }
            Statement::Zeros { target, like: Operand::Variable(like) }
            | Statement::Accumulators { target, like: Operand::Variable(like) }
            | Statement::Replace { target, array: Operand::Variable(like), .. } => {
                if let Some(length) = self.length.get(like) {
                    self.length.insert(*target, *length);
                }
            }
            Statement::Build { targets, length, index, body } => {
                self.sizes.insert(*index);
                self.less.push((*index, *length));
                self.block(body);
                self.less.pop();
                self.length.extend(targets.iter().map(|target| (*target, *length)));
            }
            Statement::Loop { body, .. } => self.block(body),
            Statement::Bind { block, .. } => {
                self.block(block);
                if let End::Branch { test, consequent, alternative } = &block.end {
                    match (&consequent.end, &alternative.end) {
                        (_, End::BailOut(_)) => self.decide(*test, true),
                        (End::BailOut(_), _) => self.decide(*test, false),
                        _ => {}
                    }
                }
            }
            Statement::Operation { target, operation: Operation::Floor, first: Operand::Variable(first), .. }
                if self.counters.contains(first) =>
            {
                self.values.insert(*target, Operand::Variable(*first));
            }
            Statement::Compare { target, comparison, first: Operand::Variable(first), second } => {
                if self.holds(*comparison, *first, *second) {
                    self.values.insert(*target, Operand::Boolean(true));
                } else if *comparison == Comparison::Less && self.counters.contains(first) {
                    self.comparisons.insert(*target, (*first, *second));
                }
            }
            Statement::IsIndex { target, array: Operand::Variable(array), index } if self.is_index(*array, *index) => {
                self.values.insert(*target, Operand::Boolean(true));
            }
            _ => {}
        }
    }

    fn is_size(&self, operand: Operand) -> bool {
        match operand {
            Operand::Variable(variable) => self.sizes.contains(&variable),
            Operand::Real(_) | Operand::Boolean(_) => natural(operand).is_some(),
        }
    }

    /// Returns true if a comparison with a counter is known to hold.
    fn holds(&self, comparison: Comparison, counter: Variable, second: Operand) -> bool {
        self.counters.contains(&counter)
            && match (comparison, second) {
                (Comparison::Equal, second) => second == Operand::Variable(counter),
                (Comparison::NotLess, Operand::Real(bits)) => bits.real() <= 0.0,
                (Comparison::NotGreater, Operand::Real(bits)) => {
                    self.sizes.contains(&counter) && bits.real() >= MOST_ELEMENTS as f64
                }
                (Comparison::Less, second) => self.less.contains(&(counter, second)),
                (Comparison::NotLess | Comparison::NotGreater | Comparison::Greater, _) => false,
            }
    }

    fn is_index(&self, array: Variable, index: Operand) -> bool {
        let Some(length) = self.length.get(&array) else { return false };
        match (index, *length) {
            (Operand::Variable(index), length) => self.less.contains(&(index, length)),
            (Operand::Real(index), Operand::Real(length)) => {
                whole(index.real()).is_some() && index.real() < length.real()
            }
            (Operand::Real(_) | Operand::Boolean(_), _) => false,
        }
    }
}
