//! Comparison of cases on engines in everything observable: output to the last bit, errors in every part, steps.
//!
//! Cases come in batches, so that an engine that compiles can compile many programs at once. All engines are compared
//! with the first one given. Panics of engines are observed like other behaviour.

use crate::random::case::{Case, Limit, MOST_STEPS};
use crate::random::suspension::{Parts, Route, run_in_parts};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use vlad_engines::{Engine, Ready, Settings, Task};
use vlad_shared::ad::traps::Traps;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::render::{self, Style};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::runtime::suspended::Scope;
use vlad_shared::table::internal_bug;
use vlad_shared::table::number::Notation;

/// A time limit for each run, because traversals of data with many shared parts take no steps. If an engine reaches it
/// nothing is compared, unless another engine is fast ([`QUICK`]).
const MOST_TIME: Duration = Duration::from_secs(20);

/// The time below which a run is fast: if another engine then does not end in [`MOST_TIME`], it hangs.
const QUICK: Duration = Duration::from_millis(200);

/// A memory limit, because the memory of such traversals is not bounded by steps either, and the process runs several
/// cases. If an engine reaches it nothing is compared.
const MOST_MEMORY: u64 = 3 << 30;

/// The most bytes of output: a program that doubles a pair with each step could print forever. The output is then
/// closed, which is no error, and every engine has to stop at the same line.
const MOST_OUTPUT: usize = 4 << 20;

/// The observed behaviour of an engine on a case.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedBehaviour {
    /// Standard output, each real with its bits.
    pub output: String,
    /// The errors.
    pub errors: Vec<Diagnostic>,
    /// Their places in the notation of the corpus.
    pub places: Vec<String>,
    /// The errors as a user sees them.
    pub rendered: String,
    /// The steps taken; none if the program was not run.
    pub steps: Option<u64>,
    /// The time that the run took.
    pub time: Duration,
    /// The number of times that the run was suspended and resumed.
    pub suspensions: u64,
    /// The message of the engine's panic, if there was one.
    pub crash: Option<String>,
}

/// A case on all engines.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The number of expression nodes of the program, without those of the library code; 0 if the text is no program.
    pub nodes: usize,
    /// The behaviour of the first engine.
    pub first: ObservedBehaviour,
    /// True if it ran under a step limit of its own.
    pub is_limited: bool,
    /// True if a run of it was suspended.
    pub is_suspended: bool,
    /// The first engine that behaves differently.
    pub disagreement: Option<Disagreement>,
}

/// An engine whose behaviour differs from that of the first.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The engine.
    pub engine: Engine,
    /// Its behaviour.
    pub observed: ObservedBehaviour,
    /// The aspect in which it differs.
    pub aspect: Aspect,
    /// The step limit of its run; none if there was none.
    pub steps: Option<u64>,
    /// The parts of its run, alternating with the first engine; empty for a run as a whole.
    pub route: Route,
}

impl ObservedBehaviour {
    fn failed_with(&self, kind: Kind) -> bool {
        self.errors.iter().any(|error| error.kind == kind)
    }

    /// Returns true if the run ended by a limit on which engines need not agree.
    pub fn met_a_bound(&self) -> bool {
        self.failed_with(Kind::Time) || self.failed_with(Kind::Memory)
    }

    /// Returns true if the run ended by any limit.
    fn met_a_limit(&self) -> bool {
        self.met_a_bound() || self.failed_with(Kind::Steps)
    }
}

/// The first aspect in which two observations differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// One engine panicked.
    Crash,
    /// One engine did not end, and the other was fast.
    Hang,
    /// The output.
    Output,
    /// The errors.
    Errors,
    /// The steps.
    Steps,
}

/// The result of loading a text.
enum Load {
    /// A program.
    Program(Box<Program>),
    /// Errors of the front end, the same for all engines.
    Refused(ObservedBehaviour),
}

/// A program ready to run.
struct Job<'case> {
    program: &'case Program,
    input: &'case str,
    limits: Limits,
    /// The parts of the run; empty for a run as a whole.
    route: Route,
}

impl Job<'_> {
    fn task(&self) -> Task<'_> {
        Task { program: self.program, limits: &self.limits }
    }
}

/// Runs a batch of cases on engines and compares each with the behaviour of the first engine. The results are in the
/// order of the cases; there are none without engines. `settings` are those of compilation.
pub fn compare(engines: &[Engine], settings: &Settings, batch: &[Case]) -> Vec<Compared> {
    compare_with(engines, settings, Traps::Off, batch)
}

