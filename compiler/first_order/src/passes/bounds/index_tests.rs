//! Guards: binds that leave the code unless a test holds, and do nothing else.

use crate::{Block, End, Operand, Statement, Variable};
use std::collections::HashMap;
use vlad_core::ExpressionId;

/// A statement that leaves the code if a test holds.
pub fn leave_if(test: Operand, node: ExpressionId) -> Statement {
    let consequent = Box::new(Block { statements: Vec::new(), end: End::BailOut(node) });
    let end = End::Branch { test, consequent, alternative: Box::default() };
    Statement::Bind { targets: Vec::new(), block: Block { statements: Vec::new(), end } }
}

/// The test without which a statement leaves the code, and the place, if it does nothing else.
fn guard(statement: &Statement) -> Option<(Variable, ExpressionId)> {
    let Statement::Bind { targets, block } = statement else { return None };
    let End::Branch { test: Operand::Variable(test), consequent, alternative } = &block.end else { return None };
    let End::BailOut(node) = &alternative.end else { return None };
    let is_guard = targets.is_empty()
        && block.statements.is_empty()
        && alternative.statements.is_empty()
        && **consequent == Block::default();
    is_guard.then_some((*test, *node))
}

/// Takes guards out of a block, with their tests that a real is an index, and notes the outcome of these. A function gives the
/// subject of a test that may go. Returns each subject once, with the place of its first guard.
pub fn take_guards<S: Clone + PartialEq>(
    block: &mut Block,
    mut subject: impl FnMut(&Statement) -> Option<S>,
    outcomes: &mut HashMap<Variable, Operand>,
) -> Vec<(S, ExpressionId)> {
    let mut tests: HashMap<Variable, S> = HashMap::new();
    let mut found: Vec<(S, ExpressionId)> = Vec::new();
    block.statements.retain(|statement| {
        if let Some(subject) = subject(statement) {
            tests.extend(statement.targets().iter().map(|target| (*target, subject.clone())));
        }
        let Some((test, node)) = guard(statement) else { return true };
        let Some(subject) = tests.get(&test) else { return true };
        outcomes.insert(test, Operand::Boolean(true));
        if found.iter().all(|(other, _)| other != subject) {
            found.push((subject.clone(), node));
        }
        false
    });
    let is_decided =
        |statement: &Statement| matches!(statement, Statement::IsIndex { target, .. } if outcomes.contains_key(target));
    block.statements.retain(|statement| !is_decided(statement));
    found
}
