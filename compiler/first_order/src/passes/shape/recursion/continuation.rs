//! The code after a recursive call.

use crate::{Block, Variable};

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
