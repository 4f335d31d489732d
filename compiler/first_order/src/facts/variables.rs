//! The variables of code: those that it reads and others define, those that it assigns, and other names for these.

use crate::{Block, Function, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};

/// The variables that a block reads and does not define, in the order in which it reads them first.
pub fn free_variables(block: &Block) -> Vec<Variable> {
    let defined: HashSet<Variable> = assigned(block, &[]);
    let mut seen = HashSet::new();
    let read = block.all_operands().filter_map(Operand::variable);
    read.filter(|variable| !defined.contains(variable) && seen.insert(*variable)).collect()
}

/// The variables that a block assigns, with those in it, and some others.
pub fn assigned(block: &Block, others: &[Variable]) -> HashSet<Variable> {
    block.all_statements().flat_map(Statement::assigned).chain(others.iter().copied()).collect()
}

/// The number of times that each variable is read in a block, also in those in it.
pub fn reads(block: &Block) -> HashMap<Variable, usize> {
    let mut reads = HashMap::new();
    for variable in block.all_operands().filter_map(Operand::variable) {
        *reads.entry(variable).or_default() += 1;
    }
    reads
}

/// Returns true for an operand that does not change in code that assigns some variables.
pub fn is_constant(operand: Operand, assigned: &HashSet<Variable>) -> bool {
    !operand.variable().is_some_and(|variable| assigned.contains(&variable))
}

/// Gives new variables to all that a block assigns, and returns them: a copy of the block computes the same beside it.
pub fn with_new_variables(function: &mut Function, block: &mut Block) -> HashMap<Variable, Variable> {
    let assigned = block.all_statements().flat_map(Statement::assigned);
    let new: HashMap<Variable, Variable> =
        assigned.map(|variable| (variable, function.fresh(function.kind(variable.into())))).collect();
    let renamed = |variable: &mut Variable| *variable = new.get(variable).copied().unwrap_or(*variable);
    let mut operand = |operand: &mut Operand| {
        if let Operand::Variable(variable) = operand {
            renamed(variable);
        }
    };
    block.rename(&mut operand, &mut { renamed });
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Statement};
    use vlad_table::Operation;

    #[test]
    fn what_is_defined_inside_is_not_free() {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(Variable);
        let sum = |target: Variable, first: Variable, second: Variable| Statement::Operation {
            target,
            operation: Operation::Add,
            first: first.into(),
            second: Some(second.into()),
        };
        let inner = Block { statements: vec![sum(d, c, b)], end: End::Yield(vec![d.into()]) };
        let bind = Statement::Bind { targets: vec![e], block: inner };
        let block = Block { statements: vec![sum(c, b, b), bind], end: End::Yield(vec![e.into(), a.into()]) };
        assert_eq!(free_variables(&block), [b, a]);
    }
}
