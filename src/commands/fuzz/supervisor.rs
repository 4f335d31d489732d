//! The supervisor of the workers: assigns cases, adds up results, and finds the case at which a worker crashed.
//!
//! Invariant: every case that was begun is in the tally, even if the process that ran it has crashed or hung.

use super::arguments::FuzzArguments;
use super::findings::keep;
use super::process::{PATIENCE_WITH_A_CASE, describe_exit, end};
use super::trial;
use super::worker::Line;
use crate::output::progress;
use crate::process::threads;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vlad_conformance::random::campaign::Plan;
use vlad_conformance::random::campaign::tally::{Finding, Tally};
use vlad_files::ending::before_the_end;

/// The most cases that a worker is given at a time.
const SHARE: u64 = 1000;

/// The time after which a batch counts as hanging; its cases have time limits of their own, which few of them reach.
const PATIENCE_WITH_A_BATCH: Duration = Duration::from_secs(20 * 60);

/// The number of findings at which a campaign ends.
const MOST_FINDINGS: u64 = 100;

/// The result of a campaign.
pub struct Campaign {
    /// The seed of its cases.
    pub seed: u64,
    /// The counts and findings.
    pub tally: Tally,
    /// The time that it took.
    pub time: Duration,
}

/// The shared state of the threads of a campaign.
struct CampaignState {
    tally: Tally,
    /// The number of the first case that is not assigned yet.
    next: u64,
    /// The reason why the campaign cannot continue.
    trouble: Option<String>,
}

struct Supervisor<'campaign> {
    arguments: &'campaign FuzzArguments,
    plan: &'campaign Plan,
    words: Vec<OsString>,
    state: Mutex<CampaignState>,
    begun: Instant,
}

/// Runs a campaign to its end.
///
/// # Errors
/// A worker cannot be started, or a finding cannot be written.
pub fn supervise(arguments: &FuzzArguments, plan: &Plan) -> Result<Campaign, String> {
    let state = CampaignState { tally: Tally::default(), next: arguments.range().start, trouble: None };
    let words = arguments.for_worker(&plan.engines);
    let supervisor = Supervisor { arguments, plan, words, state: Mutex::new(state), begun: Instant::now() };
    thread::scope(|scope| {
        for _ in 1..arguments.jobs.get() {
            // If no thread can be had, there is one process less.
            let _ = threads::named("supervisor").spawn_scoped(scope, || supervisor.share_out());
        }
        supervisor.share_out();
    });
    progress::erase_count();
    let time = supervisor.begun.elapsed();
    let CampaignState { tally, trouble, .. } = supervisor.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    trouble.map_or(Ok(Campaign { seed: arguments.seed, tally, time }), Err)
}

/// The end of a worker.
enum WorkerEnd {
    /// It ran all its cases, or the time was up.
    Done,
    /// It crashed or hung in the batch that begins with this case; the text says how.
    Broken(u64, String),
}

