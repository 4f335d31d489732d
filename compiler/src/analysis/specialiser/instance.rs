//! Instances of the analysis: the subject of each, with the result and the code found so far.

use super::execution::Sweep;
use crate::analysis::values::domain::AbstractId;
use std::collections::BTreeSet;
use vlad_core::ExpressionId;
use vlad_first_order::{Function, Variable};

vlad_core::numbers! {
    /// The number of an instance. Calls refer to its function by this number until the item is done; then functions are numbered anew.
    InstanceId;
}

/// The subject of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A top-level expression.
    Item(ExpressionId),
    /// The application of an operator to an argument.
    Application(AbstractId, AbstractId),
    /// The application of an operator to an argument in two parts, a skeleton and an array of its reals ([`crate::analysis::flat`]). The
    /// result is the value with an array of its reals.
    Flat(AbstractId, AbstractId),
    /// A number plus the number of reals in a cell.
    Counted(AbstractId),
    /// The reals of a value, stored in an array from an index on. The value has to conform to a cell; the result is the next index.
    Stored(AbstractId, AbstractId),
    /// A copy of a cell, with elements of an array in the places of its reals; the result has the next index, too.
    MadeAgain(AbstractId),
    /// The elements of an array before an index, the last one first, before a list.
    Listed(AbstractId, AbstractId),
    /// An array of reals with those of a list from an index on.
    Filled(AbstractId),
}

/// An instance.
#[derive(Debug)]
pub struct Instance {
    pub(in crate::analysis) subject: Subject,
    /// The call that it was made for.
    pub(in crate::analysis) node: ExpressionId,
    /// The join of the values returned; none if it never returns as far as is known.
    pub(in crate::analysis) result: Option<AbstractId>,
    /// Its code by the latest evaluation.
    pub(in crate::analysis) code: Option<Function>,
    /// The sweeps of backpropagators in its code.
    pub(in crate::analysis) sweeps: Vec<Sweep>,
    /// The numbers of steps in its code, each the last target of a call for `primops`.
    pub(in crate::analysis) counted: Vec<Variable>,
    /// The instances whose evaluation has used the result.
    pub(in crate::analysis) dependents: BTreeSet<InstanceId>,
    /// The instances that its latest evaluation has called.
    pub(in crate::analysis) callees: BTreeSet<InstanceId>,
    /// The instance that called it first.
    pub(in crate::analysis) parent: Option<InstanceId>,
    /// The number of instances that called each other up to that call.
    pub(in crate::analysis) depth: u32,
    /// True if that call depends on conditions of the parent that are not known.
    pub(in crate::analysis) is_conditional: bool,
    /// The more general instance that has replaced it.
    pub(in crate::analysis) replaced_by: Option<InstanceId>,
    /// The subject of the first instance that it has replaced.
    pub(in crate::analysis) widened_from: Option<Subject>,
    /// A structure whose cells its code would need as those of another one, and that.
    pub(in crate::analysis) mixed_cells: Option<(AbstractId, AbstractId)>,
    pub(in crate::analysis) is_running: bool,
    pub(in crate::analysis) is_queued: bool,
}

impl Instance {
    /// An instance that nothing is known of.
    pub(super) fn new(subject: Subject, node: ExpressionId) -> Instance {
        Instance {
            subject,
            node,
            result: None,
            code: None,
            sweeps: Vec::new(),
            counted: Vec::new(),
            dependents: BTreeSet::new(),
            callees: BTreeSet::new(),
            parent: None,
            depth: 0,
            is_conditional: false,
            replaced_by: None,
            widened_from: None,
            mixed_cells: None,
            is_running: false,
            is_queued: false,
        }
    }
}
