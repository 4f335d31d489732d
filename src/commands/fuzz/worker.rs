//! The worker process of a campaign: runs batches of cases, and reports each batch in a line of JSON.
//!
//! It may crash at any moment, since it runs generated code of arbitrary programs; the lines written before remain
//! valid. It ends when its input is closed; the supervisor holds that open for its own lifetime, in whatever way that
//! ends.

use crate::process::exit::Exit;
use crate::process::threads;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::leave;
use vlad_conformance::random::campaign::Plan;
use vlad_conformance::random::campaign::tally::Tally;
use vlad_conformance::random::saved;
use vlad_conformance::random::trees::coverage::Coverage;

/// A line of a worker: the result of a batch.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    /// The number after that of the last case of the batch.
    pub until: u64,
    /// The result of the batch.
    pub tally: Tally,
}

/// Runs the case of a file; the exit code says if it is a finding. The error that a case cannot be read is written to
/// the output, which distinguishes this failure from others.
pub fn work_on_one(plan: &Plan, file: &Path) -> Exit {
    std::panic::set_hook(Box::new(|_| {}));
    end_with_the_input();
    let text = fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()));
    match text.and_then(|text| saved::read(&text)).map(|case| plan.signature_of(&case)) {
        Ok(None) => Exit::Success,
        Ok(Some(_)) => Exit::Disagreement,
        Err(error) => {
            // If the output is closed, there is no other place to report the error.
            let _ = io::stdout().lock().write_all(error.as_bytes());
            Exit::Failure
        }
    }
}

/// Runs cases, a batch at a time, and starts no batch after `time`.
pub fn work(plan: &Plan, numbers: Range<u64>, time: Option<Duration>) -> Exit {
    // Panics are findings, which are reported as such.
    std::panic::set_hook(Box::new(|_| {}));
    end_with_the_input();
    let begun = Instant::now();
    let mut reached = Coverage::default();
    let mut begin = numbers.start;
    while begin < numbers.end && time.is_none_or(|time| begun.elapsed() < time) {
        let end = numbers.end.min(begin.saturating_add(plan.batch()));
        let tally = plan.run_batch(begin..end, &reached);
        reached.merge(tally.coverage.clone());
        let told = serde_json::to_string(&Line { until: end, tally }).map_err(io::Error::other).and_then(|line| {
            let mut out = io::stdout().lock();
            writeln!(out, "{line}").and_then(|()| out.flush())
        });
        if told.is_err() {
            // The supervisor has ended.
            return Exit::Failure;
        }
        begin = end;
    }
    Exit::Success
}

/// Starts a thread that ends the process, and the processes that it has started, when its input is closed.
fn end_with_the_input() {
    // If no thread can be had, the process ends when its output is closed.
    let _ = threads::named("input").spawn(|| {
        // A read error counts as the end of the input.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        leave();
        signal_hook::low_level::exit(i32::from(Exit::Failure.code()));
    });
}
