//! Events of operators that call procedures, for profiles.

use vlad_ad::checkpointing::Action;
use vlad_core::ExpressionId;
use vlad_table::Primitive;

/// An event in the life of an operator that calls procedures, for profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An application of an operator begins.
    Begun {
        /// The operator.
        operator: Primitive,
        /// The application.
        node: ExpressionId,
    },
    /// `checkpoint-*j` has executed its procedure for the first time.
    Measured {
        /// The number of steps of that execution.
        steps: u64,
    },
    /// An action of `checkpoint-*j` begins.
    Action {
        /// The action.
        action: Action,
        /// The number of kept states, including the one from which the action runs.
        snapshots: usize,
    },
    /// The action has been executed.
    Executed {
        /// The number of steps of the action, without those of operators inside it.
        steps: u64,
    },
    /// The innermost application of an operator in progress ends.
    Ended {
        /// The number of steps of the first execution of its procedure, without those of operators inside it.
        steps: u64,
    },
    /// The run is restarted ([`crate::restart`]): no application is in progress.
    Restarted,
}
