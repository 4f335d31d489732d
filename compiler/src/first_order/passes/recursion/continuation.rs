//! The code after a recursive call, and the variables of code.

use crate::first_order::{Block, Operand, Variable};
use std::collections::HashSet;

/// The code after a call.
pub(super) struct Continuation {
    /// The targets of the call.
    pub targets: Vec<Variable>,
    pub code: Block,
    /// The depth of the call, which ends the state of the iteration that it is.
    pub depth: Variable,
    /// The values that the code reads of what was computed before the call.
    pub saved: Vec<Variable>,
}

/// The variables that a block reads and does not define, in order.
pub(super) fn free_variables(block: &Block) -> Vec<Variable> {
    let (mut read, mut defined) = (Vec::new(), HashSet::new());
    block.clone().rename(
        &mut |operand| {
            if let Operand::Variable(variable) = operand
                && !read.contains(variable)
            {
                read.push(*variable);
            }
        },
        &mut |target| {
            defined.insert(*target);
        },
    );
    read.retain(|variable| !defined.contains(variable));
    read
}

/// The variables that a block assigns.
pub(super) fn defined_in(block: &Block) -> HashSet<Variable> {
    let mut defined = HashSet::new();
    block.clone().rename(&mut |_| {}, &mut |target| {
        defined.insert(*target);
    });
    defined
}
