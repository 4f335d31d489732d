//! `vlad run`: loads a program, runs it, and reports the result; also the run with a profile of `vlad profile`, and the
//! partial runs of `vlad suspend` and `vlad resume`.

use super::automatic::{self, AutomaticRun, EngineHistory};
use super::built_code::BuiltCode;
use super::engines::{AutoRequirement, CompilationLimits, Runner, ended_by_deadline, make_ready};
use super::host::{CommandHost, Listeners};
use super::profile::ProfileRequest;
use super::refusals::refusals;
use super::suspension::Suspension;
use super::watchdog::{Watchdog, time_limit_reached};
use crate::options::engine::{CompilerArguments, EngineArguments};
use crate::options::limits::{Bounds, DepthArgument, LimitArguments, Trust};
use crate::options::program::{NumberSource, ReadingArguments};
use crate::options::run::{ReportOptions, RunArguments, RunOptions};
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::output::progress::{Activity, Progress};
use crate::process::exit::Exit;
use crate::process::memory;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_compiler::foreign::UNEXPECTED;
use vlad_engines::agreement::{self, Disagreement};
use vlad_engines::several_engines::run_on_engines;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::ad::checkpointing::Strategy;
use vlad_shared::ad::traps::Traps;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Failure};
use vlad_shared::core::render::{Style, place};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::load;
use vlad_shared::runtime::run::{Host, Limits, Outcome, Report};
use vlad_shared::runtime::suspended::{PartEnd, PartRequest, Suspended};
use vlad_shared::table::internal_bug;
use vlad_shared::table::number::Notation;

/// Runs a program.
pub fn run(arguments: &RunArguments, languages: Languages) -> Exit {
    run_with(arguments, languages, None, None)
}

/// Runs a program, with a profile if `profiled` requests one, up to the point of `suspension` if there is one.
pub fn run_with(
    arguments: &RunArguments,
    languages: Languages,
    profiled: Option<&ProfileRequest>,
    suspension: Option<&Suspension>,
) -> Exit {
    let program = &arguments.program;
    let load = || {
        let program = load(program.input()?, &program.options(languages))?;
        Ok(Loaded { program, from: None })
    };
    let request = RunRequest::new(&arguments.options, &program.reading, &load);
    carry_out(&RunRequest { numbers: program.number_source(), profiled, suspension, ..request })
}

/// A program to be loaded and run, with the options of the run.
pub struct RunRequest<'run> {
    /// The source of the engines.
    pub engines: EngineSource<'run>,
    /// The form of the output.
    pub report: &'run ReportOptions,
    /// The limits on memory, time and output.
    pub limits: &'run LimitArguments,
    /// The limit on steps.
    pub max_steps: Option<u64>,
    /// The limit on nested calls.
    pub depth: DepthArgument,
    /// The division of the executions of `checkpoint-*j`.
    pub strategy: Strategy,
    /// The reaction to operations that make a NaN or an infinity.
    pub traps: Traps,
    /// The style of errors.
    pub style: Style,
    /// The trust in the program.
    pub trust: Trust,
    /// The source of the numbers that the program reads.
    pub numbers: NumberSource,
    /// Loads the program.
    pub load: &'run dyn Fn() -> Result<Loaded, Failure>,
    /// The parts of the profile, if one is wanted.
    pub profiled: Option<&'run ProfileRequest>,
    /// The step at which the run is to be suspended, and the file that it is written to.
    pub suspension: Option<&'run Suspension>,
}

/// The source of the engines of a run.
#[derive(Clone, Copy)]
pub enum EngineSource<'run> {
    /// The options of the command line.
    Chosen(&'run EngineArguments),
    /// The code that was built into the executable.
    BuiltIn(&'run BuiltCode),
}

impl<'run> RunRequest<'run> {
    /// The run of a program that reads numbers from the standard input.
    pub fn new(
        options: &'run RunOptions,
        reading: &ReadingArguments,
        load: &'run dyn Fn() -> Result<Loaded, Failure>,
    ) -> RunRequest<'run> {
        let RunOptions { engine, report, max_steps, depth, limits, checkpoint, .. } = options;
        RunRequest {
            engines: EngineSource::Chosen(engine),
            report,
            limits,
            max_steps: *max_steps,
            depth: *depth,
            strategy: checkpoint.0,
            traps: options.traps(),
            style: reading.style(),
            trust: reading.trust(),
            numbers: NumberSource::StandardInput,
            load,
            profiled: None,
            suspension: None,
        }
    }
}

/// A program, and the suspended run to continue, if there is one; else the run starts at the beginning.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The state at which the run continues.
    pub from: Option<Suspended>,
}

