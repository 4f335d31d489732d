//! Computations, of which equal ones have equal values (`common`, `fuse`).

use crate::{Block, Operand, Statement, Variable};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use vlad_table::Operation;

/// The size of the largest binds that are compared.
const LARGEST_BIND: usize = 64;

/// A computation, by all that its value depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Computation {
    Operation(Operation, Operand, Option<Operand>),
    PositiveZero(Operand),
    /// A comparison by its number.
    Compare(u8, Operand, Operand),
    Input(u32),
    Element(Operand, Operand),
    Length(Operand),
    IsIndex(Operand, Operand),
    /// A relation by its number.
    CompareArrays(u8, Operand, Operand),
    Zeros(Operand),
    /// The text of a block whose own variables are numbered from the end.
    Bind(String),
}

/// The computation of a statement that depends on nothing but its operands.
pub fn computation(statement: &Statement) -> Option<Computation> {
    Some(match statement {
        Statement::Storage(_) => vlad_table::internal_bug!("storage code is made after all passes"),
        Statement::Operation { operation, first, second, .. } => {
            let (first, second) = match second {
                Some(second) if commutes(*operation) && rank(*second) < rank(*first) => (*second, Some(*first)),
                second => (*first, *second),
            };
            Computation::Operation(*operation, first, second)
        }
        Statement::PositiveZero { operand, .. } => Computation::PositiveZero(*operand),
        Statement::Compare { comparison, first, second, .. } => {
            Computation::Compare(*comparison as u8, *first, *second)
        }
        Statement::Input { input, .. } => Computation::Input(*input),
        Statement::Bind { block, .. } if block.size() <= LARGEST_BIND && block.is_pure() => {
            Computation::Bind(text(block))
        }
        Statement::Element { array, index, .. } => Computation::Element(*array, *index),
        Statement::Length { array, .. } => Computation::Length(*array),
        Statement::IsIndex { array, index, .. } => Computation::IsIndex(*array, *index),
        Statement::CompareArrays { relation, first, second, .. } => {
            Computation::CompareArrays(*relation as u8, *first, *second)
        }
        Statement::Zeros { like, .. } => Computation::Zeros(*like),
        _ => return None,
    })
}

/// The computations that have been executed at a place of the text.
#[derive(Default)]
pub struct Executed {
    targets: HashMap<Computation, Vec<Variable>>,
    /// The computations in the order in which they became known.
    order: Vec<Computation>,
}

impl Executed {
    /// The number of computations.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The targets that have the values of a computation.
    pub fn get(&self, computation: &Computation) -> Option<&Vec<Variable>> {
        self.targets.get(computation)
    }

    /// Remembers a computation, unless it is known.
    pub fn learn(&mut self, computation: Computation, targets: &[Variable]) {
        if let Entry::Vacant(place) = self.targets.entry(computation.clone()) {
            place.insert(targets.to_vec());
            self.order.push(computation);
        }
    }

    /// Forgets all but so many computations.
    pub fn forget(&mut self, known: usize) {
        for computation in self.order.drain(known..) {
            self.targets.remove(&computation);
        }
    }
}

fn commutes(operation: Operation) -> bool {
    matches!(operation, Operation::Add | Operation::Multiply | Operation::GuardedMultiply)
}

fn rank(operand: Operand) -> (u8, u64) {
    match operand {
        Operand::Variable(variable) => (0, u64::from(variable.0)),
        Operand::Real(bits) => (1, bits.0),
        Operand::Boolean(boolean) => (2, u64::from(boolean)),
    }
}

/// The text of a block, which is equal for blocks that differ only in the variables that they assign.
fn text(block: &Block) -> String {
    let mut numbers: HashMap<Variable, Variable> = HashMap::new();
    let mut number = |variable: Variable| {
        let next = Variable(u32::MAX - numbers.len() as u32);
        numbers.insert(variable, next);
    };
    block.all_statements().flat_map(Statement::assigned).for_each(&mut number);
    let mut block = block.clone();
    let renumbered = |variable: Variable| numbers.get(&variable).copied().unwrap_or(variable);
    block.rename(
        &mut |operand| {
            if let Operand::Variable(variable) = operand {
                *variable = renumbered(*variable);
            }
        },
        &mut |target| *target = renumbered(*target),
    );
    format!("{block:?}")
}
