//! Lengths of arrays that a loop makes, as far as they are known before the loop: of those in buffers, and of the rows of a matrix.

use crate::variables::assigned;
use crate::{Block, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};

/// A length that is known before a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KnownLength {
    /// The length of an array that is known there.
    OfArray(Operand),
    /// A number that is known there, and that is an integer of the C code.
    Whole(Operand),
    /// The number of elements.
    Elements(usize),
}

/// The variables that are assigned in a loop.
pub struct Lengths {
    inside: HashSet<Variable>,
    /// The lengths among them, with their arrays.
    of_arrays: HashMap<Variable, Operand>,
}

impl Lengths {
    /// The variables of a loop with a body, of which some are assigned for each turn.
    pub fn of(body: &Block, own: &[Variable]) -> Lengths {
        let mut lengths = Lengths { inside: assigned(body, own), of_arrays: HashMap::new() };
        for statement in body.all_statements() {
            if let Statement::Length { target, array } = statement {
                lengths.of_arrays.insert(*target, *array);
            }
        }
        lengths
    }

    /// The array that a variable of the loop is the length of.
    pub fn array_of(&self, length: Operand) -> Option<Operand> {
        match length {
            Operand::Variable(length) => self.of_arrays.get(&length).copied(),
            Operand::Real(_) | Operand::Boolean(_) => None,
        }
    }

    /// A length as it is known before the loop.
    pub fn known(&self, length: Operand) -> Option<KnownLength> {
        let is_outside = |operand: &Operand| !matches!(operand, Operand::Variable(of) if self.inside.contains(of));
        match length {
            length if is_outside(&length) => Some(KnownLength::Whole(length)),
            length => self.array_of(length).filter(is_outside).map(KnownLength::OfArray),
        }
    }
}
