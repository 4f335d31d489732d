//! Arrays of zeros whose length alone is read become the accumulators that are made with this length.
//!
//! A sweep over a loop executes an iteration again, without the elements of its arrays, to have accumulators of their lengths
//! ([`crate::differentiate`]). It needs one array of zeros for that, and not two. The accumulators are made in the same
//! execution of the same block, so each array has its own. They may change, since no element of the other array is read.
//!
//! After this pass the results of equal builds may differ, so it comes after the passes that execute equal code once.

use crate::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::HashMap;

/// Makes accumulators of arrays of zeros that nothing reads.
pub fn reuse_unread(unit: &mut Unit) {
    for function in &mut unit.functions {
        let likes = likes(function);
        if likes.is_empty() {
            continue;
        }
        let mut body = std::mem::take(&mut function.body);
        let mut replaced = HashMap::new();
        reuse(&mut body, function, &likes, &mut replaced);
        body.substitute(&replaced);
        function.body = body;
    }
}

/// The arrays of which nothing is read but the length, and whose length one array of accumulators has.
fn likes(function: &Function) -> HashMap<Variable, usize> {
    let (mut likes, mut others) = (HashMap::new(), Vec::new());
    for block in function.body.all_blocks() {
        for statement in &block.statements {
            match statement {
                Statement::Zeros { like: Operand::Variable(like), .. }
                | Statement::Accumulators { like: Operand::Variable(like), .. } => {
                    *likes.entry(*like).or_insert(0) += 1
                }
                Statement::Length { .. } => {}
                _ => others.extend(statement.operands()),
            }
        }
        others.extend(block.end.operands());
    }
    for other in others.into_iter().filter_map(Operand::variable) {
        likes.remove(&other);
    }
    likes.retain(|_, count| *count == 1);
    likes
}

fn reuse(
    block: &mut Block,
    function: &Function,
    likes: &HashMap<Variable, usize>,
    replaced: &mut HashMap<Variable, Operand>,
) {
    let mut zeros = Vec::new();
    for mut statement in std::mem::take(&mut block.statements) {
        if let Statement::Zeros { target, like: Operand::Variable(like) }
        | Statement::Accumulators { target, like: Operand::Variable(like) } = &statement
            && zeros.contains(like)
        {
            replaced.insert(*target, Operand::Variable(*like));
            continue;
        }
        if let Some(array) = array_of_zeros(&statement, function)
            && likes.contains_key(&array)
        {
            zeros.push(array);
        }
        if let Some(inner) = statement.block_mut() {
            reuse(inner, function, likes, replaced);
        }
        block.statements.push(statement);
    }
    for inner in block.end.blocks_mut().into_iter().flatten() {
        reuse(inner, function, likes, replaced);
    }
}

/// The array of reals that a statement makes, if all its elements are +0.
fn array_of_zeros(statement: &Statement, function: &Function) -> Option<Variable> {
    let Statement::Build { targets, body, .. } = statement else { return None };
    let [target] = targets.as_slice() else { return None };
    let is_zero = body.statements.is_empty()
        && matches!(&body.end, End::Yield(values) if values.as_slice() == [Operand::real(0.0)]);
    (is_zero && function.kind((*target).into()) == Kind::REALS).then_some(*target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Building;
    use crate::check::check;

    /// The statements of a function that makes an array of zeros, and two arrays like it if that is wanted, and reads an
    /// element of the first one if that is.
    fn statements(likes: usize, reads: bool, element: f64) -> Vec<Statement> {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::Real], &[Kind::Real]);
        building.define(function, |code, p| {
            let array = code.build(&[Kind::REALS], p[0], |_, _| End::Yield(vec![Operand::real(element)]))[0];
            let mut result = Operand::real(0.0);
            for _ in 0..likes {
                let (zeros, loaded) = (code.fresh(Kind::REALS), code.fresh(Kind::Real));
                code.push(Statement::Zeros { target: zeros, like: array });
                code.push(Statement::Load { target: loaded, array: zeros.into(), index: Operand::real(0.0) });
                result = loaded.into();
            }
            if reads {
                result = code.element(array, Operand::real(0.0));
            }
            End::Yield(vec![result])
        });
        let mut unit = building.finish();
        reuse_unread(&mut unit);
        check(&unit).unwrap();
        unit.functions[0].body.statements.clone()
    }

    fn makes_zeros(statements: &[Statement]) -> bool {
        statements.iter().any(|statement| matches!(statement, Statement::Zeros { .. }))
    }

    #[test]
    fn zeros_like_zeros_are_these() {
        let statements = statements(1, false, 0.0);
        let [Statement::Build { targets, .. }, Statement::Load { array, .. }] = statements.as_slice() else {
            unreachable!("{statements:?}")
        };
        assert_eq!(*array, Operand::Variable(targets[0]));
    }

    #[test]
    fn arrays_that_are_read_or_are_no_zeros_stay() {
        assert!(makes_zeros(&statements(1, true, 0.0)));
        assert!(makes_zeros(&statements(1, false, -0.0)));
        assert!(makes_zeros(&statements(1, false, 1.0)));
    }

    #[test]
    fn several_accumulators_are_several_arrays() {
        assert!(makes_zeros(&statements(2, false, 0.0)));
    }
}