/// Does the same with a reaction to operations that make a NaN or an infinity.
pub fn compare_with(engines: &[Engine], settings: &Settings, traps: Traps, batch: &[Case]) -> Vec<Compared> {
    let Some((first, others)) = engines.split_first() else { return Vec::new() };
    let loaded: Vec<Load> = batch.iter().map(load_case).collect();
    let inputs: Vec<String> = batch.iter().map(Case::input_text).collect();
    let job = |number: usize, bound: Option<StepLimit>, route: Route| {
        let Load::Program(program) = loaded.get(number)? else { return None };
        let bounds = Limits { time: Some(MOST_TIME), memory: Some(MOST_MEMORY), traps, ..Limits::default() };
        let limits = match bound? {
            StepLimit::Steps(steps) => Limits { steps: Some(steps), ..bounds },
            StepLimit::None => bounds,
        };
        Some(Job { program, input: inputs.get(number)?, limits, route })
    };
    let run_first = |limits: &[Option<StepLimit>]| {
        let jobs: Vec<_> = limits.iter().enumerate().map(|(number, bound)| job(number, *bound, Route::new())).collect();
        run_batch(&[*first], settings, &jobs)
    };
    let mut limits = vec![Some(StepLimit::Steps(MOST_STEPS)); batch.len()];
    let mut expected = run_first(&limits);
    // The cases with a limit of their own, which is a part of the steps just counted.
    let own_limit = |(case, observed): (&Case, &Option<ObservedBehaviour>)| match case.limit {
        Limit::Open | Limit::Whole => None,
        Limit::Within(_) => observed.as_ref()?.steps.map(|needed| StepLimit::Steps(case.limit.steps(needed))),
    };
    let own_limits: Vec<Option<StepLimit>> = batch.iter().zip(&expected).map(own_limit).collect();
    for (number, observed) in run_first(&own_limits).into_iter().enumerate() {
        if let (Some(_), Some(expected), Some(limit)) = (&observed, expected.get_mut(number), limits.get_mut(number)) {
            *expected = observed;
            *limit = own_limits.get(number).copied().flatten();
        }
    }
    for ((case, observed), limit) in batch.iter().zip(&expected).zip(&mut limits) {
        let ends = observed.as_ref().is_some_and(|observed| observed.crash.is_none() && !observed.met_a_limit());
        if case.limit == Limit::Open && ends {
            *limit = Some(StepLimit::None);
        }
    }
    let route_to = |engine: Engine, number: usize| {
        let expected = expected.get(number).and_then(Option::as_ref).filter(|expected| !expected.met_a_bound());
        let suspension = batch.get(number).and_then(|case| case.suspension);
        let steps = expected.filter(|expected| expected.crash.is_none()).and_then(|expected| expected.steps);
        suspension.zip(steps).map_or_else(Route::new, |(suspension, steps)| suspension.route(steps, *first, engine))
    };
    // A suspended run is compared with an uninterrupted one even on one engine.
    let alone = [*first];
    let others = if others.is_empty() { &alone } else { others };
    let rest: Vec<(Engine, Vec<Route>, Vec<Option<ObservedBehaviour>>)> = others
        .iter()
        .map(|engine| {
            let routes: Vec<Route> = (0..batch.len()).map(|number| route_to(*engine, number)).collect();
            let chosen = |in_parts: bool| -> Vec<Option<Job<'_>>> {
                let is_chosen = |route: &&Route| route.is_empty() != in_parts && (in_parts || engine != first);
                let jobs = routes.iter().zip(&limits).enumerate();
                jobs.map(|(number, (route, bound))| job(number, *bound, Some(route).filter(is_chosen)?.clone()))
                    .collect()
            };
            let whole = run_batch(&[*engine], settings, &chosen(false));
            let in_parts = run_batch(&[*first, *engine], settings, &chosen(true));
            let observed = whole.into_iter().zip(in_parts).map(|(whole, in_parts)| whole.or(in_parts)).collect();
            (*engine, routes, observed)
        })
        .collect();
    let answer = |(number, expected): (usize, Option<ObservedBehaviour>)| {
        let observations = || rest.iter().filter_map(|(.., observed)| observed.get(number)?.as_ref());
        let is_suspended = observations().any(|observed| observed.suspensions > 0);
        let is_limited = own_limits.get(number).is_some_and(Option::is_some);
        let disagreement = expected.as_ref().and_then(|expected| {
            rest.iter().find_map(|(engine, routes, observed)| {
                let observed = observed.get(number)?.as_ref()?;
                let aspect = difference(expected, observed)?;
                let steps = match limits.get(number).copied().flatten() {
                    Some(StepLimit::Steps(steps)) => Some(steps),
                    Some(StepLimit::None) | None => None,
                };
                let route = routes.get(number).cloned().unwrap_or_default();
                Some(Disagreement { engine: *engine, observed: observed.clone(), aspect, steps, route })
            })
        });
        match (loaded.get(number), expected) {
            (Some(Load::Refused(refused)), _) => {
                // A panic or a hang of the front end counts for every engine.
                let aspect = match &refused.crash {
                    Some(_) => Some(Aspect::Crash),
                    None => (refused.time >= MOST_TIME).then_some(Aspect::Hang),
                };
                let disagreement = aspect.map(|aspect| Disagreement {
                    engine: *first,
                    observed: refused.clone(),
                    aspect,
                    steps: None,
                    route: Route::new(),
                });
                Compared { nodes: 0, first: refused.clone(), is_limited, is_suspended, disagreement }
            }
            (Some(Load::Program(program)), Some(first)) => {
                Compared { nodes: own_nodes(program), first, is_limited, is_suspended, disagreement }
            }
            (Some(Load::Program(_)) | None, _) => internal_bug!("every program is run by the first engine"),
        }
    };
    expected.into_iter().enumerate().map(answer).collect()
}

