//! Binds in tail position: `t = bind B; yield e` is B with each `yield v` in it replaced by `yield e[v/t]`. The same holds
//! for a repeat in place of the yield. Only moves change.

use crate::{Block, End, Operand, Statement, Variable};
use std::collections::HashMap;

/// Merges the binds that are last in their block with that block, everywhere in a block.
pub fn merge_binds(block: &mut Block) {
    // Outermost first: the ends of a merged block may follow binds in turn.
    merge(block);
    for inner in block.statements.iter_mut().filter_map(Statement::block_mut) {
        merge_binds(inner);
    }
    for inner in block.end.blocks_mut().into_iter().flatten() {
        merge_binds(inner);
    }
}

fn merge(block: &mut Block) {
    while let (Some(Statement::Bind { .. }), End::Yield(_) | End::Repeat(_)) = (block.statements.last(), &block.end) {
        let Some(Statement::Bind { targets, block: mut inner }) = block.statements.pop() else { return };
        let places: HashMap<Variable, usize> = targets.into_iter().zip(0..).collect();
        inner.change_leaves(&mut |leaf| {
            if let End::Yield(values) = &leaf.end {
                let mut end = block.end.clone();
                for operand in end.operands_mut() {
                    if let Operand::Variable(variable) = operand
                        && let Some(value) = places.get(variable).and_then(|place| values.get(*place))
                    {
                        *operand = *value;
                    }
                }
                leaf.end = end;
            }
        });
        block.statements.append(&mut inner.statements);
        block.end = inner.end;
    }
}
