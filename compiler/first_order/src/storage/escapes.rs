//! Escape analysis of arrays whose memory is used again: nothing else may refer to them.

use crate::effects::Effect;
use crate::{Block, End, Operand, Statement, Variable};
use std::collections::HashSet;

/// Returns true if a body reads nothing but elements and lengths of some arrays. At the ends of paths through one of its blocks the arrays
/// may be values, at the places that a predicate names.
pub fn are_read_alone(
    body: &Block,
    arrays: &[Variable],
    block: &Block,
    may_be_value: impl Fn(&End, usize) -> bool,
) -> bool {
    let is_one = |operand: &Operand| matches!(operand, Operand::Variable(variable) if arrays.contains(variable));
    let tails: HashSet<*const Block> = block.leaves().map(std::ptr::from_ref).collect();
    // Values do not refer to the arrays that they are made of.
    let escapes =
        |statement: &Statement| statement.effect() != Effect::Value && statement.operands().iter().any(is_one);
    !body.all_statements().any(escapes)
        && body.all_blocks().all(|block| {
            let is_tail = tails.contains(&std::ptr::from_ref(block));
            let values = block.end.operands().iter().enumerate();
            values.filter(|(_, value)| is_one(value)).all(|(place, _)| is_tail && may_be_value(&block.end, place))
        })
}