fn own_nodes(program: &Program) -> usize {
    program.expressions.len().saturating_sub(program.shipped_nodes as usize)
}

/// The step limit of a run.
#[derive(Clone, Copy)]
enum StepLimit {
    Steps(u64),
    None,
}

fn load_case(case: &Case) -> Load {
    let input = Input::Text { name: "program".to_owned(), bytes: case.bytes(), folder: None };
    let begun = Instant::now();
    let loaded = caught(|| match load::load(input, &Options::default()) {
        Ok(program) => Load::Program(Box::new(program)),
        Err(Failure { diagnostics, sources }) => Load::Refused(seen(&[], diagnostics, &sources, None)),
    });
    match loaded {
        Ok(Load::Refused(observed)) => Load::Refused(ObservedBehaviour { time: begun.elapsed(), ..observed }),
        Ok(program) => program,
        Err(message) => Load::Refused(ObservedBehaviour {
            crash: Some(message),
            ..seen(&[], Vec::new(), &SourceMap::default(), None)
        }),
    }
}

/// Makes programs ready on some engines, all at once, and runs them. The result is none for each missing program.
fn run_batch(engines: &[Engine], settings: &Settings, jobs: &[Option<Job<'_>>]) -> Vec<Option<ObservedBehaviour>> {
    let tasks: Vec<Task<'_>> = jobs.iter().flatten().map(Job::task).collect();
    let scope = if jobs.iter().flatten().any(|job| !job.route.is_empty()) { Scope::Part } else { Scope::Whole };
    let make = |engine: &Engine| {
        let made = caught(|| engine.make_ready_for(scope, &tasks, settings).map_err(|error| error.to_string()));
        Ok((*engine, made.and_then(|made| made)?))
    };
    match engines.iter().map(make).collect::<Result<Vec<_>, String>>() {
        Ok(ready) => {
            let mut place = 0..;
            let mut run = |job: &Job<'_>| {
                let place = place.next()?;
                let ready: Vec<(Engine, &Ready)> =
                    ready.iter().filter_map(|(engine, ready)| Some((*engine, ready.get(place)?))).collect();
                Some(run_one(&ready, job))
            };
            jobs.iter().map(|job| job.as_ref().and_then(&mut run)).collect()
        }
        // One program may cause the failure of the whole batch: each is then tried alone.
        Err(_) if tasks.len() > 1 => {
            jobs.iter().flat_map(|job| run_batch(engines, settings, std::slice::from_ref(job))).collect()
        }
        Err(message) => {
            jobs.iter().map(|job| job.as_ref().map(|job| crashed(message.clone(), Vec::new(), job))).collect()
        }
    }
}

/// An output that is closed at its size limit.
struct LimitedOutput {
    bytes: Vec<u8>,
}