/// Loads and runs the program of a request, and reports the end.
pub fn carry_out(request: &RunRequest<'_>) -> Exit {
    let begun = Instant::now();
    let RunRequest { engines, report, max_steps, trust, profiled, suspension, .. } = *request;
    let compiler = match engines {
        EngineSource::Chosen(chosen) => Some(&chosen.compiler),
        EngineSource::BuiltIn(_) => None,
    };
    let limited = compiler.filter(|_| max_steps.is_some());
    if let Some(refusal) = limited.and_then(|compiler| compiler.not_always("a run with --max-steps")) {
        return Exit::of_usage(&refusal);
    }
    let form = if report.json { Form::Json } else { Form::Text };
    let notation = if report.bits { Notation::WithBits } else { Notation::Shortest };
    // The default limits depend on the memory that is available, so they are computed before the program uses any.
    let Bounds { memory, time, output } = request.limits.bounds(trust);
    let console = Arc::new(Console::new(form, notation, request.style, output).with_data(report.notation));
    let limits = Limits {
        steps: max_steps,
        depth: request.depth.max_depth,
        memory,
        time,
        strategy: request.strategy,
        traps: request.traps,
        ..Limits::default()
    };
    let watchdog = Watchdog::start(&limits, &console);

    let loaded = suspension.map_or(Ok(()), Suspension::prepare).and_then(|()| (request.load)());
    let not_run = |conclusion: Conclusion<'_>| {
        let statistics = Statistics {
            steps: 0,
            loading: begun.elapsed(),
            running: Duration::ZERO,
            history: None,
            given_up: Vec::new(),
        };
        finish(report, console.conclude(conclusion), &statistics)
    };
    let Loaded { program, from } = match loaded {
        Ok(loaded) => loaded,
        Err(failure) => return not_run(Conclusion::new(&failure.diagnostics, &failure.sources, Some(0))),
    };
    let undivided = compiler.filter(|_| !vlad_compiler::can_be_specialised(&program, &limits));
    if let Some(refusal) = undivided.and_then(|compiler| compiler.not_always("a run with checkpoint options")) {
        return Exit::of_usage(&refusal);
    }
    let always = compiler.and_then(CompilerArguments::always);
    let refusals = always.map_or_else(Vec::new, |passes| refusals(&program, passes));
    if !refusals.is_empty() {
        return not_run(Conclusion::new(&refusals, &program.sources, Some(0)));
    }
    let task = Task { program: &program, limits: &limits };
    let deadline = time.and_then(|time| begun.checked_add(time));
    let allowance = CompilationLimits { deadline, memory: request.limits.of_compilers(trust), trust };
    let part = PartRequest { from, until: suspension.map(|suspension| suspension.after), ..PartRequest::default() };
    let wanted = if profiled.is_some() { AutoRequirement::OneEngine } else { AutoRequirement::AnAnswer };
    let activity = Arc::new(Activity::new("compiling"));
    let progress = Progress::show(&console, &activity);
    let ready = match engines {
        EngineSource::Chosen(chosen) => make_ready(chosen, task, part.scope(&program), wanted, &console, &allowance),
        EngineSource::BuiltIn(code) => Ok(code.make_ready(task, &console)),
    };
    let runner = match ready {
        Ok(runner) => runner,
        Err(error) if ended_by_deadline(&error, deadline) => {
            let diagnostics: Vec<Diagnostic> = time.map(time_limit_reached).into_iter().collect();
            return not_run(Conclusion::new(&diagnostics, &program.sources, Some(0)));
        }
        Err(error) => {
            let conclusion = Conclusion::new(&[], &program.sources, Some(0));
            return not_run(Conclusion { compiler: Some(&error), ..conclusion });
        }
    };

    let loading = begun.elapsed();
    let begun = Instant::now();
    activity.set("running");
    let first = match &runner {
        Runner::Engines(engines) => engines.first().map(|(engine, _)| *engine),
        Runner::Automatic(_) => Some(Engine::WITHOUT_COMPILER),
    };
    let recorder = profiled.zip(first).map(|(profiled, engine)| profiled.recorder(engine));
    let listeners = Listeners { recorder, progress };
    let mut host = CommandHost::new(&console, request.numbers, program.input, listeners);
    let suspension = suspension.map(|suspension| (suspension, output));
    watchdog.restart();
    let result = match runner {
        Runner::Engines(engines) => run_engines(&engines, task, part, suspension, &mut host, &watchdog),
        Runner::Automatic(compilation) => {
            let AutomaticRun { report, history, given_up } =
                automatic::run(compilation, trust, task, &mut host, &activity);
            console.set_engines(history.engines());
            RunResult { given_up, ..RunResult::of(&PartEnd::Ended(report), history) }
        }
    };
    let running = begun.elapsed();
    let reported =
        profiled.zip(host.into_listeners().recorder).map(|(profiled, recorder)| profiled.report(recorder, &program));
    let RunResult { mut diagnostics, steps, disagreements, history, mut given_up } = result;
    // An item is given up at an error, too, which is reported anyway.
    given_up.retain(|item| diagnostics.is_empty() || item.message != UNEXPECTED);
    diagnostics.extend(reported.iter().filter_map(|reported| reported.error.clone()));
    let conclusion = Conclusion::new(&diagnostics, &program.sources, Some(steps));
    let profile = reported.as_ref().map(|reported| &reported.object);
    let ending =
        console.conclude(Conclusion { disagreements: &disagreements, profile, given_up: &given_up, ..conclusion });
    if let Some(reported) = reported {
        let table = if form == Form::Text { reported.table } else { String::new() };
        // A failed write is ignored, as that of the statistics is.
        let _ = io::stderr().lock().write_all((table + &reported.note.unwrap_or_default()).as_bytes());
    }
    let given_up = given_up.iter().map(|item| at_place(item, &program.sources)).collect();
    finish(request.report, ending, &Statistics { steps, loading, running, history: Some(history), given_up })
}

