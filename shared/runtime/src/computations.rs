//! The stack of waiting computations. Each operator runs its procedure as a computation of its own, with its own
//! continuation, step count and limit.
//!
//! In the equations of the talk an operator applies its procedure with a continuation that ends there: 𝓐 (λ n l v. n) 0
//! ∞ f x for `primops`, 𝓐 (λ n l v. v) 0 l f x for `interrupt`. So the enclosing computation waits, and an engine's
//! current frames are those of the running computation alone. Engines choose F, their representation of a continuation,
//! and S, a state from which they can continue.

use crate::diagnosis::frames::PendingFrame;
use crate::operators::{
    ComputationResult, NestedRun, OperatorContext, OperatorContinuation, OperatorResult, Start, State,
};
use crate::steps::{Execution, Steps, Waiting};
use std::iter;
use vlad_core::ExpressionId;
use vlad_table::internal_bug;
use vlad_values::Value;
use vlad_values::fault::RuntimeError;

/// An application, and the call site at which its faults are reported if it is in library code.
#[derive(Clone, Copy, Debug)]
pub struct CallSite {
    /// The application.
    pub node: ExpressionId,
    /// The call site: the application of the user's program through which library code was entered.
    pub site: ExpressionId,
}

/// A computation that waits for a nested one.
#[derive(Debug)]
struct WaitingComputation<F, S> {
    /// Its continuation.
    frames: F,
    /// Its counts.
    waiting: Waiting,
    /// The continuation of the operator that started the nested one.
    then: OperatorContinuation<S>,
    /// The kind of execution of the nested one.
    execution: Execution,
    /// The application of the operator.
    site: CallSite,
}

/// The waiting computations.
#[derive(Debug)]
pub struct Computations<F, S> {
    /// Outermost first.
    outer: Vec<WaitingComputation<F, S>>,
}

/// The next action when a computation has ended.
#[derive(Debug)]
pub enum Ended<F, S> {
    /// The enclosing computation continues with a value.
    Value(F, Value),
    /// The operator has a further run, with an empty continuation.
    Again(Start<S>, CallSite),
    /// The operator's application has failed, in the enclosing computation.
    Fault(F, RuntimeError, CallSite),
}

impl<F, S> Default for Computations<F, S> {
    fn default() -> Self {
        Computations { outer: Vec::new() }
    }
}

impl<F, S: State> Computations<F, S> {
    /// Suspends the running computation, which has these frames, in favour of a nested one; returns the start of that.
    pub fn begin(
        &mut self,
        frames: F,
        run: NestedRun<S>,
        then: OperatorContinuation<S>,
        site: CallSite,
        steps: &mut Steps,
    ) -> Start<S> {
        let waiting = steps.wait();
        self.run(WaitingComputation { frames, waiting, then, execution: run.execution, site }, run, steps)
    }

    fn run(&mut self, outer: WaitingComputation<F, S>, run: NestedRun<S>, steps: &mut Steps) -> Start<S> {
        steps.run(run.limit, run.execution);
        self.outer.push(WaitingComputation { execution: run.execution, ..outer });
        run.start
    }

    /// Returns true if the running computation is that of a top-level item.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.outer.is_empty()
    }

    /// The number of computations that wait.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// Ends the running computation, for which another one waits.
    pub fn end(
        &mut self,
        ending: ComputationResult<S>,
        steps: &mut Steps,
        operator_context: &mut OperatorContext<'_, '_>,
    ) -> Ended<F, S> {
        let Some(WaitingComputation { frames, waiting, then, execution, site }) = self.outer.pop() else {
            internal_bug!("the computation of an item ends the run of the item");
        };
        let own = steps.own();
        steps.end_run(execution);
        operator_context.levels.at(site.node, site.site);
        match then.leave(ending, own, operator_context) {
            Ok(OperatorResult::Again { run, then }) => {
                let outer = WaitingComputation { frames, waiting, then, execution, site };
                Ended::Again(self.run(outer, run, steps), site)
            }
            Ok(OperatorResult::Value(value)) => {
                steps.go_on(waiting);
                if self.outer.is_empty() {
                    steps.apply_suspension();
                }
                Ended::Value(frames, value)
            }
            Err(trouble) => Ended::Fault(frames, trouble, site),
        }
    }

    /// The pending calls of all waiting computations, read from their frames, innermost first, including the calls of
    /// the operators.
    pub fn pending<'all, I: Iterator<Item = PendingFrame>>(
        &'all self,
        of_frames: impl Fn(&'all F) -> I,
    ) -> impl Iterator<Item = PendingFrame> {
        self.outer.iter().rev().flat_map(move |outer| {
            let node = outer.site.node;
            iter::once(PendingFrame::of_call(node, node)).chain(of_frames(&outer.frames))
        })
    }
}
