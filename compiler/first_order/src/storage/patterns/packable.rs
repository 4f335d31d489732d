//! Bodies of builds that can be executed for several elements at once.
//!
//! A body reads numbers of arrays at places that are affine in the index ([`crate::storage::affine`]), and computes with packed
//! instructions. The arrays come from outside, or are the same for all elements, as a row of a matrix may be. Tests that these places
//! are indices become *ranges*. Code that is the same for all elements is executed *once*. A test for NaN leads to code that computes
//! everything again (`first_order::passes::guards::speculative`): the usual side is taken, and the tested number is noted. A test that
//! the index equals a number from outside selects one element, the *hot* one: the side for the others is taken, and the hot one is made
//! again.

use crate::storage::affine::{Affine, Affines, outside_of};
use crate::storage::counts::Counts;
use crate::{Block, End, Function, Kind, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Comparison;

/// A statement for several elements at once.
#[derive(Debug, PartialEq)]
pub enum Step<'unit> {
    /// A statement on numbers.
    Statement(&'unit Statement),
    /// A number that is read.
    Read {
        /// The number.
        target: Variable,
        /// The array.
        array: Operand,
        /// Its place there.
        place: Affine,
    },
    /// A value that a branch yields in the usual case.
    Same {
        /// The name of the value.
        target: Variable,
        /// The value.
        value: Operand,
    },
}

/// Code that makes one element, for several at once.
#[derive(Debug)]
pub struct Packable<'unit> {
    /// The statements that are the same for all elements, in their order. They may fail.
    pub once: Vec<&'unit Statement>,
    /// The statements of each element, in their order.
    pub each: Vec<Step<'unit>>,
    /// The numbers that are NaN where the usual case is not the right one.
    pub tested: Vec<Operand>,
    /// The arrays from outside with the places that have to be indices of them.
    pub ranges: Vec<(Operand, Affine)>,
    /// The same for arrays that are read once: tested behind what is executed once.
    pub later_ranges: Vec<(Operand, Affine)>,
    /// The operands from outside that places are computed of: they have to be whole numbers of moderate size.
    pub outside: Vec<Operand>,
    /// The number from outside at which, if it is an index, the element is made otherwise.
    pub hot: Option<Operand>,
    /// The elements.
    pub values: Vec<Operand>,
}

impl<'unit> Packable<'unit> {
    /// The statements and the end of a body with an index, if there is something to be read for each element. With steps that
    /// each element counts there is nothing.
    pub fn of(
        function: &Function,
        index: Variable,
        statements: &[&'unit Statement],
        end: &'unit End,
        counts: Counts,
    ) -> Option<Packable<'unit>> {
        let packable = Packable {
            once: vec![],
            each: vec![],
            tested: vec![],
            ranges: vec![],
            later_ranges: vec![],
            outside: vec![],
            hot: None,
            values: vec![],
        };
        let mut search = Search {
            function,
            index: index.into(),
            packable,
            affines: Affines::new(index, HashSet::new()),
            places: HashSet::from([index.into()]),
            tests: HashMap::new(),
            comparisons: HashMap::new(),
            hot_tests: HashMap::new(),
            varying: HashSet::new(),
            once: HashSet::new(),
            may_be_left: false,
            hot_may_leave: false,
        };
        for statement in statements {
            let is_counted = counts == Counts::AtOnce && matches!(statement, Statement::Count { .. });
            if !is_counted {
                search.statement(statement)?;
            }
        }
        search.packable.values = search.end(end)?;
        let reads = search.packable.each.iter().filter_map(|step| match step {
            Step::Read { place, .. } => Some(place),
            Step::Statement(_) | Step::Same { .. } => None,
        });
        let ranges = search.packable.ranges.iter().chain(&search.packable.later_ranges);
        search.packable.outside = outside_of(reads.chain(ranges.map(|(_, place)| place)));
        let reads = search.packable.each.iter().any(|step| matches!(step, Step::Read { .. }));
        reads.then_some(search.packable)
    }

    /// Returns true if the packed loop may not be the right one, or may not succeed.
    pub fn may_fall_back(&self) -> bool {
        !(self.outside.is_empty() && self.ranges.is_empty() && self.later_ranges.is_empty() && self.tested.is_empty())
    }
}

struct Search<'unit, 'function> {
    function: &'function Function,
    index: Operand,
    packable: Packable<'unit>,
    affines: Affines,
    /// The index, and what is computed of it: variables that are read as places alone.
    places: HashSet<Operand>,
    /// The tests that a place is an index: variables that are read by guards alone.
    tests: HashMap<Operand, (Operand, Affine)>,
    /// The tests for NaN: variables that are read by branches alone.
    comparisons: HashMap<Operand, Operand>,
    /// The tests that the index is a number from outside: variables that are read by branches alone.
    hot_tests: HashMap<Operand, Operand>,
    /// The numbers that differ between elements.
    varying: HashSet<Operand>,
    /// The variables that are defined once.
    once: HashSet<Operand>,
    /// True if the code is not reached for certain, since what a test for NaN leads to may leave it before.
    may_be_left: bool,
    /// True if the code for the hot element may leave it before, or the code is not for that element.
    hot_may_leave: bool,
}

