//! From a plan to the results: reads the files, distributes them over threads, and runs each on every column.
//!
//! Invariant: a program stays on the thread that loaded it, since values cannot be shared between threads. Files with a
//! memory limit run before all others and one at a time, because the limit is on the whole process.

use super::cell::{Cell, Verdict};
use super::external::{CommandExpectations, External};
use super::plan::{Expectations, Plan, Programs};
use super::recorder::{MOST_RECORDED, Recorder};
use super::table::{Column, ExpectationKind, FileResults, Table};
use crate::agreement::{Behaviour, disagreements};
use crate::case::{self, Case};
use crate::observe::Observation;
use crate::{bless, check};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};
use vlad_engines::{Engine, Ready, Settings, Task};
use vlad_files::output;
use vlad_portable::digest::{self, ProgramDigest, Results};
use vlad_shared::core::Program;
use vlad_shared::core::report::Failure;
use vlad_shared::core::source::MOST_BYTES;
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The number of programs that are made ready at once: enough to share the cost of a run of the C compiler, few enough
/// that the threads finish at about the same time.
const BATCH: usize = 48;

/// The host stack of a thread that runs engines, in bytes.
const STACK: usize = 16 << 20;

/// The most reasons of failure that a cell keeps.
const MOST_REASONS: usize = 12;

/// The most characters that are kept of a reason.
const MOST_CHARACTERS: usize = 400;

/// A callback with the number of finished files and the number of all files.
pub type Progress<'call> = &'call (dyn Fn(usize, usize) + Sync);

/// A file that was read.
struct Entry {
    path: PathBuf,
    /// The text and its expectations, or the reason why they cannot be read.
    read: Result<(String, Case), String>,
}

/// A file and the number of its row.
type Numbered<'entry> = (usize, &'entry Entry);

/// Runs the matrix of a plan.
pub fn run(plan: &Plan, progress: Progress<'_>) -> Table {
    let begun = Instant::now();
    let entries: Vec<Entry> = plan.files.iter().map(|path| read(plan, path)).collect();
    let limits_memory = |entry: &Entry| entry.read.as_ref().is_ok_and(|(_, case)| case.limits.memory.is_some());
    let (alone, together): (Vec<Numbered<'_>>, Vec<Numbered<'_>>) =
        entries.iter().enumerate().partition(|(_, entry)| limits_memory(entry));
    let rows: Mutex<Vec<(usize, FileResults)>> = Mutex::new(Vec::new());
    let finish = |done: Vec<(usize, FileResults)>| {
        let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.extend(done);
        progress(rows.len(), entries.len());
    };
    let alone: Vec<Vec<Numbered<'_>>> = alone.into_iter().map(|entry| vec![entry]).collect();
    let work = |batch: &Vec<Numbered<'_>>| finish(run_batch(plan, batch));
    on_threads(1, &alone, &work);
    on_threads(plan.jobs.get(), &batches(together, plan.jobs.get()), &work);
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|(number, _)| *number);
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    Table { columns: plan.columns.clone(), rows, time: begun.elapsed(), shard: plan.shard }
}

/// Makes batches for so many threads. Neighbours, which are often alike, go to different batches, so that no batch
/// takes much longer than the others.
fn batches<T>(items: Vec<T>, threads: usize) -> Vec<Vec<T>> {
    let size = items.len().div_ceil(threads).clamp(1, BATCH);
    let mut batches: Vec<Vec<T>> = Vec::new();
    batches.resize_with(items.len().div_ceil(size), Vec::new);
    let turns = batches.len();
    for (number, item) in items.into_iter().enumerate() {
        if let Some(batch) = batches.get_mut(number % turns) {
            batch.push(item);
        }
    }
    batches
}

/// Applies a function to each item, on so many threads. If no thread can be had the work is done on the calling one.
fn on_threads<T: Sync>(threads: usize, items: &[T], work: &(dyn Fn(&T) + Sync)) {
    let next = AtomicUsize::new(0);
    let take = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, take);
            if spawned.is_err() {
                break;
            }
        }
    });
    take();
}

