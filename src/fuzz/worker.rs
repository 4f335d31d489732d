//! The process that does the work of a campaign: it runs batches of cases, and tells of each in a line of JSON.
//!
//! It may break down at any moment, since it runs what engines make of programs nobody has seen. All that it has told by then
//! stands. It ends when its input does, which the supervisor holds open as long as it lives, however that ends.

use crate::ending::Ending;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::leave;
use vlad_conformance::random::campaign::Plan;
use vlad_conformance::random::coverage::Coverage;
use vlad_conformance::random::saved;
use vlad_conformance::random::tally::Tally;

/// A line of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    /// The number behind the last case of the batch.
    pub until: u64,
    /// What came of the batch.
    pub tally: Tally,
}

/// Runs the case of a file; the ending says whether it is a finding. A case that cannot be read is told of on the output,
/// which tells this failure from others.
pub fn work_on_one(plan: &Plan, file: &Path) -> Ending {
    std::panic::set_hook(Box::new(|_| {}));
    end_with_the_input();
    let text = fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()));
    match text.and_then(|text| saved::read(&text)).map(|case| plan.look_at(&case)) {
        Ok(None) => Ending::Success,
        Ok(Some(_)) => Ending::Disagreement,
        Err(error) => {
            // Where nobody listens there is nobody to be told.
            let _ = io::stdout().lock().write_all(error.as_bytes());
            Ending::Failure
        }
    }
}

/// Runs cases, a batch at a time, and begins none after some time.
pub fn work(plan: &Plan, numbers: Range<u64>, time: Option<Duration>) -> Ending {
    // Panics are findings, which tell what there is to tell.
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
            // Nobody listens any more.
            return Ending::Failure;
        }
        begin = end;
    }
    Ending::Success
}

/// Ends the process, and what it has started, when nobody holds its input open any more.
fn end_with_the_input() {
    // Without a thread it ends when nobody listens any more.
    let _ = thread::Builder::new().spawn(|| {
        // A fault is an end, too.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        leave();
        signal_hook::low_level::exit(i32::from(Ending::Failure.code()));
    });
}
