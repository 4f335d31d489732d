//! Checkpoint options: the positions at which intervals are split, and the size at which they are not split further.

use std::ops::Range;
use vlad_core::diagnostic::Kind;
use vlad_values::fault::RuntimeError;

/// The number of steps of an interval that is not split further in any case, if the options give no base case.
pub const DEFAULT_BASE_CASE: u64 = 1000;

/// The number of nodes of an interval that is not split further, if the options give no base case: a node takes 30 to
/// 200 bytes with its accumulator, by engine, so the sweep takes 2 to 14 MB.
pub const DEFAULT_NODES: u64 = 1 << 16;

/// The extent of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of its steps.
    pub steps: u64,
    /// The numbers of the nodes that it makes.
    pub nodes: Range<u64>,
}

/// The checkpoint options of an execution. `None` is an option that is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Halves, until they are `depth` splits deep, or have at most `base_case` steps. If neither is given they have at
    /// most [`DEFAULT_NODES`] nodes, or [`DEFAULT_BASE_CASE`] steps.
    Bisection {
        /// d: the most splits that enclose an interval.
        depth: Option<u64>,
        /// n: the number of steps of an interval that is not split further.
        base_case: Option<u64>,
    },
    /// Treeverse: at most d states are kept beside the first, no step is advanced over more than t times, and no
    /// recorded interval is longer than n steps. This is possible if [`eta`]`(d, t) * n` is at least the length. If two
    /// of them are given the third is the least that suffices. If n is not given, nor both others, it is the number of
    /// steps that have [`DEFAULT_NODES`] nodes on average, and at least [`DEFAULT_BASE_CASE`]; if neither d nor t is given
    /// they are equal.
    Binomial {
        /// d: the number of states that are kept beside the first.
        snapshots: Option<u64>,
        /// t: the most times that a step is advanced over.
        passes: Option<u64>,
        /// n: the number of steps of an interval that is not split further.
        base_case: Option<u64>,
    },
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy::Bisection { depth: None, base_case: None }
    }
}

/// eta(d, t) = (d + t)! / (d! t!): the number of intervals for which d states and t passes suffice. Saturates at the
/// greatest number of 64 bits.
pub fn eta(snapshots: u64, passes: u64) -> u64 {
    let (fewer, more) = (snapshots.min(passes), snapshots.max(passes));
    let mut product: u128 = 1;
    for factor in 1..=fewer {
        // The product of i factors over i! is a whole number at each i.
        product = product * (u128::from(more) + u128::from(factor)) / u128::from(factor);
        if product > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    product as u64
}

/// A strategy with all options determined for one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResolvedStrategy {
    /// If there are `nodes`, intervals of at most so many nodes are base cases, too.
    Bisection {
        depth: u64,
        base_case: u64,
        nodes: Option<u64>,
    },
    Binomial {
        snapshots: u64,
        passes: u64,
        base_case: u64,
    },
}

impl Strategy {
    /// Determines the options that are not given, for an execution.
    ///
    /// # Errors
    /// Returns an error for a base case of no steps, or if the given options do not allow a split of so many steps
    /// (kind `limit`).
    pub(super) fn resolve(self, extent: &Extent) -> Result<ResolvedStrategy, RuntimeError> {
        match self {
            Strategy::Bisection { base_case: Some(0), .. } | Strategy::Binomial { base_case: Some(0), .. } => {
                Err(RuntimeError::new(Kind::Type, "a base case has at least 1 step, found 0"))
            }
            Strategy::Bisection { depth: None, base_case: None } => {
                let (depth, base_case, nodes) = (u64::MAX, DEFAULT_BASE_CASE, Some(DEFAULT_NODES));
                Ok(ResolvedStrategy::Bisection { depth, base_case, nodes })
            }
            Strategy::Bisection { depth, base_case } => {
                let (depth, base_case) = (depth.unwrap_or(u64::MAX), base_case.unwrap_or(1));
                Ok(ResolvedStrategy::Bisection { depth, base_case, nodes: None })
            }
            Strategy::Binomial { snapshots, passes, base_case } => {
                resolve_binomial(extent, snapshots, passes, base_case)
            }
        }
    }
}

fn resolve_binomial(
    extent: &Extent,
    snapshots: Option<u64>,
    passes: Option<u64>,
    base_case: Option<u64>,
) -> Result<ResolvedStrategy, RuntimeError> {
    let length = extent.steps;
    if let (Some(snapshots), Some(passes), None) = (snapshots, passes, base_case) {
        let base_case = length.div_ceil(eta(snapshots, passes)).max(1);
        return Ok(resolved(length, snapshots, passes, base_case));
    }
    let base_case = base_case.unwrap_or_else(|| average_steps(extent, DEFAULT_NODES).max(DEFAULT_BASE_CASE));
    let intervals = length.div_ceil(base_case);
    let (snapshots, passes) = match (snapshots, passes) {
        (Some(snapshots), Some(passes)) => {
            (Some(snapshots), Some(passes).filter(|_| eta(snapshots, passes) >= intervals))
        }
        (Some(snapshots), None) => (Some(snapshots), least_partner(snapshots, intervals)),
        (None, Some(passes)) => (least_partner(passes, intervals), Some(passes)),
        (None, None) => {
            let both = least(intervals, |both| eta(both, both));
            (both, both)
        }
    };
    match (snapshots, passes) {
        (Some(snapshots), Some(passes)) => Ok(resolved(length, snapshots, passes, base_case)),
        (_, _) => Err(too_little(length, base_case)),
    }
}

/// The number of steps that have so many nodes on average, and at most all steps.
fn average_steps(extent: &Extent, nodes: u64) -> u64 {
    let all = extent.nodes.end.saturating_sub(extent.nodes.start);
    if all <= nodes {
        return extent.steps;
    }
    // Less than the steps, since there are more nodes.
    (u128::from(extent.steps) * u128::from(nodes) / u128::from(all)) as u64
}

/// Sufficient numbers, without unnecessary passes.
fn resolved(length: u64, snapshots: u64, passes: u64, base_case: u64) -> ResolvedStrategy {
    let enough = least_partner(snapshots, length.div_ceil(base_case)).unwrap_or(passes);
    ResolvedStrategy::Binomial { snapshots, passes: passes.min(enough), base_case }
}

/// The least x with eta(given, x) >= intervals; eta is symmetric, and constant in x if `given` is 0.
fn least_partner(given: u64, intervals: u64) -> Option<u64> {
    if given == 0 && intervals > 1 {
        return None;
    }
    least(intervals, |other| eta(given, other))
}

/// The least number at which a growing function reaches the number of intervals.
fn least(intervals: u64, function: impl Fn(u64) -> u64) -> Option<u64> {
    let mut high = 0_u64;
    while function(high) < intervals {
        high = high.checked_mul(2)?.max(1);
    }
    let mut low = high / 2;
    if function(low) >= intervals {
        return Some(low);
    }
    // function(low) < intervals <= function(high)
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if function(middle) < intervals { low = middle } else { high = middle }
    }
    Some(high)
}

fn too_little(length: u64, base_case: u64) -> RuntimeError {
    let message = format!(
        "binomial checkpointing cannot divide {length} steps into intervals of {base_case} with so few snapshots and passes"
    );
    RuntimeError::new(Kind::Limit, message)
        .with_hint("with d snapshots and t passes there can be (d + t)! / (d! t!) intervals; leave one of d, t, n out")
}
