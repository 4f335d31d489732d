//! Hoisting: an operation that a block executes in any case, and a branch or a loop before it executes as well, is executed before that
//! branch or loop, where [`super::common`] then finds it.
//!
//! Operations depend on their operands alone and do not fail, so the time of their execution makes no difference. All of them would be
//! executed anyway, unless the code bails out in between.

use super::computation::{Computation, computation};
use crate::{Block, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};

/// Executes operations early, in every function.
pub fn execute_early(unit: &mut Unit) {
    for function in &mut unit.functions {
        execute(&mut function.body);
    }
}

fn execute(block: &mut Block) {
    let mut made: HashMap<Variable, usize> = HashMap::new();
    // The branches and loops of the block, with the computations in them.
    let mut inner: Vec<(usize, HashSet<Computation>)> = Vec::new();
    let mut moves: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, statement) in block.statements.iter_mut().enumerate() {
        if let Some(nested) = statement.block_mut() {
            execute(nested);
        }
        if let Some(nested) = statement.block() {
            let operations = nested.all_statements().filter(|inner| inner.is_operation());
            inner.push((place, operations.filter_map(computation).collect()));
        } else if statement.is_operation()
            && let Some(computation) = computation(statement)
        {
            let made_at = |operand: Operand| made.get(&operand.variable()?).map(|made| made + 1);
            let earliest = statement.operands().into_iter().filter_map(made_at).max().unwrap_or(0);
            let found = inner.iter().find(|(place, inside)| *place >= earliest && inside.contains(&computation));
            if let Some((before, _)) = found {
                moves.entry(*before).or_default().push(place);
            }
        }
        made.extend(statement.targets().iter().map(|target| (*target, place)));
    }
    for nested in block.end.blocks_mut().into_iter().flatten() {
        execute(nested);
    }
    if moves.is_empty() {
        return;
    }
    let mut statements: Vec<Option<Statement>> = std::mem::take(&mut block.statements).into_iter().map(Some).collect();
    for place in 0..statements.len() {
        for moved in moves.remove(&place).unwrap_or_default() {
            block.statements.extend(statements.get_mut(moved).and_then(Option::take));
        }
        block.statements.extend(statements.get_mut(place).and_then(Option::take));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;
    use crate::Kind::Real;
    use crate::build::Building;
    use crate::passes::sharing::common::share_common;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use vlad_table::{Comparison, Operation};

    #[test]
    fn random_units_keep_their_bits() {
        compare(Dials::without_levels(), 0..1000, |unit| {
            execute_early(unit);
            share_common(unit);
            true
        });
    }

    #[test]
    fn what_a_branch_shares_with_what_follows_is_executed_before_it() {
        let mut building = Building::default();
        building.entry(&[Real, Real], |code| {
            let (x, y) = (code.read(), code.read());
            let is_less = code.compare(Comparison::Less, x, y);
            let chosen = code.bind(&[Real], |code| {
                code.branch(
                    is_less,
                    |code| {
                        let sine = code.unary(Operation::Sine, x);
                        End::Yield(vec![code.binary(Operation::Multiply, sine, y)])
                    },
                    |_| End::Yield(vec![y]),
                )
            })[0];
            let sine = code.unary(Operation::Sine, x);
            let sum = code.binary(Operation::Add, sine, chosen);
            End::Yield(vec![sum, sine])
        });
        let mut unit = building.finish();
        execute_early(&mut unit);
        share_common(&mut unit);
        let text = print(&unit, None);
        assert_eq!(text.matches("= sin ").count(), 1, "{text}");
    }
}
