//! The parts of recomputed code that nobody reads: they are left out.

use super::super::nodes::Draft;
use crate::differentiate::emitter::{ZERO, yielding};
use crate::{Kind, Operand, Statement, Variable};
use std::collections::BTreeSet;

/// Leaves statements out whose values nobody uses, unless they change a stack or an array. The first execution of the
/// same code has ended, so its loops end again.
pub fn without_unused(code: Vec<Statement>, mut used: BTreeSet<Variable>) -> Vec<Statement> {
    let mut left = Vec::new();
    for statement in code.into_iter().rev() {
        if !statement.changes_nothing() || statement.targets().iter().any(|target| used.contains(target)) {
            used.extend(statement.variables_read());
            left.push(statement);
        }
    }
    left.reverse();
    left
}

/// Makes arrays of reals without their elements where only their lengths are read, given the variables that are read
/// after the code.
pub fn lengths_alone(code: &mut Vec<Statement>, used: &BTreeSet<Variable>, draft: &Draft) {
    let mut read = used.clone();
    let reads_elements =
        |statement: &&Statement| !matches!(statement, Statement::Accumulators { .. } | Statement::Length { .. });
    read.extend(code.iter().filter(reads_elements).flat_map(Statement::variables_read));
    let is_unread = |target: &Variable| !read.contains(target) && draft.kind(Operand::Variable(*target)) == Kind::REALS;
    for statement in &mut *code {
        if let Statement::Build { targets, body, .. } = statement
            && targets.iter().all(is_unread)
            && body.changes_nothing()
        {
            *body = yielding(vec![ZERO; targets.len()]);
        }
    }
    *code = without_unused(std::mem::take(code), used.clone());
}