impl Supervisor<'_> {
    fn state(&self) -> MutexGuard<'_, CampaignState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Assigns cases to workers, one after another, until none are left.
    fn share_out(&self) {
        while let Some(numbers) = self.take() {
            if let Err(trouble) = self.run(numbers) {
                self.state().trouble.get_or_insert(trouble);
            }
        }
    }

    /// Returns the next cases to be run.
    fn take(&self) -> Option<Range<u64>> {
        let mut state = self.state();
        let (begin, end) = (state.next, self.arguments.range().end);
        if begin >= end || self.time_left().is_some_and(|time| time.is_zero()) {
            return None;
        }
        if state.trouble.is_some() || state.tally.found() >= MOST_FINDINGS {
            return None;
        }
        let each = (end - begin).div_ceil(self.arguments.jobs.get() as u64).clamp(self.plan.batch(), SHARE);
        state.next = end.min(begin + each);
        Some(begin..state.next)
    }

    fn time_left(&self) -> Option<Duration> {
        self.arguments.minutes.map(|time| time.saturating_sub(self.begun.elapsed()))
    }

    fn run(&self, numbers: Range<u64>) -> Result<(), String> {
        let mut begin = numbers.start;
        while begin < numbers.end {
            match self.listen(begin..numbers.end, PATIENCE_WITH_A_BATCH)? {
                WorkerEnd::Done => break,
                WorkerEnd::Broken(from, how) => {
                    let until = numbers.end.min(from + self.plan.batch());
                    self.isolate(from..until, &how)?;
                    begin = until;
                }
            }
        }
        Ok(())
    }

    /// Runs a worker on some cases and adds up its results.
    fn listen(&self, numbers: Range<u64>, patience: Duration) -> Result<WorkerEnd, String> {
        let mut child = self.start(&numbers)?;
        let lines = child.stdout.take().map(BufReader::new);
        let (sender, receiver) = mpsc::channel();
        let mut begin = numbers.start;
        let hung = thread::scope(|scope| -> Result<bool, String> {
            scope.spawn(move || {
                let lines = lines.into_iter().flat_map(BufRead::lines).map_while(Result::ok);
                // If the receiver is gone, the remaining lines are not needed.
                lines.map_while(|line| sender.send(line).ok()).for_each(drop);
            });
            loop {
                match receiver.recv_timeout(patience) {
                    // A worker that crashes may leave an incomplete line.
                    Ok(line) => {
                        if let Ok(Line { until, tally }) = serde_json::from_str(&line) {
                            begin = until;
                            self.add(tally)?;
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => return Ok(false),
                    Err(RecvTimeoutError::Timeout) => {
                        end(&mut child).map_err(|error| format!("a process cannot be ended: {error}"))?;
                        return Ok(true);
                    }
                }
            }
        })?;
        let status = child.wait().map_err(|error| format!("a process cannot be waited for: {error}"))?;
        Ok(if hung {
            WorkerEnd::Broken(begin, format!("it does not end within {} s", patience.as_secs()))
        } else if status.success() {
            WorkerEnd::Done
        } else {
            WorkerEnd::Broken(begin, describe_exit(status))
        })
    }

    fn start(&self, numbers: &Range<u64>) -> Result<Child, String> {
        let program = std::env::current_exe().map_err(|error| format!("the command is not found: {error}"))?;
        let mut command = Command::new(program);
        command.args(&self.words).arg("--from").arg(numbers.start.to_string());
        command.arg("--cases").arg((numbers.end - numbers.start).to_string());
        if let Some(time) = self.time_left() {
            command.arg("--minutes").arg(format!("{}", (time.as_secs_f64() / 60.0).max(1e-6)));
        }
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        before_the_end(|| command.spawn()).map_err(|error| format!("a process cannot be started: {error}"))
    }

    fn add(&self, tally: Tally) -> Result<(), String> {
        let mut state = self.state();
        for finding in &tally.findings {
            keep(self.arguments.output.as_deref(), self.arguments.seed, finding)?;
        }
        state.tally.merge(tally);
        let (cases, found) = (state.tally.cases, state.tally.found());
        let rate = cases as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        progress::show_count(&format!("{cases} cases, {rate:.0} a second, {found} findings"));
        Ok(())
    }

    /// Finds the cases of a batch at which a worker crashed, by running each alone.
    fn isolate(&self, numbers: Range<u64>, how: &str) -> Result<(), String> {
        let mut guilty = 0;
        for number in numbers.clone() {
            if let WorkerEnd::Broken(_, how) = self.listen(number..number + 1, PATIENCE_WITH_A_CASE)? {
                guilty += 1;
                self.convict(number, &format!("a process breaks down: {how}"))?;
            }
        }
        if guilty == 0 {
            let look = format!("a process breaks down over many cases, and over none of them alone: {how}");
            let text = format!("; {look}: those from {} to {}\n", numbers.start, numbers.end - 1).into_bytes();
            self.find(Finding { number: numbers.start, look, text })?;
        }
        Ok(())
    }

    /// Records the finding that the process crashes over a case.
    fn convict(&self, number: u64, look: &str) -> Result<(), String> {
        let (sort, case) = self.plan.case(number);
        let smallest = trial::shrunk(&self.arguments.for_case(&self.plan.engines), case);
        let mut text = format!("; Case {number} of seed {}: {look}.\n", self.arguments.seed).into_bytes();
        text.extend(smallest);
        let count = Tally { cases: 1, good: u64::from(sort.is_good()), ..Tally::default() };
        self.state().tally.merge(count);
        self.find(Finding { number, look: look.to_owned(), text })
    }

    fn find(&self, finding: Finding) -> Result<(), String> {
        let mut tally = Tally::default();
        tally.note(&finding.look);
        tally.findings.push(finding);
        self.add(tally)
    }
}
