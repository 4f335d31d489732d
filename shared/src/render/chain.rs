//! Chains of pending calls made short: what repeats is folded, and of what is left the middle is left out.

use crate::diagnostic::{Diagnostic, PendingCall};

/// The folded calls at the inner end that are shown.
const INNERMOST: usize = 8;

/// The folded calls at the outer end that are shown.
const OUTERMOST: usize = 3;

/// The longest sequence of calls whose repetition is looked for: mutual recursion of some procedures.
const LONGEST_PERIOD: usize = 6;

/// A line of a shortened chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainLine<'chain> {
    /// A call.
    Call(&'chain PendingCall),
    /// The last calls shown stand there again.
    Again {
        /// How many of the last calls.
        calls: usize,
        /// How many more times.
        times: usize,
    },
    /// So many calls are left out.
    Omitted(u64),
}

/// Calls that stand in the chain one or more times in a row.
struct Run<'chain> {
    calls: &'chain [PendingCall],
    times: usize,
}

/// The lines that show the pending calls of a diagnostic: bounded in number, and all of them if they are few.
pub fn chain_lines(diagnostic: &Diagnostic) -> Vec<ChainLine<'_>> {
    let chain = diagnostic.chain.as_slice();
    let mut lines = Vec::new();
    if diagnostic.elided_calls == 0 {
        let runs = runs(chain);
        // Leaving out a single run would take the line that it could stand on.
        if runs.len() <= INNERMOST + OUTERMOST + 1 {
            runs.iter().for_each(|run| push(&mut lines, run));
        } else {
            let (inner, rest) = runs.split_at(INNERMOST);
            let (middle, outer) = rest.split_at(rest.len() - OUTERMOST);
            inner.iter().for_each(|run| push(&mut lines, run));
            lines.push(ChainLine::Omitted(count(middle)));
            outer.iter().for_each(|run| push(&mut lines, run));
        }
        return lines;
    }
    let (inner_half, outer_half) = chain.split_at(chain.len() / 2);
    let (mut inner, mut outer) = (runs(inner_half), runs(outer_half));
    // How often a run next to the gap stands there is not known, so it is shown once and the rest counts as left out.
    let mut omitted = diagnostic.elided_calls;
    for run in inner.last_mut().into_iter().chain(outer.first_mut()) {
        omitted += (run.calls.len() * (run.times - 1)) as u64;
        run.times = 1;
    }
    let (inner, inner_rest) = inner.split_at(inner.len().min(INNERMOST));
    let (outer_rest, outer) = outer.split_at(outer.len().saturating_sub(OUTERMOST));
    inner.iter().for_each(|run| push(&mut lines, run));
    lines.push(ChainLine::Omitted(omitted + count(inner_rest) + count(outer_rest)));
    outer.iter().for_each(|run| push(&mut lines, run));
    lines
}

fn push<'chain>(lines: &mut Vec<ChainLine<'chain>>, run: &Run<'chain>) {
    lines.extend(run.calls.iter().map(ChainLine::Call));
    if run.times > 1 {
        lines.push(ChainLine::Again { calls: run.calls.len(), times: run.times - 1 });
    }
}

fn count(runs: &[Run<'_>]) -> u64 {
    runs.iter().map(|run| (run.calls.len() * run.times) as u64).sum()
}

/// The chain as runs, taken greedily from its inner end: at each place the period that covers most.
fn runs(chain: &[PendingCall]) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = chain;
    while !rest.is_empty() {
        let mut best = Run { calls: rest.get(..1).unwrap_or(rest), times: 1 };
        for period in 1..=LONGEST_PERIOD {
            let Some(calls) = rest.get(..period) else { break };
            let times = rest.chunks_exact(period).take_while(|chunk| *chunk == calls).count();
            // Twice in a row is not worth a line that says so, unless it saves some.
            if times > 1 && times * period > 3 && times * period > best.times * best.calls.len() {
                best = Run { calls, times };
            }
        }
        rest = rest.get(best.calls.len() * best.times..).unwrap_or(&[]);
        runs.push(best);
    }
    runs
}
