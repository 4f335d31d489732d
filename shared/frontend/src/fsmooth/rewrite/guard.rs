//! The test of the assumptions of a definition: `true` if all hold. It is total.

use super::facts::{Assumption, Relation};
use super::terms;
use crate::fsmooth::typed::{Expression, ExpressionId, Program, Types};
use std::collections::HashMap;
use vlad_core::source::Span;
use vlad_table::primitives::Comparison;

/// Returns the conjunction of the tests of some assumptions, each under those before; none for no assumption.
pub fn test(program: &mut Program, assumptions: &[Assumption], span: Span) -> Option<ExpressionId> {
    let mut whole = None;
    for assumption in assumptions.iter().rev() {
        let one = one(program, assumption, span);
        whole = Some(match whole {
            None => one,
            Some(others) => both(program, one, others, span),
        });
    }
    whole
}

fn both(program: &mut Program, condition: ExpressionId, consequent: ExpressionId, span: Span) -> ExpressionId {
    let alternative = program.add(Expression::Boolean(false), Types::BOOLEAN, span);
    program.add(Expression::If { condition, consequent, alternative }, Types::BOOLEAN, span)
}

/// The test of one assumption: a comparison, within an iteration for each index.
fn one(program: &mut Program, assumption: &Assumption, span: Span) -> ExpressionId {
    let comparison = match assumption.relation {
        Relation::Equal => Comparison::Equal,
        Relation::Less => Comparison::Less,
        Relation::NotGreater => Comparison::NotGreater,
    };
    let mut renamed = HashMap::new();
    let mut loops = vec![];
    for (index, count) in &assumption.indices {
        let count = program.copy(*count, &renamed);
        let described = program.local(*index).clone();
        let own = program.add_local(described.name, Types::INDEX, span);
        let used = terms::local(program, own, count);
        renamed.insert(*index, used);
        loops.push((own, count));
    }
    let (left, right) = (program.copy(assumption.left, &renamed), program.copy(assumption.right, &renamed));
    let mut test = program.add(Expression::Compare(comparison, left, right), Types::BOOLEAN, span);
    let step_type = program.types.function(Types::INDEX, Types::BOOLEAN);
    let function_type = program.types.function(Types::BOOLEAN, step_type);
    for (index, count) in loops.into_iter().rev() {
        let state = program.add_local("holds", Types::BOOLEAN, span);
        let condition = program.add(Expression::Local(state), Types::BOOLEAN, span);
        let body = both(program, condition, test, span);
        let inner = program.add(Expression::Lambda { parameter: index, body }, step_type, span);
        let function = program.add(Expression::Lambda { parameter: state, body: inner }, function_type, span);
        let start = program.add(Expression::Boolean(true), Types::BOOLEAN, span);
        test = program.add(Expression::Ifold { function, start, count }, Types::BOOLEAN, span);
    }
    test
}
