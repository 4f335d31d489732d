//! The versions of an array: the variables that have it at different times, of which only the newest is read, or elements of
//! the one before it.

use crate::{Block, End, NOWHERE, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_core::ExpressionId;

/// The versions of an array in the state of a loop.
#[derive(Debug)]
pub struct Versions {
    /// The variables.
    pub all: HashSet<Variable>,
    /// Elements that are read of the version before the newest, with the newest.
    pub late: HashMap<Variable, Variable>,
    /// The application of the first replacement.
    pub replacement: ExpressionId,
    /// The version that each replacement is made of.
    made_of: HashMap<Variable, Operand>,
}

/// The array is used in a way in which its versions can be told apart.
struct Distinct;

/// The facts about versions at the ends of a construct.
struct Ends {
    /// The newest version at its begin.
    begin: Option<Variable>,
    /// The place of a version in the state of the loop that it is.
    state: Option<usize>,
    /// The place of a version among its results, if one of its ends has been seen.
    result: Option<Option<usize>>,
    /// True if there is another newest version at one of its ends.
    changes: bool,
}

impl Ends {
    fn of(begin: Option<Variable>, state: Option<usize>) -> Ends {
        Ends { begin, state, result: None, changes: false }
    }
}

impl Versions {
    /// The versions of a variable of a loop's state; none if they can be told apart, or none is replaced.
    pub fn of_loop(variable: Variable, targets: &[Variable], state: &[Variable], body: &Block) -> Option<Versions> {
        let mut versions = Versions {
            all: HashSet::from([variable]),
            late: HashMap::new(),
            replacement: NOWHERE,
            made_of: HashMap::new(),
        };
        let mut ends = Ends::of(Some(variable), state.iter().position(|other| *other == variable));
        versions.block(body, Some(variable), &mut ends).ok()?;
        versions.after(&ends, targets, None);
        (!versions.made_of.is_empty()).then_some(versions)
    }

    fn has(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Variable(variable) if self.all.contains(&variable))
    }

    /// Checks that operands are no versions but the newest one.
    fn read(&self, operands: &[Operand], newest: Option<Variable>) -> Result<(), Distinct> {
        let is_newest = |operand: &Operand| newest.is_some_and(|newest| *operand == Operand::Variable(newest));
        match operands.iter().all(|operand| !self.has(*operand) || is_newest(operand)) {
            true => Ok(()),
            false => Err(Distinct),
        }
    }

    /// Checks that operands are no versions, but for one, which is the newest. Returns its place.
    fn moved(&self, operands: &[Operand], newest: Option<Variable>) -> Result<Option<usize>, Distinct> {
        self.read(operands, newest)?;
        let mut places = operands.iter().enumerate().filter(|(_, operand)| self.has(**operand));
        match (places.next(), places.next()) {
            (_, Some(_)) => Err(Distinct),
            (place, None) => Ok(place.map(|(place, _)| place)),
        }
    }

    /// The newest version after a construct, given that before it.
    fn after(&mut self, ends: &Ends, targets: &[Variable], before: Option<Variable>) -> Option<Variable> {
        match ends.result.flatten().and_then(|place| targets.get(place)) {
            Some(target) => {
                self.all.insert(*target);
                Some(*target)
            }
            None if ends.changes => None,
            None => before,
        }
    }

    fn block(&mut self, block: &Block, mut newest: Option<Variable>, ends: &mut Ends) -> Result<(), Distinct> {
        for statement in &block.statements {
            newest = self.statement(statement, newest)?;
        }
        match &block.end {
            End::Branch { consequent, alternative, .. } => {
                self.block(consequent, newest, ends)?;
                self.block(alternative, newest, ends)
            }
            End::Yield(values) => {
                let place = self.moved(values, newest)?;
                ends.changes |= newest != ends.begin;
                if *ends.result.get_or_insert(place) != place {
                    return Err(Distinct);
                }
                Ok(())
            }
            End::Repeat(next) => {
                let place = self.moved(next, newest)?;
                let is_the_same = ends.state.is_some() || newest == ends.begin;
                ends.changes |= newest != ends.begin;
                if place == ends.state && is_the_same { Ok(()) } else { Err(Distinct) }
            }
            End::BailOut(_) => Ok(()),
        }
    }

    /// The newest version after a statement.
    fn statement(&mut self, statement: &Statement, newest: Option<Variable>) -> Result<Option<Variable>, Distinct> {
        match statement {
            Statement::Storage(_) => vlad_table::internal_bug!("storage code is made after all passes"),
            Statement::Replace { target, array, node, .. } if self.has(*array) => {
                self.read(&[*array], newest)?;
                if self.made_of.is_empty() {
                    self.replacement = *node;
                }
                self.all.insert(*target);
                self.made_of.insert(*target, *array);
                return Ok(Some(*target));
            }
            Statement::Bind { targets, block } => {
                let mut ends = Ends::of(newest, None);
                self.block(block, newest, &mut ends)?;
                return Ok(self.after(&ends, targets, newest));
            }
            Statement::Loop { targets, state, initial, body } => {
                let place = self.moved(initial, newest)?;
                let inside = place.and_then(|place| state.get(place)).copied();
                self.all.extend(inside);
                let mut ends = Ends::of(inside.or(newest), place);
                self.block(body, ends.begin, &mut ends)?;
                return Ok(self.after(&ends, targets, newest));
            }
            Statement::Build { body, .. } => {
                let mut ends = Ends::of(newest, None);
                self.block(body, newest, &mut ends)?;
                if ends.changes || ends.result.flatten().is_some() {
                    return Err(Distinct);
                }
            }
            Statement::Element { target, array, .. } => match newest {
                Some(newest) if self.made_of.get(&newest) == Some(array) => {
                    self.late.insert(*target, newest);
                }
                Some(_) | None => self.read(&[*array], newest)?,
            },
            Statement::CompareArrays { .. } => self.read(&statement.operands(), newest)?,
            // All versions are of one length.
            Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. } => {}
            _ => {
                if statement.operands().into_iter().any(|operand| self.has(operand)) {
                    return Err(Distinct);
                }
            }
        }
        Ok(newest)
    }
}