impl Write for LimitedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MOST_OUTPUT {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a program on the engine that it was made ready for, or in parts on several.
fn run_one(ready: &[(Engine, &Ready)], job: &Job<'_>) -> ObservedBehaviour {
    let mut host = StreamHost::new(job.input.as_bytes(), LimitedOutput { bytes: Vec::new() }, Notation::WithBits);
    let on = |wanted: Engine| ready.iter().find(|(engine, _)| *engine == wanted).map(|(_, ready)| *ready);
    let begun = Instant::now();
    let ran = caught(|| match (ready, job.route.is_empty()) {
        ([(_, ready), ..], true) => Ok(Parts { report: ready.run(job.task(), &mut host), suspensions: 0 }),
        _ => {
            let parts: Vec<(&Ready, Option<u64>)> =
                job.route.iter().filter_map(|(engine, until)| Some((on(*engine)?, *until))).collect();
            run_in_parts(job.task(), &mut host, &parts)
        }
    });
    let time = begun.elapsed();
    let output = host.into_output().bytes;
    match ran.and_then(|ran| ran) {
        Ok(Parts { report, suspensions }) => {
            let errors = match report.outcome {
                Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => Vec::new(),
                Outcome::Failed(diagnostic) => vec![*diagnostic],
            };
            ObservedBehaviour { time, suspensions, ..seen(&output, errors, &job.program.sources, Some(report.steps)) }
        }
        Err(message) => crashed(message, output, job),
    }
}

/// Returns the result of a closure, or the message of its panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let texts = (payload.downcast_ref::<String>(), payload.downcast_ref::<&str>());
        match texts {
            (Some(text), _) => text.clone(),
            (None, Some(text)) => (*text).to_owned(),
            (None, None) => "it panicked".to_owned(),
        }
    })
}

fn crashed(message: String, output: Vec<u8>, job: &Job<'_>) -> ObservedBehaviour {
    ObservedBehaviour { crash: Some(message), ..seen(&output, Vec::new(), &job.program.sources, None) }
}

fn seen(output: &[u8], errors: Vec<Diagnostic>, sources: &SourceMap, steps: Option<u64>) -> ObservedBehaviour {
    let rendered = render::render(&errors, sources, Style::Plain);
    let output = String::from_utf8_lossy(output).into_owned();
    let places = errors.iter().map(|error| place(error, sources)).collect();
    ObservedBehaviour { output, errors, places, rendered, steps, time: Duration::ZERO, suspensions: 0, crash: None }
}

/// The place of an error: lines and columns, `-` if it has none.
fn place(error: &Diagnostic, sources: &SourceMap) -> String {
    let found = error.span.and_then(|span| Some((span, sources.get(span.file)?)));
    found.map_or("-".to_owned(), |(span, file)| {
        let (start, end) = (file.position(span.start), file.position(span.end));
        format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column)
    })
}

/// The aspect in which two observations differ, if they do.
fn difference(expected: &ObservedBehaviour, observed: &ObservedBehaviour) -> Option<Aspect> {
    let hangs = |one: &ObservedBehaviour, other: &ObservedBehaviour| one.failed_with(Kind::Time) && other.time < QUICK;
    if hangs(expected, observed) || hangs(observed, expected) {
        return Some(Aspect::Hang);
    }
    if expected.met_a_bound() || observed.met_a_bound() {
        return None;
    }
    if expected.crash != observed.crash {
        return Some(Aspect::Crash);
    }
    if expected.output != observed.output {
        return Some(Aspect::Output);
    }
    if expected.errors != observed.errors {
        return Some(Aspect::Errors);
    }
    (expected.steps != observed.steps).then_some(Aspect::Steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Source;
    use crate::random::trees::tree::{Item, Node, Tree};
    use crate::random::trees::types::Type;

    fn case(node: Node, limit: Limit) -> Case {
        Case {
            seed: 0,
            source: Source::Tree(Tree::of(vec![Item::Expression(node)])),
            input: vec![0.5],
            limit,
            suspension: None,
        }
    }

    #[test]
    fn all_that_is_seen_is_compared() {
        let sum = Node::call("+", Type::Real, [Node::real(1.0), Node::call("read-real", Type::Real, [])]);
        let batch = [
            case(sum.clone(), Limit::Whole),
            case(sum, Limit::Within(1 << 31)),
            case(Node::name("y", Type::Real), Limit::Whole),
        ];
        let compared = compare(&[Engine::Interp, Engine::Interp], &Settings::default(), &batch);
        let [whole, limited, unbound] = compared.as_slice() else { panic!("an answer a case") };
        assert_eq!(whole.first.output, "1.5[3ff8000000000000]\n");
        assert_eq!((whole.nodes, whole.first.steps), (7, Some(7)));
        assert_eq!(limited.first.errors[0].kind, Kind::Steps);
        assert_eq!(limited.first.steps, Some(3));
        assert_eq!(unbound.first.errors[0].kind, Kind::Unbound);
        assert!(compared.iter().all(|compared| compared.disagreement.is_none()));
        let other = ObservedBehaviour { steps: Some(8), ..whole.first.clone() };
        assert_eq!(difference(&whole.first, &other), Some(Aspect::Steps));
    }
}
