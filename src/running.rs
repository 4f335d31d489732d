//! `vlad run`: loads a program, runs it, and reports the result; also the run with a profile of `vlad profile`, and the
//! partial runs of `vlad suspend` and `vlad resume`.

use crate::automatic::{self, EngineHistory};
use crate::conclusion::Conclusion;
use crate::console::{Console, Form};
use crate::engine_selection::{self, AutoRequirement, CompilationLimits, Runner};
use crate::exit::Exit;
use crate::explanation;
use crate::host::{CommandHost, Listeners};
use crate::limits::Bounds;
use crate::memory;
use crate::options::{NumberSource, ReadingArguments, RunArguments, RunOptions};
use crate::profile::ProfileRequest;
use crate::progress::{Activity, Progress};
use crate::suspension::Suspension;
use crate::watchdog::{Watchdog, time_limit_reached};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_conformance::agreement::{self, Disagreement};
use vlad_conformance::several_engines::run_on_engines;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::Diagnostic;
use vlad_shared::core::report::Failure;
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

/// Runs a program, with a profile if `wish` asks for one, up to the point of `suspension` if there is one.
pub fn run_with(
    arguments: &RunArguments,
    languages: Languages,
    wish: Option<&ProfileRequest>,
    suspension: Option<&Suspension>,
) -> Exit {
    let program = &arguments.program;
    carry_out(&RunRequest {
        options: &arguments.options,
        reading: &program.reading,
        numbers: program.number_source(),
        load: &|| {
            let program = load(program.input()?, &program.options(languages))?;
            Ok(Loaded { program, from: None })
        },
        wish,
        suspension,
    })
}

/// A program to be loaded and run, with the options of the run.
pub struct RunRequest<'run> {
    /// The options of the run.
    pub options: &'run RunOptions,
    /// The style of errors and the trust in the program.
    pub reading: &'run ReadingArguments,
    /// The source of the numbers that the program reads.
    pub numbers: NumberSource,
    /// Loads the program.
    pub load: &'run dyn Fn() -> Result<Loaded, Failure>,
    /// The profile that is wanted.
    pub wish: Option<&'run ProfileRequest>,
    /// The step at which the run is to be suspended, and the file that it is written to.
    pub suspension: Option<&'run Suspension>,
}

/// A program, and the suspended run to continue, if there is one; else the run starts at the beginning.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The state at which the run continues.
    pub from: Option<Suspended>,
}