impl<'unit> Search<'unit, '_> {
    /// Takes a statement; none if it cannot be taken.
    fn statement(&mut self, statement: &'unit Statement) -> Option<()> {
        self.affines.define(statement.targets());
        let is_same = self.is_same(statement);
        let is_affine = match statement {
            Statement::Operation { target, operation, first, second: Some(second) } => {
                self.affines.note(*target, *operation, (*first, *second))
            }
            _ => false,
        };
        if is_same {
            self.packable.once.push(statement);
            self.once.extend(statement.targets().iter().copied().map(Operand::Variable));
            // The guard of a range that is tested later may leave the code before.
            let may_be_left = self.may_be_left || self.hot_may_leave || !self.packable.later_ranges.is_empty();
            return (statement.computes_values() && !(may_be_left && statement.block().is_some_and(may_leave)))
                .then_some(());
        }
        match statement {
            Statement::Operation { target, operation, .. } => {
                if is_affine {
                    self.places.insert((*target).into());
                    return Some(());
                }
                operation.is_packed().then_some(())?;
                self.number(*target, statement)
            }
            Statement::PositiveZero { target, .. } => self.number(*target, statement),
            Statement::Element { target, array, index } => {
                let place = self.place(*index)?;
                let is_number = self.function.kind((*target).into()) == Kind::Real && self.is_kept(*array);
                self.packable.each.push(Step::Read { target: *target, array: *array, place });
                self.varying.insert((*target).into());
                is_number.then_some(())
            }
            Statement::IsIndex { target, array, index } => {
                let place = self.place(*index)?;
                self.tests.insert((*target).into(), (*array, place));
                self.is_kept(*array).then_some(())
            }
            Statement::Compare { target, comparison: Comparison::Equal, first, second } if first == second => {
                self.comparisons.insert((*target).into(), *first);
                self.varying.contains(first).then_some(())
            }
            Statement::Compare { target, comparison: Comparison::Equal, first, second } => {
                let place = match (*first == self.index, *second == self.index) {
                    (true, false) => *second,
                    (false, true) => *first,
                    (true, true) | (false, false) => return None,
                };
                self.hot_tests.insert((*target).into(), place);
                self.affines.is_outside(place).then_some(())
            }
            Statement::Bind { targets, block } => self.bind(targets, block),
            _ => None,
        }
    }

    /// True for an array from outside, or one that is read once.
    fn is_kept(&self, array: Operand) -> bool {
        self.affines.is_outside(array) || self.once.contains(&array)
    }

    /// A place as an affine number.
    fn place(&self, index: Operand) -> Option<Affine> {
        self.affines.of(index).filter(|_| self.places.contains(&index))
    }

    /// Takes an operation on numbers.
    fn number(&mut self, target: Variable, statement: &'unit Statement) -> Option<()> {
        self.varying.insert(target.into());
        self.packable.each.push(Step::Statement(statement));
        statement.operands().into_iter().all(|operand| self.is_number(operand)).then_some(())
    }

    /// True for a number that packed instructions compute, or that is the same for all elements.
    fn is_number(&self, operand: Operand) -> bool {
        let is_real = self.function.kind(operand) == Kind::Real;
        is_real && !self.places.contains(&operand)
    }

    /// True for a statement that reads nothing that differs between elements.
    fn is_same(&self, statement: &Statement) -> bool {
        !statement.variables_read().map(Operand::Variable).any(|read| {
            self.varying.contains(&read)
                || self.places.contains(&read)
                || self.tests.contains_key(&read)
                || self.comparisons.contains_key(&read)
                || self.hot_tests.contains_key(&read)
        })
    }

    /// Takes a guard of a place, or the usual case of a region.
    fn bind(&mut self, targets: &[Variable], block: &'unit Block) -> Option<()> {
        if let End::Branch { test, consequent, alternative } = &block.end
            && let Some((array, place)) = self.tests.get(test)
        {
            let leaves = matches!(alternative.end, End::BailOut(_)) && alternative.statements.is_empty();
            let is_guard =
                leaves && targets.is_empty() && block.statements.is_empty() && **consequent == Block::default();
            let (range, is_later) = ((*array, place.clone()), self.once.contains(array));
            let ranges = if is_later { &mut self.packable.later_ranges } else { &mut self.packable.ranges };
            if !ranges.contains(&range) {
                ranges.push(range);
            }
            return is_guard.then_some(());
        }
        let values = self.block(block)?;
        for (target, value) in targets.iter().zip(values) {
            self.packable.each.push(Step::Same { target: *target, value });
            self.varying.insert((*target).into());
        }
        Some(())
    }

    /// The numbers that a block yields in the usual case.
    fn block(&mut self, block: &'unit Block) -> Option<Vec<Operand>> {
        for statement in &block.statements {
            self.statement(statement)?;
        }
        self.end(&block.end)
    }

    /// The numbers that an end yields in the usual case.
    fn end(&mut self, end: &'unit End) -> Option<Vec<Operand>> {
        match end {
            End::Yield(values) => values.iter().all(|value| self.is_number(*value)).then(|| values.clone()),
            End::Branch { test, consequent, alternative } if self.hot_tests.contains_key(test) => {
                let hot = *self.hot_tests.get(test)?;
                if self.packable.hot.replace(hot).is_some_and(|other| other != hot) {
                    return None;
                }
                let may_leave_before = self.hot_may_leave || may_leave(consequent);
                self.hot_may_leave = true;
                let values = self.block(alternative);
                self.hot_may_leave = may_leave_before;
                values
            }
            End::Branch { test, consequent, alternative } => {
                self.packable.tested.push(*self.comparisons.get(test)?);
                let may_be_left = self.may_be_left || may_leave(alternative);
                self.may_be_left = true;
                let values = self.block(consequent);
                self.may_be_left = may_be_left;
                values
            }
            End::Repeat(_) | End::BailOut(_) => None,
        }
    }
}

/// Returns true if a block may do more than yield numbers.
fn may_leave(block: &Block) -> bool {
    !block.computes_values() || block.may_bail_out()
}

#[cfg(test)]
mod tests;