fn read(plan: &Plan, path: &Path) -> Entry {
    let language = plan.language_of(path);
    let read = is_plain(path).and_then(|()| check::read_text(path)).and_then(|text| {
        let case = case::parse_any(&text, language.comment())?;
        Ok((text, case))
    });
    Entry { path: path.to_path_buf(), read }
}

/// Checks that a file can be read repeatedly, as is done here, and is not too large for a program; returns the reason
/// if not.
fn is_plain(path: &Path) -> Result<(), String> {
    let metadata = fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if !metadata.is_file() {
        return Err(format!("{} is not a plain file", path.display()));
    }
    if metadata.len() > MOST_BYTES {
        return Err(format!("{} has more than the {MOST_BYTES} bytes that a program may have", path.display()));
    }
    Ok(())
}

/// A file of a batch that can be run.
struct Job<'entry> {
    path: &'entry Path,
    text: &'entry str,
    case: &'entry Case,
    limits: Limits,
    loaded: Result<Program, Failure>,
}

/// The observed behaviour of an engine on a job.
struct ObservedBehaviour {
    observation: Observation,
    conduct: Option<Behaviour>,
    time: Duration,
}

fn run_batch(plan: &Plan, batch: &[Numbered<'_>]) -> Vec<(usize, FileResults)> {
    let jobs: Vec<Result<Job<'_>, &String>> = batch.iter().map(|(_, entry)| job(plan, entry)).collect();
    let ready: Vec<&Job<'_>> = jobs.iter().flatten().collect();
    // The observations by engine, in the order of the ready jobs.
    let mut seen: Vec<(usize, Vec<Result<ObservedBehaviour, String>>)> = Vec::new();
    for (number, column) in plan.columns.iter().enumerate() {
        if let Column::Engine(engine) = column {
            seen.push((number, on_engine(*engine, &ready, &plan.settings)));
        }
    }
    let mut at = 0;
    let mut rows = Vec::new();
    for ((number, entry), job) in batch.iter().zip(&jobs) {
        let row = match job {
            Err(reason) => broken(plan, &entry.path, reason),
            Ok(job) => {
                let own = seen.iter_mut().map(|(column, seen)| (*column, take(seen, at))).collect();
                at += 1;
                row(plan, job, own)
            }
        };
        rows.push((*number, row));
    }
    rows
}

/// Takes an observation out of its place.
fn take(seen: &mut [Result<ObservedBehaviour, String>], at: usize) -> Result<ObservedBehaviour, String> {
    let nothing = || Err("there is no answer".to_owned());
    seen.get_mut(at).map_or_else(nothing, |place| std::mem::replace(place, nothing()))
}

fn job<'entry>(plan: &Plan, entry: &'entry Entry) -> Result<Job<'entry>, &'entry String> {
    let (text, case) = entry.read.as_ref()?;
    let folder = entry.path.parent().unwrap_or(Path::new("."));
    let setting = check::setting(case, folder);
    let memory = setting.limits.memory.into_iter().chain(plan.memory).min();
    let limits = Limits { time: Some(case.limits.time.unwrap_or(plan.time)), memory, ..setting.limits };
    let Plan { languages, language, rewriting, reverse, .. } = *plan;
    let include_folders = setting.include_folders;
    let options = Options { include_folders, languages, language, rewriting, reverse, ..Options::default() };
    let loaded = load::load(Input::Path(entry.path.clone()), &options);
    Ok(Job { path: &entry.path, text, case, limits, loaded })
}

