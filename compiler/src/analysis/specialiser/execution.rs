//! Executions of procedures that backpropagators belong to, and the sweeps over them.

use crate::analysis::values::value::Value;
use vlad_first_order::Variable;

/// The place of a statement in code under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The depth of its block.
    pub depth: usize,
    /// Its number in the block.
    pub index: usize,
}

/// An execution of a procedure that backpropagators belong to.
#[derive(Debug)]
pub struct Execution {
    /// The place of its statement.
    pub place: Place,
    /// The backpropagator that it made.
    pub backpropagator: Value,
}

/// A sweep of a backpropagator in residual code.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// The first target of its statement.
    pub target: Variable,
    /// The execution that it follows.
    pub execution: Executed,
}

/// The execution of a procedure that is swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executed {
    /// The one that made the backpropagator.
    Before,
    /// A second one, for the sweep.
    Again,
}

/// The cotangents of a backpropagator's parts that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Used {
    /// The cotangents of procedure and operand.
    #[default]
    Both,
    /// The operand's cotangent: `(cdr (b y'))`.
    Operand,
}
