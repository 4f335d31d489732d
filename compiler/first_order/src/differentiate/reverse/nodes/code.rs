//! First-order code as it is analysed and copied here: the variables that it reads, and the same code with other
//! variables.

use super::frames::Draft;
use crate::variables::assigned;
use crate::{Block, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that code reads.
pub fn read_in(code: &[Statement]) -> BTreeSet<Variable> {
    code.iter().flat_map(Statement::variables_read).collect()
}

/// True if records are popped in code.
pub fn pops(code: &[Statement]) -> bool {
    code.iter().flat_map(Statement::with_inner).any(|statement| matches!(statement, Statement::Pop { .. }))
}

/// Makes code of the trace read the variables of the blocks around it where the sweep finds them.
pub fn read_outer(code: &mut Block, draft: &mut Draft) {
    let assigned = assigned(code, &[]);
    let mut read = |operand: &mut Operand| {
        if operand.variable().is_some_and(|variable| !assigned.contains(&variable)) {
            *operand = draft.read(*operand);
        }
    };
    code.rename(&mut read, &mut |_| {});
}

/// Gives the variables that a block assigns other names, and some others that it reads. Returns the names.
pub fn with_other_names(block: &mut Block, others: &[Variable], draft: &mut Draft) -> BTreeMap<Variable, Variable> {
    let assigned = others.iter().copied().chain(block.all_statements().flat_map(Statement::assigned));
    let fresh = assigned.map(|variable| (variable, draft.like(variable)));
    let names: BTreeMap<Variable, Variable> = fresh.collect();
    let rename = |variable: &mut Variable| *variable = names.get(variable).copied().unwrap_or(*variable);
    let mut operand = |operand: &mut Operand| {
        if let Operand::Variable(variable) = operand {
            rename(variable);
        }
    };
    block.rename(&mut operand, &mut { rename });
    names
}
