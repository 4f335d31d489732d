//! The activation that is evaluated.

use super::code::Code;
use super::execution::{Execution, Sweep, Used};
use super::instance::InstanceId;
use crate::analysis::values::domain::AbstractId;
use crate::analysis::values::value::Value;
use std::collections::HashMap;
use vlad_core::GroupId;
use vlad_first_order::{Operand, Variable};

/// For cells, and unions with cells, the unions with the parts of the cells read.
pub type Opened = HashMap<(AbstractId, Vec<Operand>), Value>;

/// An activation: the code of an instance under construction, and the values of its variables.
#[derive(Debug)]
pub struct Frame {
    /// The code.
    pub code: Code,
    /// The instance.
    pub instance: InstanceId,
    /// The locals.
    pub locals: Vec<Value>,
    /// The captured slots.
    pub slots: Vec<Value>,
    /// Values that have been opened.
    pub opened: Opened,
    /// The group of the running procedure.
    pub group: Option<GroupId>,
    /// The number of conditions around the place that are not known: whether it is reached depends on them.
    pub unknown_conditions: u32,
    /// The executions of procedures that backpropagators belong to.
    pub executions: Vec<Execution>,
    /// The sweeps of backpropagators.
    pub sweeps: Vec<Sweep>,
    /// The last targets of calls whose steps are counted.
    pub counted: Vec<Variable>,
    /// The parts of the expression's value that are used, if it applies a backpropagator.
    pub used: Used,
    /// The depth of the expression.
    pub nested: u32,
}

impl Frame {
    /// The frame in which an instance begins.
    pub(super) fn new(instance: InstanceId, code: Code, group: Option<GroupId>) -> Frame {
        Frame {
            code,
            instance,
            locals: Vec::new(),
            slots: Vec::new(),
            opened: Opened::new(),
            group,
            unknown_conditions: 0,
            executions: Vec::new(),
            sweeps: Vec::new(),
            counted: Vec::new(),
            used: Used::Both,
            nested: 0,
        }
    }
}
