//! Bodies of builds that do one thing below some index and another one from it on.
//!
//! ```text
//! build n (fun k -> if k < m then p[k] else q[k - m])
//! ```

use crate::effects::Effect;
use crate::{Block, End, Operand, Statement, Variable};
use vlad_table::Comparison;

/// The most statements before the branch of a body that is made in two parts.
const MOST_SHARED: usize = 4;

/// A body that branches on the comparison of the index with a number.
pub struct Halves<'unit> {
    /// The index from which on the other block makes the elements.
    pub most: Operand,
    /// The statements that both blocks share.
    pub shared: Vec<&'unit Statement>,
    /// The block of the elements below.
    pub below: &'unit Block,
    /// The block of the others.
    pub beyond: &'unit Block,
}

impl<'unit> Halves<'unit> {
    /// The parts of a body with an index; none if it is no such body.
    pub fn of(body: &'unit Block, index: Variable) -> Option<Halves<'unit>> {
        let End::Branch { test: Operand::Variable(test), consequent, alternative } = &body.end else { return None };
        let (mut most, mut shared) = (None, Vec::new());
        for statement in &body.statements {
            match statement {
                Statement::Compare { target, comparison: Comparison::Less, first, second } if target == test => {
                    most = (*first == index.into()).then_some(*second);
                }
                other => shared.push(other),
            }
        }
        let most = most?;
        let is_inside = |variable: &Variable| {
            *variable == index || shared.iter().any(|statement| statement.targets().contains(variable))
        };
        let is_executed = |statement: &&&Statement| !matches!(statement, Statement::Count { .. });
        let are_shared = shared.iter().filter(is_executed).count() <= MOST_SHARED
            && shared.iter().filter(is_executed).all(|statement| statement.effect() == Effect::Value);
        let mut read_behind = [consequent, alternative].into_iter().flat_map(|block| block.all_operands());
        let reads_test = read_behind.any(|operand| operand == (*test).into());
        (are_shared && !reads_test && !most.variable().is_some_and(|most| is_inside(&most))).then_some(Halves {
            most,
            shared,
            below: consequent,
            beyond: alternative,
        })
    }
}
