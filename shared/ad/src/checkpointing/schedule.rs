//! Schedules: the divide-and-conquer recursion (see the module above) as a sequence of actions, with an explicit stack.

use crate::checkpointing::strategy::{Extent, ResolvedStrategy, Strategy, eta};
use vlad_values::fault::RuntimeError;

/// The next action of a reversal. Positions are steps from the beginning of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Run from the topmost state, and push the state that is reached.
    Advance {
        /// The position of the topmost state.
        from: u64,
        /// The number of steps to run, at least one.
        steps: u64,
    },
    /// Pop the topmost state, run from it while recording, and run the reverse sweep over the recorded interval.
    Reverse {
        /// The position of the topmost state.
        from: u64,
        /// The number of steps to run. The first reversal runs to the end of the execution.
        steps: u64,
    },
}

/// An interval that is still to be reversed; the state at its beginning is on the stack of states.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: u64,
    length: u64,
    /// The number of the node after its last one. That of the left part of a split becomes known when the right part is
    /// begun.
    end: u64,
    /// Bisection: the number of splits that may still be made within it. Binomial: the number of states that may still
    /// be kept.
    allowance: u64,
    /// Binomial: the number of times that its steps may still be advanced over.
    passes: u64,
}

/// The greatest number of pending intervals of a bisection; memory for them is allocated at the beginning, so doubling
/// the steps of an execution costs the memory of one more state and nothing else.
const MOST_PENDING: usize = 65;

/// The actions that reverse an execution, in order.
#[derive(Clone, Debug)]
pub struct Schedule {
    resolved: ResolvedStrategy,
    /// The pending intervals. Those on top come first, and are last in the execution.
    pending: Vec<Interval>,
}

impl Schedule {
    /// The schedule for an execution.
    ///
    /// # Errors
    /// Returns an error if the strategy cannot split so many steps.
    pub fn new(strategy: Strategy, extent: &Extent) -> Result<Schedule, RuntimeError> {
        let resolved = strategy.resolve(extent)?;
        let (allowance, passes) = match resolved {
            ResolvedStrategy::Bisection { depth, .. } => (depth, 0),
            ResolvedStrategy::Binomial { snapshots, passes, .. } => (snapshots, passes),
        };
        let mut pending = Vec::with_capacity(MOST_PENDING);
        pending.push(Interval { from: 0, length: extent.steps, end: extent.nodes.end, allowance, passes });
        Ok(Schedule { resolved, pending })
    }

    /// The next action; none at the end. `node` is the number of the next node in the topmost state, if there is a state.
    pub fn next(&mut self, node: u64) -> Option<Action> {
        let whole = self.pending.pop()?;
        // What is before the interval ends where it begins.
        if let Some(before) = self.pending.last_mut() {
            before.end = node;
        }
        let Some((left, right)) = split(self.resolved, whole, node) else {
            return Some(Action::Reverse { from: whole.from, steps: whole.length });
        };
        self.pending.push(left);
        self.pending.push(right);
        Some(Action::Advance { from: left.from, steps: left.length })
    }
}

/// The two parts of an interval that begins with a node; none for a base case.
fn split(resolved: ResolvedStrategy, whole: Interval, node: u64) -> Option<(Interval, Interval)> {
    let (middle, left, right) = match resolved {
        ResolvedStrategy::Bisection { base_case, nodes, .. } => {
            let is_short = nodes.is_some_and(|nodes| whole.end.saturating_sub(node) <= nodes);
            if whole.allowance == 0 || whole.length <= base_case.max(1) || is_short {
                return None;
            }
            let half = Interval { allowance: whole.allowance - 1, ..whole };
            (whole.length / 2, half, half)
        }
        ResolvedStrategy::Binomial { base_case, .. } => {
            if whole.allowance == 0 || whole.passes == 0 || whole.length <= base_case {
                return None;
            }
            let passes = least_passes(whole, base_case);
            let middle = binomial_middle(whole.length, whole.allowance, passes, base_case);
            (
                middle,
                Interval { passes: passes - 1, ..whole },
                Interval { allowance: whole.allowance - 1, passes, ..whole },
            )
        }
    };
    let left = Interval { length: middle, ..left };
    let right = Interval { from: whole.from + middle, length: whole.length - middle, ..right };
    Some((left, right))
}

/// The least r, up to the passes left, with eta(d, r) n >= the length: it avoids passes over steps that do not need
/// them.
fn least_passes(whole: Interval, base_case: u64) -> u64 {
    let is_enough = |passes| intervals(whole.allowance, passes, base_case) >= whole.length;
    // It nearly always equals that of the enclosing interval, or is one less.
    let mut passes = whole.passes;
    while passes > 1 && is_enough(passes - 1) {
        passes -= 1;
    }
    passes
}

/// The number of steps for which d states, r passes and a base case suffice.
fn intervals(snapshots: u64, passes: u64, base_case: u64) -> u64 {
    eta(snapshots, passes).saturating_mul(base_case)
}

/// The position of a split: the left part has one pass less, the right part one state less. Among the splits that need
/// the fewest steps it is the first: the left part has at least eta(d, r-2) n steps, since fewer would leave passes
/// unused, and the right part at most eta(d-1, r) n.
fn binomial_middle(length: u64, snapshots: u64, passes: u64, base_case: u64) -> u64 {
    let unused = if passes >= 2 { intervals(snapshots, passes - 2, base_case) } else { 0 };
    let overflowing = length.saturating_sub(intervals(snapshots - 1, passes, base_case));
    unused.max(overflowing).clamp(1, length - 1)
}
