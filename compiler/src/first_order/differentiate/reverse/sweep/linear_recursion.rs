//! Linear recursion, of which the sweep counts the activations.
//!
//! Where each activation of an instance calls it at most once, a chain of activations has some that call and one, the last,
//! that does not. The augmented function returns the number of those that call, and the reverse function takes it: so no
//! record says whether an activation was the last one. The sweep over the last one and the sweep over the others are two
//! pieces of code, of which each pops a record of its own, if it reads anything besides.
//!
//! What is before the decision is swept over in both pieces. So it must be without constructs that have records of their own.

use super::super::nodes::frames::{Draft, SegmentId};
use super::super::nodes::traced::{Step, Traced, TracedEnd};
use super::blocks::{Accumulators, Sweep};
use super::transfer::Incoming;
use crate::first_order::{Kind, NOWHERE, Operand, Statement, Variable};
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
        let mut own = 0;
        for step in &self.steps {
            match step {
                Step::Call(call) => own += usize::from(call.instance == instance),
                Step::Plain(_) | Step::Node { .. } | Step::Allocate { .. } | Step::Array { .. } | Step::Test { .. } => {
                }
                Step::Bind { block, .. } => own += 2 * usize::from(block.has_call(instance)),
                Step::Loop(traced) => own += 2 * usize::from(traced.body.has_call(instance)),
                Step::Build(traced) => own += 2 * usize::from(traced.body.has_call(instance)),
            }
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
        let in_steps = self.steps.iter().any(|step| match step {
            Step::Call(call) => call.instance == instance,
            Step::Plain(_) | Step::Node { .. } | Step::Allocate { .. } | Step::Array { .. } | Step::Test { .. } => {
                false
            }
            Step::Bind { block, .. } => block.has_call(instance),
            Step::Loop(traced) => traced.body.has_call(instance),
            Step::Build(traced) => traced.body.has_call(instance),
        });
        in_steps
            || match &self.end {
                TracedEnd::Branch { consequent, alternative, .. } => {
                    consequent.has_call(instance) || alternative.has_call(instance)
                }
                TracedEnd::Yield(_) | TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => false,
            }
    }

    /// The block of which only the paths of certain activations return.
    fn of_activations(&self, instance: usize, activation: Activation) -> Traced {
        let calls = self.steps.iter().any(|step| matches!(step, Step::Call(call) if call.instance == instance));
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
        let mut emit = self.emit(out);
        let is_last = emit.assign(Kind::Boolean, |target| Statement::Compare {
            target,
            comparison: Comparison::Equal,
            first: count.into(),
            second: Operand::real(0.0),
        });
        self.joined_paths(|_| is_last, paths, out)
    }
}
