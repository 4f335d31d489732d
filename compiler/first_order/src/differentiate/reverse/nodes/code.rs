//! First-order code as it is analysed and copied here: the variables that it reads, and the same code with other
//! variables.

use super::frames::Draft;
use crate::{Block, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the variables that a statement reads, nested blocks included.
pub fn read_by(statement: &Statement, read: &mut BTreeSet<Variable>) {
    read.extend(statement.operands().into_iter().filter_map(Operand::variable));
    if let Some(block) = statement.block() {
        read_by_block(block, read);
    }
}

/// Adds the variables that a block reads, nested blocks included.
pub fn read_by_block(block: &Block, read: &mut BTreeSet<Variable>) {
    block.each_block(&mut |block| {
        let of_statements = block.statements.iter().flat_map(Statement::operands);
        read.extend(of_statements.chain(block.end.operands().iter().copied()).filter_map(Operand::variable));
    });
}

/// The variables that code reads.
pub fn read_in(code: &[Statement]) -> BTreeSet<Variable> {
    let mut read = BTreeSet::new();
    code.iter().for_each(|statement| read_by(statement, &mut read));
    read
}

/// The variables that a statement assigns, for its block and for the nested one.
pub fn assigned_by(statement: &Statement) -> impl Iterator<Item = Variable> {
    statement.targets().iter().chain(statement.inner_variables()).copied()
}

/// True if code has one of some statements, nested blocks included.
pub fn contains(code: &[Statement], is_sought: impl Fn(&Statement) -> bool) -> bool {
    let mut found = false;
    for statement in code {
        found |= is_sought(statement);
        if let Some(block) = statement.block() {
            block.each_statement(&mut |inner| found |= is_sought(inner));
        }
    }
    found
}

/// True if records are popped in code.
pub fn pops(code: &[Statement]) -> bool {
    contains(code, |statement| matches!(statement, Statement::Pop { .. }))
}

/// Makes code of the trace read the variables of the blocks around it where the sweep finds them.
pub fn read_outer(code: &mut Block, draft: &mut Draft) {
    let mut assigned = BTreeSet::new();
    code.each_statement(&mut |statement| assigned.extend(assigned_by(statement)));
    let mut read = |operand: &mut Operand| {
        if operand.variable().is_some_and(|variable| !assigned.contains(&variable)) {
            *operand = draft.read(*operand);
        }
    };
    code.rename(&mut read, &mut |_| {});
}

/// Gives the variables that a block assigns other names, and some others that it reads. Returns the names.
pub fn with_other_names(block: &mut Block, others: &[Variable], draft: &mut Draft) -> BTreeMap<Variable, Variable> {
    let mut assigned = others.to_vec();
    block.each_statement(&mut |statement| assigned.extend(assigned_by(statement)));
    let fresh = assigned.into_iter().map(|variable| (variable, draft.like(variable)));
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