impl Job<'_> {
    fn task(&self) -> Option<Task<'_>> {
        let program = self.loaded.as_ref().ok()?;
        Some(Task { program, limits: &self.limits })
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// Runs jobs on an engine.
fn on_engine(engine: Engine, jobs: &[&Job<'_>], settings: &Settings) -> Vec<Result<ObservedBehaviour, String>> {
    let tasks: Vec<Task<'_>> = jobs.iter().filter_map(|job| job.task()).collect();
    // If making all of them ready fails, each is tried by itself, and only those that cause the failure fail.
    let mut ready = caught(|| engine.make_ready(&tasks, settings).ok()).ok().flatten().map(Vec::into_iter);
    let mut on_job = |job: &Job<'_>| match (&job.loaded, job.task()) {
        (Ok(program), Some(task)) => {
            let own = match ready.as_mut().and_then(Iterator::next) {
                Some(own) => own,
                None => alone(engine, task, settings)?,
            };
            caught(|| run_one(engine, &own, task, program, &job.case.input))?
        }
        (Err(Failure { diagnostics, sources }), _) => Ok(not_run(diagnostics.clone(), sources.clone())),
        (Ok(_), None) => Err("the program is not there".to_owned()),
    };
    jobs.iter().map(|job| on_job(job)).collect()
}

fn alone(engine: Engine, task: Task<'_>, settings: &Settings) -> Result<Ready, String> {
    let ready = caught(|| engine.make_ready(&[task], settings))?.map_err(|error| error.to_string())?;
    ready.into_iter().next().ok_or_else(|| "the engine made nothing of the program".to_owned())
}

/// Returns the result of a closure, or the message of its panic: a bug of an engine must not affect the results of
/// others.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = match (payload.downcast_ref::<String>(), payload.downcast_ref::<&str>()) {
            (Some(text), _) => text.clone(),
            (None, Some(text)) => (*text).to_owned(),
            (None, None) => "for a reason that it does not tell".to_owned(),
        };
        format!("the engine broke down: {text}")
    })
}

fn not_run(
    diagnostics: Vec<vlad_shared::core::diagnostic::Diagnostic>,
    sources: vlad_shared::core::source::SourceMap,
) -> ObservedBehaviour {
    let observation = Observation { output: Vec::new(), diagnostics, sources, steps: None };
    ObservedBehaviour { observation, conduct: None, time: Duration::ZERO }
}

/// Runs a program. One whose output has no end is an error: nothing can be expected of it.
fn run_one(
    engine: Engine,
    ready: &Ready,
    task: Task<'_>,
    program: &Program,
    input: &str,
) -> Result<ObservedBehaviour, String> {
    let begun = Instant::now();
    let numbers = StreamHost::new(input.as_bytes(), io::sink(), Notation::Shortest).reading(program.input);
    let mut recorder = Recorder::new(numbers);
    let report = ready.run(task, &mut recorder);
    let time = begun.elapsed();
    let diagnostics = match &report.outcome {
        Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => Vec::new(),
        Outcome::Failed(diagnostic) => vec![diagnostic.as_ref().clone()],
    };
    let Recorder { shortest, with_bits, room, .. } = recorder;
    if room.is_none() {
        return Err(format!("it writes more than {MOST_RECORDED} bytes"));
    }
    let (sources, steps) = (program.sources.clone(), Some(report.steps));
    let observation = Observation { output: shortest, diagnostics, sources, steps };
    let conduct = Behaviour { engine, output: with_bits, outcome: report.outcome, steps: report.steps };
    Ok(ObservedBehaviour { observation, conduct: Some(conduct), time })
}

/// The row of a file that cannot be read or has malformed expectations.
fn broken(plan: &Plan, path: &Path, reason: &str) -> FileResults {
    let cell = |_| Cell::without_run(failed(vec![reason.to_owned()]));
    let cells = plan.columns.iter().map(cell).collect();
    let (path, sort) = (path.to_path_buf(), ExpectationKind::Broken);
    FileResults { path, sort, cells, disagreements: Vec::new(), digest: None }
}