/// The result of running a program on the chosen engines.
struct RunResult {
    diagnostics: Vec<Diagnostic>,
    steps: u64,
    disagreements: Vec<Disagreement>,
    history: EngineHistory,
    /// The items that specialised code gave up.
    given_up: Vec<Diagnostic>,
}

impl RunResult {
    fn of(end: &PartEnd, history: EngineHistory) -> RunResult {
        let (steps, diagnostics) = match end {
            PartEnd::Suspended(suspended) => (suspended.steps, vec![]),
            PartEnd::Ended(Report { outcome: Outcome::Failed(diagnostic), steps }) => {
                (*steps, vec![(**diagnostic).clone()])
            }
            PartEnd::Ended(Report { outcome: Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped, steps }) => {
                (*steps, vec![])
            }
        };
        RunResult { diagnostics, steps, disagreements: Vec::new(), history, given_up: Vec::new() }
    }
}

/// Runs a program: on one engine directly; on several engines one after the other, each with the whole time limit, and
/// the output of the first is shown. Only one engine runs a part of a run. `suspension` comes with the most bytes of
/// its file.
fn run_engines(
    engines: &[(Engine, Ready)],
    task: Task<'_>,
    part: PartRequest,
    suspension: Option<(&Suspension, Option<u64>)>,
    host: &mut dyn Host,
    watchdog: &Watchdog,
) -> RunResult {
    let (end, disagreements) = match engines {
        [(_, ready)] => (ready.run_part(task, host, part), Vec::new()),
        several => {
            let conducts = run_on_engines(several, task, host, &mut || watchdog.restart());
            let disagreements = agreement::disagreements(&conducts, &task.program.sources);
            match conducts.into_iter().next() {
                Some(first) => (PartEnd::Ended(Report { outcome: first.outcome, steps: first.steps }), disagreements),
                None => internal_bug!("an engine is chosen"),
            }
        }
    };
    let history = EngineHistory::Chosen(engines.iter().map(|(engine, _)| *engine).collect());
    let given_up = engines.iter().flat_map(|(_, ready)| ready.given_up()).collect();
    let mut result = RunResult { disagreements, given_up, ..RunResult::of(&end, history) };
    result.diagnostics.extend(suspension.and_then(|(suspension, most)| suspension.conclude(task.program, end, most)));
    result
}

/// The figures of `--stats`.
struct Statistics {
    steps: u64,
    loading: Duration,
    running: Duration,
    /// The engines that ran the program, if any did.
    history: Option<EngineHistory>,
    /// The items that specialised code gave up, with their places and reasons.
    given_up: Vec<String>,
}

/// A diagnostic as a line: its place and its message.
fn at_place(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let place = diagnostic.span.map_or_else(String::new, |span| place(sources, span));
    format!("{place}: {}", diagnostic.message)
}

/// Prints the statistics if they are asked for. A failed write is ignored: statistics are no part of the result.
fn finish(options: &ReportOptions, ending: Exit, statistics: &Statistics) -> Exit {
    if options.stats {
        let Statistics { steps, loading, running, history, given_up } = statistics;
        let peak = memory::peak().map_or_else(|| "unknown".to_owned(), |bytes| format!("{bytes} bytes"));
        let (loading, running) = (loading.as_secs_f64(), running.as_secs_f64());
        let engine = history.as_ref().map_or_else(String::new, |history| format!("engine: {history}\n"));
        let given_up: String = given_up.iter().map(|item| format!("given up at {item}\n")).collect();
        let text = format!(
            "steps: {steps}\npeak memory: {peak}\ntime: {running:.6} s, after {loading:.6} s of loading\n{engine}{given_up}"
        );
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
    ending
}
