//! Shortening of chains of pending calls: repetitions are folded, and of a chain that is still long the middle is left
//! out.

use crate::diagnostic::{Diagnostic, PendingCall};

/// The number of runs shown at the inner end.
const INNERMOST: usize = 8;

/// The number of runs shown at the outer end.
const OUTERMOST: usize = 3;

/// The longest sequence of calls that is checked for repetition: mutual recursion of some procedures.
const LONGEST_PERIOD: usize = 6;

/// A line of a shortened chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainLine<'chain> {
    /// A call.
    Call(&'chain PendingCall),
    /// A repetition of the last calls shown.
    Again {
        /// The number of calls that are repeated.
        calls: usize,
        /// The number of further repetitions.
        times: usize,
    },
    /// The number of calls left out.
    Omitted(u64),
}

/// A sequence of calls that occurs in the chain one or more times in a row.
struct RepeatedCalls<'chain> {
    calls: &'chain [PendingCall],
    times: usize,
}

/// Returns the lines that show the pending calls of a diagnostic: bounded in number, and all calls if they are few.
pub fn chain_lines(diagnostic: &Diagnostic) -> Vec<ChainLine<'_>> {
    let chain = diagnostic.chain.as_slice();
    let mut lines = Vec::new();
    if diagnostic.elided_calls == 0 {
        let runs = runs(chain);
        // A note about a single run left out would take the line on which the run could be shown.
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
    // The number of repetitions of a run next to the gap is unknown, so it is shown once and the rest counts as left
    // out.
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

fn push<'chain>(lines: &mut Vec<ChainLine<'chain>>, run: &RepeatedCalls<'chain>) {
    lines.extend(run.calls.iter().map(ChainLine::Call));
    if run.times > 1 {
        lines.push(ChainLine::Again { calls: run.calls.len(), times: run.times - 1 });
    }
}

fn count(runs: &[RepeatedCalls<'_>]) -> u64 {
    runs.iter().map(|run| (run.calls.len() * run.times) as u64).sum()
}

/// Splits the chain into runs, greedily from its inner end: at each place the period that covers most.
fn runs(chain: &[PendingCall]) -> Vec<RepeatedCalls<'_>> {
    let mut runs = Vec::new();
    let mut rest = chain;
    while !rest.is_empty() {
        let mut best = RepeatedCalls { calls: rest.get(..1).unwrap_or(rest), times: 1 };
        for period in 1..=LONGEST_PERIOD {
            let Some(calls) = rest.get(..period) else { break };
            let times = rest.chunks_exact(period).take_while(|chunk| *chunk == calls).count();
            // A repetition is folded only if the note about it saves lines.
            if times > 1 && times * period > 3 && times * period > best.times * best.calls.len() {
                best = RepeatedCalls { calls, times };
            }
        }
        rest = rest.get(best.calls.len() * best.times..).unwrap_or(&[]);
        runs.push(best);
    }
    runs
}