/// Makes the row of a job from the observations, by column.
fn row(plan: &Plan, job: &Job<'_>, mut seen: Vec<(usize, Result<ObservedBehaviour, String>)>) -> FileResults {
    let digest = seen.iter().find_map(|(_, seen)| seen.as_ref().ok()).and_then(|first| digest(job, first));
    let conducts: Vec<Behaviour> = seen.iter_mut().filter_map(|(_, seen)| seen.as_mut().ok()?.conduct.take()).collect();
    let disagreements =
        job.loaded.as_ref().map_or_else(|_| Vec::new(), |program| disagreements(&conducts, &program.sources));
    let mut sort = if job.case.expects_something() { ExpectationKind::Case } else { ExpectationKind::Program };
    let first = seen.iter().find_map(|(_, seen)| seen.as_ref().ok());
    let mut rewritten = None;
    let mut trouble = None;
    // If engines disagree, some of them are wrong; no expectation is written from their results.
    let written = match (sort, plan.expectations, plan.programs) {
        (ExpectationKind::Case, Expectations::Rewritten, _) => Some(NewExpectations::Output),
        (ExpectationKind::Program, _, Programs::MadeCases) => Some(NewExpectations::All),
        (
            ExpectationKind::Case | ExpectationKind::Program | ExpectationKind::Rewritten | ExpectationKind::Broken,
            _,
            _,
        ) => None,
    };
    if let (Some(written), Some(first), true) = (written, first, disagreements.is_empty()) {
        match rewrite(job, &first.observation, written) {
            Ok(Some(case)) => {
                sort = ExpectationKind::Rewritten;
                rewritten = Some(case);
            }
            Ok(None) => {}
            Err(reason) => trouble = Some(reason),
        }
    }
    let case = rewritten.as_ref().unwrap_or(job.case);
    let wanted = match (sort, first) {
        (ExpectationKind::Program, Some(first)) => Some(CommandExpectations::of_observation(&first.observation)),
        (ExpectationKind::Program, None) | (ExpectationKind::Broken, _) => None,
        (ExpectationKind::Case | ExpectationKind::Rewritten, _) => Some(CommandExpectations::of_case(case)),
    };
    let name = job.name();
    let mut cells = Vec::new();
    for (number, column) in plan.columns.iter().enumerate() {
        let own = seen.iter().find(|(column, _)| *column == number).map(|(_, seen)| seen);
        let mut cell = match (column, own) {
            (Column::External(external), _) => {
                judged_external(external, job, case, wanted.as_ref(), first.map(|first| &first.observation))
            }
            (Column::Engine(_), Some(Ok(seen))) => judged(seen, case, sort, &name),
            (Column::Engine(_), Some(Err(reason))) => Cell::without_run(failed(vec![reason.clone()])),
            (Column::Engine(_), None) => Cell::without_run(Verdict::Skipped("it was not run".to_owned())),
        };
        if let Some(reason) = trouble.take() {
            cell.verdict = failed(vec![reason]);
        }
        cells.push(cell);
    }
    FileResults { path: job.path.to_path_buf(), sort, cells, disagreements, digest }
}

/// The digest of a program with the results of an engine.
fn digest(job: &Job<'_>, seen: &ObservedBehaviour) -> Option<ProgramDigest> {
    let Observation { diagnostics, sources, steps, .. } = &seen.observation;
    let output = seen.conduct.as_ref().map_or(&[][..], |conduct| &conduct.output);
    digest::of_program(&Results { text: job.text, output, errors: diagnostics, sources, steps: *steps })
}

fn judged(seen: &ObservedBehaviour, case: &Case, sort: ExpectationKind, name: &str) -> Cell {
    let differences = match sort {
        ExpectationKind::Case | ExpectationKind::Rewritten => check::differences(case, &seen.observation, name),
        ExpectationKind::Program | ExpectationKind::Broken => Vec::new(),
    };
    let verdict = if differences.is_empty() {
        Verdict::Passed
    } else {
        let errors = seen.observation.rendered();
        failed(differences.into_iter().chain(errors.lines().map(|line| format!("  {line}"))).collect())
    };
    let line = match &verdict {
        Verdict::Failed(_) => check::line_of_difference(case, &seen.observation, name),
        Verdict::Passed | Verdict::Known(_) | Verdict::Skipped(_) => None,
    };
    Cell { verdict, steps: seen.observation.steps, time: seen.time, line }
}