/// Loads and runs the program of an errand, and reports the end.
pub fn carry_out(errand: &RunRequest<'_>) -> Exit {
    let begun = Instant::now();
    let RunRequest { options, reading, wish, suspension, .. } = *errand;
    let compiler = &options.engine.compiler;
    if let Some(refusal) = options.max_steps.and_then(|_| compiler.not_always("a run with --max-steps")) {
        return Exit::of_usage(&refusal);
    }
    let form = if options.json { Form::Json } else { Form::Text };
    let notation = if options.bits { Notation::WithBits } else { Notation::Shortest };
    // The default limits depend on the memory that is available, so they are computed before the program uses any.
    let Bounds { memory, time, output } = options.limits.bounds(reading.trust());
    let console = Arc::new(Console::new(form, notation, reading.style(), output));
    let limits = Limits { steps: options.max_steps, memory, time, strategy: options.checkpoint.0, ..Limits::default() };
    let watchdog = Watchdog::start(&limits, &console);

    let loaded = suspension.map_or(Ok(()), Suspension::prepare).and_then(|()| (errand.load)());
    let not_run = |conclusion: Conclusion<'_>| {
        let statistics = Statistics { steps: 0, loading: begun.elapsed(), running: Duration::ZERO, course: None };
        finish(options, console.conclude(conclusion), &statistics)
    };
    let Loaded { program, from } = match loaded {
        Ok(loaded) => loaded,
        Err(failure) => return not_run(Conclusion::new(&failure.diagnostics, &failure.sources, Some(0))),
    };
    let refusals = compiler.always().map_or_else(Vec::new, |passes| explanation::refusals(&program, passes));
    if !refusals.is_empty() {
        return not_run(Conclusion::new(&refusals, &program.sources, Some(0)));
    }
    let task = Task { program: &program, limits: &limits };
    let deadline = time.and_then(|time| begun.checked_add(time));
    let trust = reading.trust();
    let allowance = CompilationLimits { deadline, memory: options.limits.of_compilers(trust), trust };
    let part = PartRequest { from, until: suspension.map(|suspension| suspension.after) };
    let wanted = if wish.is_some() { AutoRequirement::OneEngine } else { AutoRequirement::AnAnswer };
    let activity = Arc::new(Activity::new("compiling"));
    let progress = Progress::show(&console, &activity);
    let runner = match engine_selection::make_ready(&options.engine, task, part.scope(), wanted, &console, &allowance) {
        Ok(runner) => runner,
        Err(error) if engine_selection::ended_by_deadline(&error, deadline) => {
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
    let recorder = wish.zip(first).map(|(wish, engine)| wish.recorder(engine));
    let listeners = Listeners { recorder, progress };
    let mut host = CommandHost::new(&console, errand.numbers, listeners);
    let suspension = suspension.map(|suspension| (suspension, output));
    watchdog.restart();
    let conducted = match runner {
        Runner::Engines(engines) => conduct(&engines, task, part, suspension, &mut host, &watchdog),
        Runner::Automatic(request) => {
            let (report, course) = automatic::run(request, trust, task, &mut host, activity);
            console.set_engines(course.engines());
            RunResult::of(&PartEnd::Ended(report), course)
        }
    };
    let running = begun.elapsed();
    let told = wish.zip(host.into_listeners().recorder).map(|(wish, recorder)| wish.fulfil(recorder, &program));
    let RunResult { mut diagnostics, steps, disagreements, course } = conducted;
    diagnostics.extend(told.iter().filter_map(|told| told.trouble.clone()));
    let conclusion = Conclusion::new(&diagnostics, &program.sources, Some(steps));
    let profile = told.as_ref().map(|told| &told.object);
    let ending = console.conclude(Conclusion { disagreements: &disagreements, profile, ..conclusion });
    if let Some(told) = told {
        let table = if form == Form::Text { told.table } else { String::new() };
        // A failed write is ignored, as that of the statistics is.
        let _ = io::stderr().lock().write_all((table + &told.note.unwrap_or_default()).as_bytes());
    }
    finish(options, ending, &Statistics { steps, loading, running, course: Some(course) })
}

/// The result of running a program on the chosen engines.
struct RunResult {
    diagnostics: Vec<Diagnostic>,
    steps: u64,
    disagreements: Vec<Disagreement>,
    course: EngineHistory,
}

impl RunResult {
    fn of(end: &PartEnd, course: EngineHistory) -> RunResult {
        let (steps, diagnostics) = match end {
            PartEnd::Suspended(suspended) => (suspended.steps, vec![]),
            PartEnd::Ended(Report { outcome: Outcome::Failed(diagnostic), steps }) => {
                (*steps, vec![(**diagnostic).clone()])
            }
            PartEnd::Ended(Report { outcome: Outcome::Finished | Outcome::OutputClosed, steps }) => (*steps, vec![]),
        };
        RunResult { diagnostics, steps, disagreements: Vec::new(), course }
    }
}

/// Runs a program: on one engine directly; on several engines one after the other, each with the whole time limit, and
/// the output of the first is shown. Only one engine runs a part of a run. `suspension` comes with the most bytes of
/// its file.
fn conduct(
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
    let course = EngineHistory::Chosen(engines.iter().map(|(engine, _)| *engine).collect());
    let mut conducted = RunResult { disagreements, ..RunResult::of(&end, course) };
    conducted
        .diagnostics
        .extend(suspension.and_then(|(suspension, most)| suspension.conclude(task.program, end, most)));
    conducted
}

/// The figures of `--stats`.
struct Statistics {
    steps: u64,
    loading: Duration,
    running: Duration,
    /// The engines that ran the program, if any did.
    course: Option<EngineHistory>,
}

/// Prints the statistics if they are asked for. A failed write is ignored: statistics are no part of the result.
fn finish(options: &RunOptions, ending: Exit, statistics: &Statistics) -> Exit {
    if options.stats {
        let Statistics { steps, loading, running, course } = statistics;
        let peak = memory::peak().map_or_else(|| "unknown".to_owned(), |bytes| format!("{bytes} bytes"));
        let (loading, running) = (loading.as_secs_f64(), running.as_secs_f64());
        let engine = course.as_ref().map_or_else(String::new, |course| format!("engine: {course}\n"));
        let text = format!(
            "steps: {steps}\npeak memory: {peak}\ntime: {running:.6} s, after {loading:.6} s of loading\n{engine}"
        );
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
    ending
}
