//! Computations that wait: what operators run inside, each on a continuation of its own with its own count and limit.
//!
//! In the equations of the talk an operator applies its procedure with a continuation that ends there,
//! 𝓐 (λ n l v. n) 0 ∞ f x for `primops`, 𝓐 (λ n l v. v) 0 l f x for `interrupt`; so the computation around it waits, and the
//! frames that an engine has are those of the running computation alone. Engines bring F, what they hold of a continuation,
//! and S, a state that they can go on from.

use crate::core::ExpressionId;
use crate::differentiation::application::{Ending, Leaving, Left, Means, Run, Start, State};
use crate::internal_bug;
use crate::pending::PendingFrame;
use crate::run::Trouble;
use crate::steps::{Execution, Steps, Waiting};
use crate::value::Value;
use std::iter;

/// An application, and where its faults are shown if it is of shipped code.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The application.
    pub node: ExpressionId,
    /// The user's application through which shipped code was entered.
    pub site: ExpressionId,
}

/// A computation that waits for one inside it.
#[derive(Debug)]
struct Outer<F, S> {
    /// Its continuation.
    frames: F,
    /// Its counts.
    waiting: Waiting,
    /// What remains to be done with what comes of the one inside.
    then: Leaving<S>,
    /// How the one inside is executed.
    execution: Execution,
    /// The application of the operator.
    site: Site,
}

/// The computations that wait.
#[derive(Debug)]
pub struct Computations<F, S> {
    /// Outermost first.
    outer: Vec<Outer<F, S>>,
}

/// What is next when a computation has ended.
#[derive(Debug)]
pub enum Ended<F, S> {
    /// The one around it goes on with a value.
    Value(F, Value),
    /// The operator has more to run, on an empty continuation.
    Again(Start<S>, Site),
    /// A fault of the operator's application, in the one around it.
    Fault(F, Trouble, Site),
}

impl<F, S> Default for Computations<F, S> {
    fn default() -> Self {
        Computations { outer: Vec::new() }
    }
}

impl<F, S: State> Computations<F, S> {
    /// Makes the running computation, which has these frames, wait for another; gives where that begins.
    pub fn begin(&mut self, frames: F, run: Run<S>, then: Leaving<S>, site: Site, steps: &mut Steps) -> Start<S> {
        let waiting = steps.wait();
        self.run(Outer { frames, waiting, then, execution: run.execution, site }, run, steps)
    }

    fn run(&mut self, outer: Outer<F, S>, run: Run<S>, steps: &mut Steps) -> Start<S> {
        steps.run(run.limit, run.execution);
        self.outer.push(Outer { execution: run.execution, ..outer });
        run.start
    }

    /// Whether the running computation is that of an item of the program.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.outer.is_empty()
    }

    /// Ends the running computation, for which another one waits.
    pub fn end(&mut self, ending: Ending<S>, steps: &mut Steps, means: &mut Means<'_, '_>) -> Ended<F, S> {
        let Some(Outer { frames, waiting, then, execution, site }) = self.outer.pop() else {
            internal_bug!("the computation of an item ends the run of the item");
        };
        let own = steps.own();
        steps.ran(execution);
        match then.leave(ending, own, means) {
            Ok(Left::Again { run, then }) => {
                let outer = Outer { frames, waiting, then, execution, site };
                Ended::Again(self.run(outer, run, steps), site)
            }
            Ok(Left::Value(value)) => {
                steps.go_on(waiting);
                if self.outer.is_empty() {
                    steps.mind_suspension();
                }
                Ended::Value(frames, value)
            }
            Err(trouble) => Ended::Fault(frames, trouble, site),
        }
    }

    /// What the frames of the computations that wait tell of the calls that they await, innermost first, the operators'
    /// included.
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
