//! Loops that the comparison of a counter with a bound ends and nothing else.

use crate::first_order::{Block, End, Operand, Statement, Variable};
use std::collections::HashSet;
use vlad_table::{Comparison, Operation};

/// True for what does not change in code that assigns some variables.
pub fn is_constant(operand: Operand, assigned: &HashSet<Variable>) -> bool {
    !matches!(operand, Operand::Variable(variable) if assigned.contains(&variable))
}

/// The variables that a body assigns, and some others.
pub fn assigned(body: &Block, others: &[Variable]) -> HashSet<Variable> {
    let mut found: HashSet<Variable> = others.iter().copied().collect();
    body.each_statement(&mut |inner| found.extend(inner.targets().iter().chain(inner.inner_variables())));
    found
}

/// True if code reads, writes, or calls functions, which may.
pub fn has_effects(body: &Block) -> bool {
    let mut found = false;
    body.each_statement(&mut |statement| {
        let is_effect = matches!(statement, Statement::Read { .. } | Statement::Write { .. } | Statement::Call { .. });
        found |= is_effect;
    });
    found
}

/// The counter and the bound of a loop that the comparison of these ends and nothing else, from 0 on.
pub fn counted(state: &[Variable], initial: &[Operand], body: &Block) -> Option<(Variable, Operand)> {
    let [Statement::Compare { target, comparison: Comparison::Less, first: Operand::Variable(counter), second: bound }] =
        body.statements.as_slice()
    else {
        return None;
    };
    let End::Branch { test, consequent, alternative } = &body.end else { return None };
    if *test != Operand::Variable(*target) {
        return None;
    }
    let place = state.iter().position(|variable| variable == counter)?;
    let begins = matches!(initial.get(place), Some(Operand::Real(bits)) if bits.real() == 0.0);
    let mut increased = HashSet::new();
    body.each_statement(&mut |statement| {
        if let Statement::Operation { target, operation: Operation::Add, first, second: Some(Operand::Real(one)) } =
            statement
            && *first == Operand::Variable(*counter)
            && one.real() == 1.0
        {
            increased.insert(*target);
        }
    });
    let mut is_counted = begins;
    consequent.each_leaf(&mut |leaf| {
        is_counted &= match &leaf.end {
            End::Repeat(next) => matches!(next.get(place), Some(Operand::Variable(next)) if increased.contains(next)),
            End::BailOut(_) => true,
            End::Yield(_) | End::Branch { .. } => false,
        };
    });
    alternative.each_leaf(&mut |leaf| is_counted &= matches!(leaf.end, End::Yield(_) | End::BailOut(_)));
    is_counted.then_some((*counter, *bound))
}
