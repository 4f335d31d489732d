//! From a plan to the results: reads the files, distributes them over threads, and runs each on every column.
//!
//! A row is one of the [`Findings`] as soon as its file is finished, so that a run that is cut off has a report.
//!
//! Invariant: a program stays on the thread that loaded it, since values cannot be shared between threads. Files with a
//! memory limit run before all others and one at a time, because the limit is on the whole process.

use super::cell::{Cell, Verdict, Words};
use super::external::{CommandExpectations, External};
use super::findings::{Findings, Progress};
use super::plan::{Expectations, Plan, Programs};
use super::recorder::{MOST_RECORDED, Recorder};
use super::table::{Column, ExpectationKind, FileResults};
use crate::corpus::case::{self, Case};
use crate::corpus::parts::{self, Parts};
use crate::corpus::{bless, check, errors};
use crate::observe::Observation;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};
use vlad_engines::agreement::{Behaviour, disagreements};
use vlad_engines::{Engine, Ready, Settings, Task};
use vlad_files::output;
use vlad_portable::digest::{self, ProgramDigest, Results};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::Failure;
use vlad_shared::core::source::MOST_BYTES;
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::language::Rewriting;
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The number of programs that are made ready at once: enough to share the cost of a run of the C compiler, few enough
/// that the threads finish at about the same time.
const BATCH: usize = 48;

/// The host stack of a thread that runs engines, in bytes.
const STACK: usize = 16 << 20;

/// A file that was read.
struct Entry {
    path: PathBuf,
    /// The text and its expectations, or the reason why they cannot be read.
    read: Result<(String, Case), String>,
}

/// A file and the number of its row.
type Numbered<'entry> = (usize, &'entry Entry);

/// Runs the matrix of a plan. The findings get the rows.
pub fn run(plan: &Plan, findings: &Findings, progress: Progress<'_>) {
    let entries: Vec<Entry> = plan.files.iter().map(|path| read(plan, path)).collect();
    let limits_memory = |entry: &Entry| entry.read.as_ref().is_ok_and(|(_, case)| case.limits.memory.is_some());
    let (alone, together): (Vec<Numbered<'_>>, Vec<Numbered<'_>>) =
        entries.iter().enumerate().partition(|(_, entry)| limits_memory(entry));
    let alone: Vec<Vec<Numbered<'_>>> = alone.into_iter().map(|entry| vec![entry]).collect();
    let finish = |number: usize, row: FileResults| findings.add(number, row, progress);
    let work = |batch: &Vec<Numbered<'_>>| run_batch(plan, batch, &finish);
    on_threads(1, &alone, &work);
    on_threads(plan.jobs.get(), &batches(together, plan.jobs.get()), &work);
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
    parts: Parts,
}

/// The observed behaviour of an engine on a job.
struct ObservedBehaviour {
    observation: Observation,
    conduct: Option<Behaviour>,
    time: Duration,
}

fn run_batch(plan: &Plan, batch: &[Numbered<'_>], finish: &dyn Fn(usize, FileResults)) {
    let jobs: Vec<Result<Job<'_>, String>> = batch.iter().map(|(_, entry)| job(plan, entry)).collect();
    let ready: Vec<&Job<'_>> = jobs.iter().flatten().collect();
    // The observations by engine, in the order of the ready jobs.
    let mut seen: Vec<(usize, Vec<Result<ObservedBehaviour, String>>)> = Vec::new();
    for (number, column) in plan.columns.iter().enumerate() {
        if let Column::Engine(engine) = column {
            seen.push((number, on_engine(*engine, &ready, &plan.settings)));
        }
    }
    let mut at = 0;
    for ((number, entry), job) in batch.iter().zip(&jobs) {
        let row = match job {
            Err(reason) => broken(plan, &entry.path, reason),
            Ok(job) => {
                let own = seen.iter_mut().map(|(column, seen)| (*column, take(seen, at))).collect();
                at += 1;
                row(plan, job, own)
            }
        };
        finish(*number, row);
    }
}

/// Takes an observation out of its place.
fn take(seen: &mut [Result<ObservedBehaviour, String>], at: usize) -> Result<ObservedBehaviour, String> {
    let nothing = || Err("there is no answer".to_owned());
    seen.get_mut(at).map_or_else(nothing, |place| std::mem::replace(place, nothing()))
}

fn job<'entry>(plan: &Plan, entry: &'entry Entry) -> Result<Job<'entry>, String> {
    let (text, case) = entry.read.as_ref().map_err(Clone::clone)?;
    let folder = entry.path.parent().unwrap_or(Path::new("."));
    let setting = check::setting(case, folder);
    let memory = setting.limits.memory.into_iter().chain(plan.memory).min();
    let limits = Limits { time: Some(case.limits.time.unwrap_or(plan.time)), memory, ..setting.limits };
    let Plan { languages, language, rewriting, reverse, .. } = *plan;
    // A file that is not run is not rewritten either.
    let is_run = plan.columns.iter().any(|column| matches!(column, Column::Engine(_)));
    let rewriting = if is_run { rewriting } else { rewriting.or(Some(Rewriting::Off)) };
    let include_folders = setting.include_folders;
    let options = Options { include_folders, languages, language, rewriting, reverse, ..Options::default() };
    let loaded = caught(|| load::load(Input::Path(entry.path.clone()), &options))?;
    let parts = parts::needed(case, &loaded);
    Ok(Job { path: &entry.path, text, case, limits, loaded, parts })
}

