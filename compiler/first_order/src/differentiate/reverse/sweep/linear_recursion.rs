//! Linear recursion: functions of which each activation calls the same instance at most once.
//!
//! A chain of such activations ends with one, the last, that makes no call. The augmented function returns the number of
//! the others, and the reverse function takes it, so no record says whether an activation was the last one. The sweep
//! over the last one and the sweep over the others are two pieces of code. Each pops a record of its own, if it reads
//! anything besides.
//!
//! Both pieces sweep over the code before the decision. So it must not have constructs with records of their own.

use super::super::nodes::{Draft, SegmentId, Step, Traced, TracedEnd};
use super::accumulators::{Accumulators, Incoming};
use super::blocks::Sweep;
use crate::{NOWHERE, Operand, Statement, Variable};
use vlad_table::{Comparison, Operation};

/// The most steps that are swept over in both pieces of code.
const MOST_SHARED_STEPS: usize = 200;

/// The paths through a block on which an instance is not called, or called once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paths {
    /// All of them bail out.
    None,
    Last,
    Others,
    Both,
}

/// An activation of linear recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// It makes no call.
    Last,
    /// It makes one.
    Other,
}

/// The parts of an instance that is linear.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    pub instance: usize,
    /// The record at the end of the last activation.
    pub last: SegmentId,
    /// The record at the end of every other one.
    pub other: SegmentId,
}

impl Linear {
    /// The record at the end of an activation.
    pub fn record_of(&self, activation: Activation) -> SegmentId {
        match activation {
            Activation::Last => self.last,
            Activation::Other => self.other,
        }
    }
}

impl Traced {
    /// True if the body of an instance is that of a linear recursion.
    pub fn is_linear(&self, instance: usize) -> bool {
        let mut shared = 0;
        self.paths(instance, &mut shared) == Some(Paths::Both) && shared <= MOST_SHARED_STEPS
    }

    /// The paths through the block; none if an instance may be called twice, or where both kinds of paths have
    /// constructs in common that have records. Counts the steps in common.
    fn paths(&self, instance: usize, shared: &mut usize) -> Option<Paths> {
        let own = self.steps.iter().filter(|step| step.is_call_of(instance)).count();
        if self.steps.iter().filter_map(Step::block).any(|block| block.has_call(instance)) {
            return None;
        }
        let after = match &self.end {
            TracedEnd::Yield(_) => Paths::Last,
            TracedEnd::Repeat(_) => return None,
            TracedEnd::BailOut(_) => Paths::None,
            TracedEnd::Branch { consequent, alternative, .. } => {
                let consequent = consequent.paths(instance, shared)?;
                match (consequent, alternative.paths(instance, shared)?) {
                    (one, other) if one == other => one,
                    (Paths::None, paths) | (paths, Paths::None) => paths,
                    _ => Paths::Both,
                }
            }
        };
        if after == Paths::Both {
            *shared += self.steps.len();
        }
        match (own, after) {
            (0, Paths::Both) if !self.steps.iter().all(Step::is_without_records) => None,
            (0, after) => Some(after),
            (1, Paths::Last) => Some(Paths::Others),
            (1, Paths::None) => Some(Paths::None),
            _ => None,
        }
    }

    fn has_call(&self, instance: usize) -> bool {
        self.steps
            .iter()
            .any(|step| step.is_call_of(instance) || step.block().is_some_and(|block| block.has_call(instance)))
            || self.branches().any(|block| block.has_call(instance))
    }

    /// The block of which only the paths of certain activations return.
    fn of_activations(&self, instance: usize, activation: Activation) -> Traced {
        let calls = self.steps.iter().any(|step| step.is_call_of(instance));
        let end = match (&self.end, calls, activation) {
            (_, true, Activation::Other) => self.end.clone(),
            (_, true, Activation::Last) | (TracedEnd::Yield(_), false, Activation::Other) => {
                TracedEnd::BailOut(NOWHERE)
            }
            (TracedEnd::Branch { test, consequent, alternative, before }, false, _) => TracedEnd::Branch {
                test: *test,
                consequent: Box::new(consequent.of_activations(instance, activation)),
                alternative: Box::new(alternative.of_activations(instance, activation)),
                before: *before,
            },
            (TracedEnd::Yield(_), false, Activation::Last)
            | (TracedEnd::Repeat(_) | TracedEnd::BailOut(_), false, _) => self.end.clone(),
        };
        Traced { steps: self.steps.clone(), end }
    }
}

impl Step {
    fn is_call_of(&self, instance: usize) -> bool {
        matches!(self, Step::Call(call) if call.instance == instance)
    }

    /// True for steps of which the sweep, if there is one, pops no record.
    fn is_without_records(&self) -> bool {
        match self {
            Step::Plain(_) | Step::Node { .. } | Step::Test { .. } => true,
            Step::Bind { own, block, .. } => own.iter().all(Option::is_none) && !block.calls(),
            Step::Allocate { .. } | Step::Array { .. } | Step::Loop(_) | Step::Build(_) | Step::Call(_) => false,
        }
    }
}

impl Sweep<'_> {
    /// Emits the sweep over the body of an instance of linear recursion, given the number of activations below.
    pub fn linear_block(
        &mut self,
        body: &Traced,
        (linear, count): (&Linear, Variable),
        accumulators: &Accumulators,
        incoming: Incoming<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let paths = [Activation::Last, Activation::Other].map(|activation| {
            self.pieces.push(Variable(self.draft.function.variables.len() as u32));
            let mut code = Vec::new();
            if activation == Activation::Other {
                let fewer = self.emit(&mut code).binary(Operation::Subtract, count.into(), Operand::real(1.0));
                self.fewer = Some((linear.instance, fewer));
            }
            self.pop(linear.record_of(activation), &mut code);
            let body = body.of_activations(linear.instance, activation);
            let after = self.block(&body, accumulators.clone(), incoming, &mut code);
            self.draft.end_segments(Draft::OUTERMOST, 0);
            (code, after)
        });
        let is_last = self.emit(out).compare(Comparison::Equal, count.into(), Operand::real(0.0));
        self.joined_paths(|_| is_last, paths, out)
    }
}