fn judged_external(
    external: &External,
    job: &Job<'_>,
    case: &Case,
    wanted: Option<&CommandExpectations>,
    engine: Option<&Observation>,
) -> Cell {
    let limit = job.limits.time.unwrap_or(Duration::MAX);
    match wanted {
        Some(wanted) => {
            let mut cell = external.judge(job.path, case, wanted, engine, limit);
            if let Verdict::Failed(reasons) = cell.verdict {
                cell.verdict = failed(reasons);
            }
            cell
        }
        None => Cell::without_run(Verdict::Skipped("nothing is known of what the program does".to_owned())),
    }
}

/// A failure with its reasons, shortened for a report.
fn failed(mut reasons: Vec<String>) -> Verdict {
    let left_out = reasons.len().saturating_sub(MOST_REASONS);
    reasons.truncate(MOST_REASONS);
    for reason in &mut reasons {
        if let Some((end, _)) = reason.char_indices().nth(MOST_CHARACTERS) {
            reason.truncate(end);
            reason.push_str(" ...");
        }
    }
    if left_out > 0 {
        reasons.push(format!("... and {left_out} more"));
    }
    Verdict::Failed(reasons)
}

/// The expectations that are written into a file.
#[derive(Clone, Copy)]
enum NewExpectations {
    /// The expected output of a case.
    Output,
    /// The expected output and errors of a program without expectations.
    All,
}

/// Rewrites the expected output of a case to the observed one, or writes all expectations of a program. Returns the
/// case as it is then; none if it stays the same.
fn rewrite(job: &Job<'_>, seen: &Observation, written: NewExpectations) -> Result<Option<Case>, String> {
    let errors = match written {
        NewExpectations::Output => Vec::new(),
        NewExpectations::All => check::error_lines(&seen.diagnostics, &seen.sources, &job.name(), job.case.comment)?,
    };
    if check::output_differences(&job.case.output, &seen.output).is_empty() && errors.is_empty() {
        return Ok(None);
    }
    let blessed = bless::blessed(job.text, job.case, &seen.output) + &errors.concat();
    // The text of a file that is not UTF-8 lacks some of its bytes, so it cannot be written back.
    let unchanged = fs::read(job.path).is_ok_and(|bytes| bytes == job.text.as_bytes());
    if !unchanged {
        return Err("the file is not UTF-8, so that it cannot be rewritten".to_owned());
    }
    output::write(job.path, blessed.as_bytes()).map_err(|error| format!("the file cannot be rewritten: {error}"))?;
    case::parse_any(&blessed, job.case.comment).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_everything_once() {
        for (items, threads, most) in [(0, 2, 0), (1, 2, 1), (5, 2, 3), (100, 2, 48), (100, 64, 2)] {
            let batches = batches((0..items).collect(), threads);
            assert!(batches.iter().all(|batch| !batch.is_empty() && batch.len() <= most), "{batches:?}");
            let mut all: Vec<i32> = batches.concat();
            all.sort();
            assert_eq!(all, (0..items).collect::<Vec<i32>>());
        }
    }

    #[test]
    fn reasons_are_bounded() {
        let Verdict::Failed(reasons) = failed(vec!["é".repeat(1000); 1000]) else { panic!("it failed") };
        assert_eq!(reasons.len(), MOST_REASONS + 1);
        assert!(reasons.iter().all(|reason| reason.chars().count() <= MOST_CHARACTERS + 4));
    }

    #[test]
    fn an_engine_that_breaks_down_is_told() {
        assert_eq!(caught(|| panic!("bad {}", 1)), Err::<(), String>("the engine broke down: bad 1".to_owned()));
        assert_eq!(caught(|| 7), Ok(7));
    }
}
