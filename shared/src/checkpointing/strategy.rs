//! Strategies: where intervals are split, and when they are not split any more.

use crate::diagnostic::Kind;
use crate::run::Trouble;

/// The steps of an interval that is not split any more, unless something else is said.
pub const DEFAULT_BASE_CASE: u64 = 1000;

/// How to divide an execution. What is `None` is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Halves, until they are `depth` splits deep, or of `base_case` steps or fewer. If neither is given the base case is
    /// [`DEFAULT_BASE_CASE`].
    Bisection {
        /// d: the most splits that an interval lies within.
        depth: Option<u64>,
        /// n: the steps of an interval that is not split any more.
        base_case: Option<u64>,
    },
    /// Treeverse: at most d states are kept beside the first, no step is advanced over more than t times, and no interval
    /// that is recorded is longer than n steps; which is possible if [`eta`]`(d, t) * n` is at least the length. If two of
    /// them are given the third is the least that will do. If n is not given, nor both others, it is
    /// [`DEFAULT_BASE_CASE`]; if neither d nor t is given they are equal.
    Binomial {
        /// d: the states that are kept beside the first.
        snapshots: Option<u64>,
        /// t: how often a step is advanced over at most.
        passes: Option<u64>,
        /// n: the steps of an interval that is not split any more.
        base_case: Option<u64>,
    },
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy::Bisection { depth: None, base_case: None }
    }
}

/// eta(d, t) = (d + t)! / (d! t!): how many intervals d states and t passes are enough for. No more than the greatest
/// number of 64 bits.
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

/// A strategy with everything settled for one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    Bisection { depth: u64, base_case: u64 },
    Binomial { snapshots: u64, passes: u64, base_case: u64 },
}

impl Strategy {
    /// Settles what is not given, for an execution of so many steps.
    ///
    /// # Errors
    /// A base case of no steps, or no way to divide so many steps with what is given (kind `limit`).
    pub(super) fn settle(self, length: u64) -> Result<Settled, Trouble> {
        match self {
            Strategy::Bisection { base_case: Some(0), .. } | Strategy::Binomial { base_case: Some(0), .. } => {
                Err(Trouble::new(Kind::Type, "a base case has at least 1 step, found 0"))
            }
            Strategy::Bisection { depth: None, base_case } => {
                Ok(Settled::Bisection { depth: u64::MAX, base_case: base_case.unwrap_or(DEFAULT_BASE_CASE) })
            }
            Strategy::Bisection { depth: Some(depth), base_case } => {
                Ok(Settled::Bisection { depth, base_case: base_case.unwrap_or(1) })
            }
            Strategy::Binomial { snapshots, passes, base_case } => {
                settle_binomial(length, snapshots, passes, base_case)
            }
        }
    }
}

fn settle_binomial(
    length: u64,
    snapshots: Option<u64>,
    passes: Option<u64>,
    base_case: Option<u64>,
) -> Result<Settled, Trouble> {
    if let (Some(snapshots), Some(passes), None) = (snapshots, passes, base_case) {
        let base_case = length.div_ceil(eta(snapshots, passes)).max(1);
        return Ok(settled(length, snapshots, passes, base_case));
    }
    let base_case = base_case.unwrap_or(DEFAULT_BASE_CASE);
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
        (Some(snapshots), Some(passes)) => Ok(settled(length, snapshots, passes, base_case)),
        (_, _) => Err(too_little(length, base_case)),
    }
}

/// Numbers that will do, without passes of which there is no need.
fn settled(length: u64, snapshots: u64, passes: u64, base_case: u64) -> Settled {
    let enough = least_partner(snapshots, length.div_ceil(base_case)).unwrap_or(passes);
    Settled::Binomial { snapshots, passes: passes.min(enough), base_case }
}

/// The least x with eta(given, x) >= intervals; eta is symmetric, and does not grow if nothing is given.
fn least_partner(given: u64, intervals: u64) -> Option<u64> {
    if given == 0 && intervals > 1 {
        return None;
    }
    least(intervals, |other| eta(given, other))
}

/// The least number that a growing function takes to the intervals or over.
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

fn too_little(length: u64, base_case: u64) -> Trouble {
    let message = format!(
        "binomial checkpointing cannot divide {length} steps into intervals of {base_case} with so few snapshots and passes"
    );
    Trouble::new(Kind::Limit, message)
        .with_hint("with d snapshots and t passes there can be (d + t)! / (d! t!) intervals; leave one of d, t, n out")
}
