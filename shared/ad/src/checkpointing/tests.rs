//! Schedules compared with the closed forms of the literature, and with an exhaustive search.

use crate::checkpointing::*;
use std::collections::HashMap;

/// The totals of a schedule that is followed and checked: states are a stack, and reversals go from the end to the
/// beginning without a gap.
struct ScheduleTotals {
    advanced: u64,
    reversals: u64,
    most_states: usize,
    longest: u64,
    most_passes: u64,
}

/// Follows the schedule for steps with so many nodes that their number alone determines the base case.
fn follow(strategy: Strategy, length: u64) -> ScheduleTotals {
    follow_nodes(strategy, length, |position| position << 20)
}

/// Follows a schedule. `node` is the number of the next node at a position.
fn follow_nodes(strategy: Strategy, length: u64, node: impl Fn(u64) -> u64) -> ScheduleTotals {
    let mut states = vec![0_u64];
    let mut left = length;
    let mut seen = ScheduleTotals { advanced: 0, reversals: 0, most_states: 1, longest: 0, most_passes: 0 };
    let mut passes = vec![0_u64; length as usize];
    let mut schedule = Schedule::new(strategy, &Extent { steps: length, nodes: node(0)..node(length) }).unwrap();
    while let Some(action) = schedule.next(states.last().map_or(0, |position| node(*position))) {
        match action {
            Action::Advance { from, steps } => {
                assert_eq!(states.last(), Some(&from));
                assert!(steps > 0 && from + steps < left);
                states.push(from + steps);
                seen.advanced += steps;
                passes[from as usize..(from + steps) as usize].iter_mut().for_each(|count| *count += 1);
            }
            Action::Reverse { from, steps } => {
                assert_eq!(states.pop(), Some(from));
                assert_eq!(from + steps, left);
                left = from;
                seen.reversals += 1;
                seen.longest = seen.longest.max(steps);
            }
        }
        seen.most_states = seen.most_states.max(states.len());
    }
    assert!(states.is_empty() && left == 0);
    seen.most_passes = passes.into_iter().max().unwrap_or(0);
    seen
}

fn bisection(depth: Option<u64>, base_case: Option<u64>) -> Strategy {
    Strategy::Bisection { depth, base_case }
}

fn binomial(snapshots: Option<u64>, passes: Option<u64>, base_case: Option<u64>) -> Strategy {
    Strategy::Binomial { snapshots, passes, base_case }
}

#[test]
fn eta_is_the_binomial_coefficient() {
    let mut rows = vec![1_u64];
    for n in 1..40_u64 {
        rows = (0..=n as usize)
            .map(|k| rows.get(k).copied().unwrap_or(0) + k.checked_sub(1).map_or(0, |k| rows[k]))
            .collect();
        for (k, expected) in rows.iter().enumerate() {
            assert_eq!(eta(k as u64, n - k as u64), *expected);
        }
    }
    assert_eq!(eta(0, u64::MAX), 1);
    assert_eq!(eta(1, 7), 8);
    assert_eq!(eta(u64::MAX, 2), u64::MAX);
}

/// A depth of D splits 2^D equal intervals; each of the D levels advances over half of the steps.
#[test]
fn bisection_advances_over_half_of_the_steps_a_level() {
    for depth in 0..8 {
        for part in [1, 3, 100] {
            let length = part << depth;
            let seen = follow(bisection(Some(depth), None), length);
            assert_eq!(seen.advanced, depth * length / 2);
            assert_eq!((seen.reversals, seen.longest), (1 << depth, part));
            assert_eq!(seen.most_states, depth as usize + 1);
            assert_eq!(seen.most_passes, depth);
        }
    }
}

#[test]
fn a_base_case_bounds_what_is_recorded() {
    for length in [0, 1, 2, 7, 1000, 4321] {
        for base_case in [1, 2, 10, 5000] {
            let seen = follow(bisection(None, Some(base_case)), length);
            assert!(seen.longest <= base_case);
            let depth = length.div_ceil(base_case).max(1).next_power_of_two().ilog2();
            assert!(seen.most_states <= depth as usize + 1, "{length} {base_case}");
        }
    }
    assert!(follow(bisection(None, None), 123_456).longest <= DEFAULT_BASE_CASE);
    assert_eq!(follow(bisection(None, None), DEFAULT_BASE_CASE).reversals, 1);
    assert_eq!(follow(bisection(Some(u64::MAX), None), 5).longest, 1);
}

/// Without options an interval is a base case if it has few nodes, wherever they are.
#[test]
fn short_tapes_are_not_divided() {
    let none = bisection(None, None);
    // One node in each 4 steps: an execution whose tape has the length that is allowed, and a longer one.
    let seen = follow_nodes(none, 4 * DEFAULT_NODES, |position| position / 4);
    assert_eq!((seen.reversals, seen.advanced), (1, 0));
    let seen = follow_nodes(none, 32 * DEFAULT_NODES, |position| position / 4);
    assert_eq!((seen.reversals, seen.longest), (8, 4 * DEFAULT_NODES));
    assert_eq!((seen.advanced, seen.most_states), (3 * 16 * DEFAULT_NODES, 4));
    // All nodes are in the last quarter, 8 in each step: only this is divided.
    let (length, begin) = (1 << 18, 3 << 16);
    let nodes = DEFAULT_NODES >> 14;
    let seen = follow_nodes(none, length, |position| position.saturating_sub(begin) * nodes);
    assert_eq!((seen.reversals, seen.longest), (2 + 4, 1 << 17));
    // What is asked for is what is done.
    assert_eq!(follow_nodes(bisection(Some(3), None), 800, |_| 0).reversals, 8);
    assert_eq!(follow_nodes(bisection(None, Some(100)), 800, |_| 0).reversals, 8);
    let binomial_default = binomial(Some(3), None, None);
    // The nodes before the first one, of the operands, do not count.
    let length = 16 * DEFAULT_NODES;
    assert_eq!(follow_nodes(binomial_default, length, |position| (1 << 40) + position / 16).reversals, 1);
    assert_eq!(follow_nodes(none, length, |position| (1 << 40) + position / 16).reversals, 1);
    assert_eq!(follow_nodes(binomial_default, length, |position| position / 16).reversals, 1);
    assert_eq!(follow_nodes(binomial_default, length, |position| position / 4).longest, length / 4);
}