/// Returns for each file of a plan the parts of the report that its program needs, and the length of its text; nothing and 0 for
/// one that is no program.
pub fn needs(plan: &Plan) -> Vec<(Parts, usize)> {
    let needs = Mutex::new(vec![(Parts::default(), 0); plan.files.len()]);
    let plan = &Plan { columns: Vec::new(), ..plan.clone() };
    let files: Vec<(usize, &PathBuf)> = plan.files.iter().enumerate().collect();
    on_threads(plan.jobs.get(), &files, &|(number, path)| {
        let entry = read(plan, path);
        let Ok(job) = job(plan, &entry) else { return };
        if let Some(place) = needs.lock().unwrap_or_else(PoisonError::into_inner).get_mut(*number) {
            *place = (job.parts, job.text.len());
        }
    });
    needs.into_inner().unwrap_or_else(PoisonError::into_inner)
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
    FileResults::unfinished(path, &plan.columns, Verdict::failed_because(reason))
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
            (Column::Engine(_), Some(Err(reason))) => Cell::without_run(Verdict::failed_because(reason)),
            (Column::Engine(_), None) => Cell::without_run(Verdict::Skipped("it was not run".to_owned())),
        };
        if let Some(reason) = trouble.take() {
            cell.verdict = Verdict::failed_because(&reason);
        }
        cells.push(cell);
    }
    FileResults { path: job.path.to_path_buf(), sort, parts: job.parts, cells, disagreements, digest }
}

/// The digest of a program with the results of an engine.
fn digest(job: &Job<'_>, seen: &ObservedBehaviour) -> Option<ProgramDigest> {
    let Observation { diagnostics, sources, steps, .. } = &seen.observation;
    let output = seen.conduct.as_ref().map_or(&[][..], |conduct| &conduct.output);
    digest::of_program(&Results { text: job.text, output, errors: diagnostics, sources, steps: *steps })
}

fn judged(seen: &ObservedBehaviour, case: &Case, sort: ExpectationKind, name: &str) -> Cell {
    let mut differences = match sort {
        ExpectationKind::Case | ExpectationKind::Rewritten => {
            Some(check::differences(case, &seen.observation, name).peekable())
        }
        ExpectationKind::Program | ExpectationKind::Broken => None,
    };
    let (steps, time) = (seen.observation.steps, seen.time);
    if differences.as_mut().is_none_or(|differences| differences.peek().is_none()) {
        return Cell { verdict: Verdict::Passed, steps, time, line: None };
    }
    let errors = seen.observation.rendered();
    let verdict = Verdict::failed(differences.into_iter().flatten(), Words { before: "  ", text: &errors });
    Cell { verdict, steps, time, line: check::line_of_difference(case, &seen.observation, name) }
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
        Some(wanted) => external.judge(job.path, case, wanted, engine, limit),
        None => Cell::without_run(Verdict::Skipped("nothing is known of what the program does".to_owned())),
    }
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
        NewExpectations::All => errors::error_lines(&seen.diagnostics, &seen.sources, &job.name(), job.case.comment)?,
    };
    let lines = seen.output.iter().map(String::as_str);
    let name = job.name();
    let reworded = errors::reworded(job.case, seen, &name);
    let is_same = check::output_differences(&job.case.output, lines).next().is_none() && reworded.is_empty();
    if is_same && errors.is_empty() {
        return Ok(None);
    }
    let blessed = bless::blessed(job.text, job.case, &seen.output, &reworded) + &errors.concat();
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
    fn an_engine_that_breaks_down_is_told() {
        assert_eq!(caught(|| panic!("bad {}", 1)), Err::<(), String>("the engine broke down: bad 1".to_owned()));
        assert_eq!(caught(|| 7), Ok(7));
    }
}
