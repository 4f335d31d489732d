//! Chains of pending calls made short: what repeats is folded, and of what is left the middle is left out.

use crate::diagnostic::PendingCall;

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
    Omitted(usize),
}

/// Calls that stand in the chain one or more times in a row.
struct Run<'chain> {
    calls: &'chain [PendingCall],
    times: usize,
}

/// The lines that show a chain: bounded in number, and all of it if it is short.
pub fn chain_lines(chain: &[PendingCall]) -> Vec<ChainLine<'_>> {
    let runs = runs(chain);
    let omitted = runs.len().saturating_sub(INNERMOST + OUTERMOST);
    // Leaving out a single run would take the line that it could stand on.
    let omitted = if omitted == 1 { 0 } else { omitted };
    let mut lines = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        if place < INNERMOST || place >= INNERMOST + omitted {
            lines.extend(run.calls.iter().map(ChainLine::Call));
            if run.times > 1 {
                lines.push(ChainLine::Again { calls: run.calls.len(), times: run.times - 1 });
            }
        } else if place == INNERMOST {
            let left_out = runs.iter().skip(INNERMOST).take(omitted);
            lines.push(ChainLine::Omitted(left_out.map(|run| run.calls.len() * run.times).sum()));
        }
    }
    lines
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