/// The fewest steps that must be advanced over, found by trying all splits.
fn fewest(length: u64, snapshots: u64, known: &mut HashMap<(u64, u64), u64>) -> u64 {
    if length <= 1 {
        return 0;
    }
    if snapshots == 0 {
        return u64::MAX;
    }
    if let Some(known) = known.get(&(length, snapshots)) {
        return *known;
    }
    let all = (1..length).map(|middle| {
        let right = fewest(length - middle, snapshots - 1, known);
        let left = fewest(middle, snapshots, known);
        middle.saturating_add(left).saturating_add(right)
    });
    let best = all.min().unwrap_or(0);
    known.insert((length, snapshots), best);
    best
}

/// With d states and the least t with eta(d, t) >= l the schedule takes t l - eta(d + 1, t - 1) steps, which is the
/// minimum (Griewank 1992).
#[test]
fn binomial_checkpointing_takes_the_fewest_steps() {
    let mut known = HashMap::new();
    for snapshots in 1..6 {
        for length in 2..80 {
            let seen = follow(binomial(Some(snapshots), None, Some(1)), length);
            let passes = (0..).find(|passes| eta(snapshots, *passes) >= length).unwrap();
            assert_eq!(seen.advanced, passes * length - eta(snapshots + 1, passes - 1), "{snapshots} {length}");
            assert_eq!(seen.advanced, fewest(length, snapshots, &mut known), "{snapshots} {length}");
            assert!(seen.most_states as u64 <= snapshots + 1);
            assert!(seen.most_passes <= passes);
            assert_eq!(seen.longest, 1);
        }
    }
}

#[test]
fn binomial_checkpointing_scales_with_the_base_case() {
    for (snapshots, passes, base_case) in [(3, 4, 10), (1, 5, 7), (6, 2, 100), (4, 4, 1000)] {
        let intervals = eta(snapshots, passes);
        let length = intervals * base_case;
        let expected = (passes * intervals - eta(snapshots + 1, passes - 1)) * base_case;
        let ways = [
            binomial(Some(snapshots), Some(passes), None),
            binomial(Some(snapshots), None, Some(base_case)),
            binomial(None, Some(passes), Some(base_case)),
            binomial(Some(snapshots), Some(passes), Some(base_case)),
        ];
        for strategy in ways {
            let seen = follow(strategy, length);
            assert_eq!((seen.advanced, seen.longest), (expected, base_case), "{strategy:?}");
            assert_eq!((seen.most_states as u64, seen.most_passes), (snapshots + 1, passes), "{strategy:?}");
        }
    }
}

#[test]
fn lengths_between_keep_within_what_is_given() {
    for length in (0..3000).step_by(37) {
        for strategy in [
            binomial(Some(3), None, Some(10)),
            binomial(None, Some(3), Some(10)),
            binomial(None, None, Some(10)),
            binomial(Some(2), Some(2), None),
            binomial(None, None, None),
            binomial(Some(4), None, None),
        ] {
            let seen = follow(strategy, length);
            let Strategy::Binomial { snapshots, passes, base_case } = strategy else { unreachable!() };
            assert!(snapshots.is_none_or(|most| seen.most_states as u64 <= most + 1));
            assert!(passes.is_none_or(|most| seen.most_passes <= most));
            assert!(base_case.is_none_or(|most| seen.longest <= most));
        }
    }
}

#[test]
fn what_cannot_be_divided_is_refused() {
    const EXTENT: &Extent = &Extent { steps: 1000, nodes: 0..1000 };
    for strategy in [
        binomial(Some(0), None, Some(10)),
        binomial(None, Some(0), Some(10)),
        binomial(Some(2), Some(2), Some(10)),
        bisection(None, Some(0)),
        binomial(Some(2), None, Some(0)),
    ] {
        assert!(Schedule::new(strategy, EXTENT).is_err(), "{strategy:?}");
    }
    assert!(Schedule::new(binomial(Some(0), Some(0), None), EXTENT).is_ok());
}

#[test]
fn numbers_that_are_far_more_than_enough_change_nothing() {
    let many = u64::MAX;
    for length in [1, 100, 1000] {
        let enough = follow(binomial(Some(3), None, Some(1)), length).advanced;
        assert_eq!(follow(binomial(Some(3), Some(many), Some(1)), length).advanced, enough);
        assert_eq!(follow(binomial(Some(3), Some(many), None), length).longest, 1);
        assert_eq!(follow(binomial(Some(many), Some(many), Some(1)), length).advanced, length.saturating_sub(1));
        assert_eq!(follow(bisection(Some(many), Some(many)), length).reversals, 1);
    }
}
