//! Tests of lengths and indices whose outcome is known.
//!
//! A length, and the index of a build, is a whole number from 0 to [`MOST_ELEMENTS`]; a counter is a whole number from 0 on. Rounding
//! and adding 0 do not change these numbers, and tests that they are whole hold. A counter is an index of an array where it is
//! known to be less than the length: in the build of as many elements, and after a comparison with the length. A guard has left the
//! code unless its test held, so the test holds behind it.
//!
//! Two more facts about loops follow. Iterations often read an array from outside at one index that is known to be valid: the element
//! is read before the loop. In a loop that is known to have iterations, a state that each of them sets to one constant is this
//! constant behind the loop.
//!
//! No bit changes: each variable has the value of its replacement. The number with which an array was built replaces the length only
//! if it is a length itself or a constant: another number could be -0.

use crate::counted_loops::{CountedIteration, counted, counters, natural, whole};
use crate::variables::{assigned, is_constant};
use crate::{Block, End, Operand, Statement, Unit, Variable};
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
    /// The arrays of tests of indices.
    tests: HashMap<Variable, Variable>,
    /// The arrays that are known to have elements.
    filled: Vec<Variable>,
    /// The sums of a variable and a constant.
    sums: HashMap<Variable, (Variable, f64)>,
    /// The arrays whose length is a variable of the blocks around the place of the text, and what was known of it outside.
    measured: Vec<(Variable, Option<Operand>)>,
}

/// The numbers of facts that hold only in some blocks.
struct Known {
    less: usize,
    decided: usize,
    filled: usize,
    measured: usize,
}

impl Lengths {
    fn block(&mut self, block: &mut Block) {
        let known = self.known();
        for mut statement in std::mem::take(&mut block.statements) {
            statement.change_operands(|operand| operand.substitute(&self.values));
            for mut moved in self.taken_out(&mut statement) {
                self.statement(&mut moved);
                block.statements.push(moved);
            }
            self.statement(&mut statement);
            block.statements.push(statement);
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
        Known {
            less: self.less.len(),
            decided: self.decided.len(),
            filled: self.filled.len(),
            measured: self.measured.len(),
        }
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
        if let Some(array) = self.tests.get(&test)
            && outcome
        {
            self.filled.push(*array);
        }
    }

    fn forget(&mut self, known: &Known) {
        self.less.truncate(known.less);
        self.filled.truncate(known.filled);
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
            Statement::Loop { targets, state, initial, body } => {
                self.block(body);
                self.last_state(targets, (state, initial), body);
            }
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
            Statement::Operation {
                target,
                operation: Operation::Add,
                first: Operand::Variable(first),
                second: Some(Operand::Real(second)),
            } => {
                // No such number is -0.
                if second.real() == 0.0 && (self.counters.contains(first) || self.sizes.contains(first)) {
                    self.values.insert(*target, Operand::Variable(*first));
                }
                self.sums.insert(*target, (*first, second.real()));
            }
            // The index as far from the end as a counter is from the begin.
            Statement::Operation {
                target,
                operation: Operation::Subtract,
                first: Operand::Variable(first),
                second: Some(Operand::Variable(second)),
            } => {
                if let Some((length, -1.0)) = self.sums.get(first).copied()
                    && self.less.contains(&(*second, Operand::Variable(length)))
                {
                    self.less.push((*target, Operand::Variable(length)));
                }
            }
            Statement::Compare { target, comparison: Comparison::Equal, first, second: Operand::Real(second) }
                if self.is_more(*first, second.real()) =>
            {
                self.values.insert(*target, Operand::Boolean(false));
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
            Statement::IsIndex { target, array: Operand::Variable(array), .. } => {
                self.tests.insert(*target, *array);
            }
            _ => {}
        }
    }

    /// Takes out of a loop what it reads in each iteration of arrays from outside, at an index that is known to be one, and
    /// the lengths of what is read.
    fn taken_out(&self, statement: &mut Statement) -> Vec<Statement> {
        let variables = statement.inner_variables().to_vec();
        let Some(CountedIteration { block: iteration, .. }) = statement.iteration_mut() else { return Vec::new() };
        let mut inside = assigned(iteration, &variables);
        let (mut moved, mut stays) = (Vec::new(), Vec::new());
        for mut inner in std::mem::take(&mut iteration.statements) {
            inner.change_operands(|operand| operand.substitute(&self.values));
            let is_moved = match &inner {
                Statement::Element { array: Operand::Variable(array), index, .. } => {
                    !inside.contains(array) && is_constant(*index, &inside) && self.is_index(*array, *index)
                }
                Statement::Length { array: Operand::Variable(array), .. } => !inside.contains(array),
                _ => false,
            };
            if is_moved {
                inner.targets().iter().for_each(|target| {
                    inside.remove(target);
                });
                moved.push(inner);
            } else {
                stays.push(inner);
            }
        }
        iteration.statements = stays;
        moved
    }

    /// Decides what is left of a state that every iteration sets to the same constant, after a counted loop that is known to
    /// have iterations.
    fn last_state(&mut self, targets: &[Variable], (state, initial): (&[Variable], &[Operand]), body: &mut Block) {
        let Some((_, Operand::Variable(most))) = counted(state, initial, body) else { return };
        if !self.is_filled(most) {
            return;
        }
        let End::Branch { consequent, alternative, .. } = &mut body.end else { return };
        let mut repeats = consequent.repeats().map(|next| next.iter().map(|operand| operand.constant()).collect());
        let mut next: Vec<Option<Operand>> = repeats.next().unwrap_or_default();
        for others in repeats {
            next.iter_mut().zip(others).for_each(|(next, other)| *next = next.filter(|next| Some(*next) == other));
        }
        let last: HashMap<Variable, Operand> =
            state.iter().zip(next).filter_map(|(variable, next)| Some((*variable, next?))).collect();
        alternative.substitute(&last);
        if let End::Yield(operands) = &alternative.end {
            let constants =
                targets.iter().zip(operands).filter(|(_, operand)| !matches!(operand, Operand::Variable(_)));
            self.values.extend(constants.map(|(target, operand)| (*target, *operand)));
        }
    }

    /// Returns true if a variable is the length of an array that has elements.
    fn is_filled(&self, length: Variable) -> bool {
        let length = Operand::Variable(length);
        self.less.iter().any(|(_, most)| *most == length)
            || self.filled.iter().any(|array| self.length.get(array) == Some(&length))
    }

    /// Returns true if the length of an array that has elements, or its sum with a constant, is known to be more than a
    /// number.
    fn is_more(&self, operand: Operand, number: f64) -> bool {
        let Operand::Variable(variable) = operand else { return false };
        let (length, added) = self.sums.get(&variable).copied().unwrap_or((variable, 0.0));
        self.sizes.contains(&length) && added.abs() <= 1024.0 && 1.0 + added > number && self.is_filled(length)
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
