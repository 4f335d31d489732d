//! Computations, of which equal ones have equal values (`common`, `fuse`).

use crate::first_order::{Block, Operand, Statement, Variable};
use std::collections::HashMap;
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
        Statement::Bind { block, .. } if block.size() <= LARGEST_BIND && is_pure(block) => {
            Computation::Bind(text(block))
        }
        Statement::Element { array, index, .. } => Computation::Element(*array, *index),
        Statement::Length { array, .. } => Computation::Length(*array),
        Statement::IsIndex { array, index, .. } => Computation::IsIndex(*array, *index),
        Statement::CompareArrays { relation, first, second, .. } => {
            Computation::CompareArrays(*relation as u8, *first, *second)
        }
        Statement::Zeros { like, .. } => Computation::Zeros(*like),
        Statement::Bind { .. }
        | Statement::Loop { .. }
        | Statement::Array { .. }
        | Statement::Build { .. }
        | Statement::Accumulators { .. }
        | Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::Replace { .. }
        | Statement::Call { .. }
        | Statement::Forward { .. }
        | Statement::Reverse { .. }
        | Statement::Read { .. }
        | Statement::Write { .. }
        | Statement::Push { .. }
        | Statement::Tape { .. }
        | Statement::Pop { .. }
        | Statement::Steps { .. }
        | Statement::Recount { .. }
        | Statement::Cell { .. }
        | Statement::Parts { .. }
        | Statement::Count { .. } => return None,
    })
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

/// Returns true if a block depends on nothing but the variables that it reads, and changes nothing.
pub fn is_pure(block: &Block) -> bool {
    let mut is_pure = true;
    block.each_statement(&mut |statement| {
        is_pure &= match statement {
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Input { .. }
            | Statement::Bind { .. }
            | Statement::Loop { .. }
            | Statement::Build { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Zeros { .. } => true,
            Statement::Call { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Tape { .. }
            | Statement::Pop { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Replace { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => false,
        };
    });
    is_pure
}

/// The text of a block, which is equal for blocks that differ only in the variables that they assign.
fn text(block: &Block) -> String {
    let mut numbers: HashMap<Variable, Variable> = HashMap::new();
    let mut number = |variable: &Variable| {
        let next = Variable(u32::MAX - numbers.len() as u32);
        numbers.insert(*variable, next);
    };
    block.each_statement(&mut |statement| {
        statement.targets().iter().for_each(&mut number);
        statement.inner_variables().iter().for_each(&mut number);
    });
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
