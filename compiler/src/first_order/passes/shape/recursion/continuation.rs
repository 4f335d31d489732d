//! The code after a recursive call, and the variables of code.

use crate::first_order::{Block, Variable};
use std::collections::HashSet;

/// The code after a call.
pub struct Continuation {
    /// The targets of the call.
    pub targets: Vec<Variable>,
    pub code: Block,
    /// The depth of the call, which ends the state of the iteration that it is.
    pub depth: Variable,
    /// The values that the code reads of what was computed before the call.
    pub saved: Vec<Variable>,
}

/// The variables that a block assigns.
pub fn defined_in(block: &Block) -> HashSet<Variable> {
    let mut defined = HashSet::new();
    block.clone().rename(&mut |_| {}, &mut |target| {
        defined.insert(*target);
    });
    defined
}
