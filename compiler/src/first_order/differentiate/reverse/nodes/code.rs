//! Parts of code that is executed again: what it reads, what of it nobody uses, and other names for its variables.

use super::frames::Draft;
use crate::first_order::{Block, End, Kind, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the variables that a statement reads, nested blocks included.
pub fn read_by(statement: &Statement, used: &mut BTreeSet<Variable>) {
    used.extend(statement.operands().into_iter().filter_map(Operand::variable));
    if let Some(block) = statement.block() {
        read_by_block(block, used);
    }
}

fn read_by_block(block: &Block, used: &mut BTreeSet<Variable>) {
    block.statements.iter().for_each(|statement| read_by(statement, used));
    used.extend(block.end.operands().iter().copied().filter_map(Operand::variable));
    block.end.blocks().into_iter().flatten().for_each(|block| read_by_block(block, used));
}

/// Leaves statements out whose values nobody uses, unless they change a stack or an array. Loops have ended before, so
/// they end again.
pub fn without_unused(code: Vec<Statement>, mut used: BTreeSet<Variable>) -> Vec<Statement> {
    let mut kept = Vec::new();
    for statement in code.into_iter().rev() {
        if has_effect(&statement) || statement.targets().iter().any(|target| used.contains(target)) {
            read_by(&statement, &mut used);
            kept.push(statement);
        }
    }
    kept.reverse();
    kept
}

/// Makes arrays of reals without their elements where only their lengths are read. Some variables are read by what follows
/// the code.
pub fn lengths_alone(code: &mut Vec<Statement>, used: &BTreeSet<Variable>, draft: &Draft) {
    let mut read = used.clone();
    let reads_elements =
        |statement: &&Statement| !matches!(statement, Statement::Accumulators { .. } | Statement::Length { .. });
    for statement in code.iter().filter(reads_elements) {
        read_by(statement, &mut read);
    }
    for statement in &mut *code {
        if let Statement::Build { targets, body, .. } = statement
            && targets
                .iter()
                .all(|target| !read.contains(target) && draft.kind(Operand::Variable(*target)) == Kind::REALS)
            && !body.statements.iter().any(has_effect)
        {
            let zeros = vec![Operand::real(0.0); targets.len()];
            *body = Block { statements: Vec::new(), end: End::Yield(zeros) };
        }
    }
    *code = without_unused(std::mem::take(code), used.clone());
}

fn has_effect(statement: &Statement) -> bool {
    let is_effect = |statement: &Statement| {
        matches!(statement, Statement::Push { .. } | Statement::Pop { .. } | Statement::Store { .. })
    };
    let mut found = is_effect(statement);
    if let Some(block) = statement.block() {
        block.each_statement(&mut |statement| found |= is_effect(statement));
    }
    found
}

/// Makes code read the variables of the blocks around it where the sweep finds them.
pub fn read_outer(code: &mut [Statement], draft: &mut Draft) {
    let mut assigned = BTreeSet::new();
    let mut assign = |statement: &Statement| {
        assigned.extend(statement.targets().iter().chain(statement.inner_variables()).copied());
    };
    for statement in &*code {
        assign(statement);
        if let Some(block) = statement.block() {
            block.each_statement(&mut assign);
        }
    }
    let mut read = |operand: &mut Operand| {
        if operand.variable().is_some_and(|variable| !assigned.contains(&variable)) {
            *operand = draft.read(*operand);
        }
    };
    for statement in code {
        statement.change_operands(&mut read);
        if let Some(block) = statement.block_mut() {
            block.rename(&mut read, &mut |_| {});
        }
    }
}

/// Gives the variables that a block assigns other names, and some others that it reads.
pub fn with_other_names(block: &mut Block, others: &[Variable], draft: &mut Draft) -> BTreeMap<Variable, Variable> {
    let mut assigned = others.to_vec();
    block.each_statement(&mut |statement| {
        assigned.extend(statement.targets().iter().chain(statement.inner_variables()));
    });
    let fresh = assigned.into_iter().map(|variable| (variable, draft.fresh(draft.kind(Operand::Variable(variable)))));
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
