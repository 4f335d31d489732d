//! The computations that operators run: the context that they need, and the beginning and the end of a computation.

use crate::effects::Effects;
use crate::steps::Execution;
use vlad_ad::checkpointing::Strategy;
use vlad_ad::{Levels, TraversalContext};
use vlad_core::Program;
use vlad_values::watch::LimitCheck;
use vlad_values::{Points, Value};

/// The operator context: the parts of a run that operators work with.
#[derive(Debug)]
pub struct OperatorContext<'means, 'run> {
    /// The program that runs.
    pub program: &'run Program,
    /// The differentiations in progress.
    pub levels: &'means mut Levels,
    /// The clock and the memory.
    pub watch: &'means mut LimitCheck,
    /// Input and output, and the log of effects.
    pub effects: &'means mut Effects<'run>,
    /// The checkpoint options of a `checkpoint-*j` whose operands give none.
    pub strategy: Strategy,
}

impl OperatorContext<'_, '_> {
    /// The differentiations in progress, and the context for traversing data.
    pub fn differentiation(&mut self) -> (&mut Levels, TraversalContext<'_>) {
        (self.levels, TraversalContext { program: self.program, watch: self.watch })
    }
}

/// A state of a computation, from which an engine can continue any number of times.
pub trait State: Clone {
    /// The points of code at which the state is suspended, and all values that its continuation needs, in an order that
    /// the points determine.
    fn flatten(self) -> (Box<dyn Points>, Vec<Value>);
}

/// A computation, or a part of one, to be run with a continuation of its own.
#[derive(Debug)]
pub struct NestedRun<S> {
    /// The start of the run.
    pub start: Start<S>,
    /// The number of steps after which it is interrupted, if it is limited.
    pub limit: Option<u64>,
    /// The kind of execution, which decides if its steps count for the run.
    pub execution: Execution,
}

/// The start of a computation.
#[derive(Clone, Debug)]
pub enum Start<S> {
    /// An application.
    Apply {
        /// The procedure.
        operator: Value,
        /// Its operand.
        operand: Value,
    },
    /// A state that was kept.
    State(S),
}

/// The result of a computation.
#[derive(Debug)]
pub enum ComputationResult<S> {
    /// Its value.
    Value(Value),
    /// The state in which it was interrupted, at the entry of a node.
    Interrupted(S),
}

impl<S> NestedRun<S> {
    /// A whole application, executed for the first time.
    pub fn whole(operator: Value, operand: Value) -> NestedRun<S> {
        NestedRun { start: Start::Apply { operator, operand }, limit: None, execution: Execution::First }
    }
}
