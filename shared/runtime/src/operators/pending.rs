//! Pending operators: the result of entering an operator, and its continuation while a computation of it runs.

use super::checkpoint::Checkpoint;
use super::computation::NestedRun;
use crate::steps::Execution;
use std::rc::Rc;
use vlad_table::Tag;
use vlad_values::{Capsule, Level, Tagging, Value};

/// The action that an engine takes for a primitive that calls a procedure, or for a call of a tagged procedure.
#[derive(Debug)]
pub enum EnteredOperator<S> {
    /// None: this is the value.
    Value(Value),
    /// Applies a procedure in tail position; the operator has no continuation.
    Call {
        /// The procedure.
        operator: Value,
        /// Its operand.
        operand: Value,
    },
    /// Pushes the frames of a capsule onto the current continuation, and continues at the capsule's point.
    Resume {
        /// The capsule, for its points.
        capsule: Rc<Capsule>,
        /// Its values.
        values: Vec<Value>,
    },
    /// Runs a computation.
    Computation {
        /// The computation to run.
        run: NestedRun<S>,
        /// The operator's continuation.
        then: OperatorContinuation<S>,
    },
}

/// The result of an operator's continuation.
#[derive(Debug)]
pub enum OperatorResult<S> {
    /// The value of the operator.
    Value(Value),
    /// Another run is needed first.
    Again {
        /// The computation to run.
        run: NestedRun<S>,
        /// The continuation after that.
        then: OperatorContinuation<S>,
    },
}

/// The continuation of an operator: the work that is left when its computation has ended.
#[derive(Debug)]
pub enum OperatorContinuation<S> {
    /// Of `(j* f x x')`: splits the value into primal and tangent.
    Forward {
        /// The level to end.
        level: Level,
    },
    /// Of `(*j f x y')`: runs the reverse sweep.
    Reverse {
        /// The level to end.
        level: Level,
        /// x and y', as given.
        operands: Box<(Value, Value)>,
    },
    /// Of a call of a bundled procedure: makes the bundle of its value.
    Bundle {
        /// The level to end.
        level: Level,
        /// The form in which `tangent` returns the tangent.
        marking: Tagging,
    },
    /// Of a call of a reversed procedure: makes the reversed value and the backpropagator.
    Reversed {
        /// The level to end.
        level: Level,
        /// f and x, as given.
        parts: Box<(Value, Value)>,
    },
    /// Of a call of a backpropagator that executes its procedure again: runs the reverse sweep.
    Backpropagated {
        /// The level to end.
        level: Level,
        /// The kind of that execution.
        execution: Execution,
        /// The pair of f and x, and y', as given.
        operands: Box<(Value, Value)>,
    },
    /// Of a call that only adds a tag to the value.
    Tag(Tag),
    /// Of `(primops f x)`: returns the step count.
    CountSteps,
    /// Of `(interrupt f x l)`: makes the capsule.
    Interrupt {
        /// The level to end.
        level: Level,
        /// The limit l.
        limit: u64,
    },
    /// Of `checkpoint-*j`: takes the next action of its schedule.
    Checkpoint(Box<Checkpoint<S>>),
}
