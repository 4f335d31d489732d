//! The variables that code reads and others define.

use super::{Block, Operand, Variable};
use std::collections::HashSet;

/// The variables that a block reads and does not define, in the order in which it reads them first.
pub fn free_variables(block: &Block) -> Vec<Variable> {
    let (mut read, mut seen) = (Vec::new(), HashSet::new());
    let mut defined = HashSet::new();
    block.each_block(&mut |inner| {
        let mut add = |operand: Operand| read.extend(operand.variable().filter(|variable| seen.insert(*variable)));
        for statement in &inner.statements {
            statement.operands().into_iter().for_each(&mut add);
            defined.extend(statement.targets().iter().chain(statement.inner_variables()).copied());
        }
        inner.end.operands().iter().copied().for_each(&mut add);
    });
    read.retain(|variable| !defined.contains(variable));
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_order::{End, Statement};
    use vlad_table::Operation;

    #[test]
    fn what_is_defined_inside_is_not_free() {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(Variable);
        let sum = |target: Variable, first: Variable, second: Variable| Statement::Operation {
            target,
            operation: Operation::Add,
            first: first.into(),
            second: Some(second.into()),
        };
        let inner = Block { statements: vec![sum(d, c, b)], end: End::Yield(vec![d.into()]) };
        let bind = Statement::Bind { targets: vec![e], block: inner };
        let block = Block { statements: vec![sum(c, b, b), bind], end: End::Yield(vec![e.into(), a.into()]) };
        assert_eq!(free_variables(&block), [b, a]);
    }
}
