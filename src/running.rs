//! `vlad run`: load a program, run it, tell how it went.

use crate::arguments::RunArguments;
use crate::choice;
use crate::console::{Conclusion, Console, Form};
use crate::ending::Ending;
use crate::host::CommandHost;
use crate::memory;
use crate::watchdog::{Watchdog, time_limit_reached};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_conformance::agreement::{self, Disagreement};
use vlad_conformance::engine::{Engine, Ready, Task};
use vlad_conformance::together::run_together;
use vlad_shared::diagnostic::Diagnostic;
use vlad_shared::internal_bug;
use vlad_shared::load::load;
use vlad_shared::print::Notation;
use vlad_shared::run::{Host, Limits, Outcome, Report};

/// Runs a program.
pub fn run(arguments: &RunArguments) -> Ending {
    let begun = Instant::now();
    let form = if arguments.json { Form::Json } else { Form::Text };
    let notation = if arguments.bits { Notation::WithBits } else { Notation::Shortest };
    let style = arguments.program.style();
    let console = Arc::new(Console::new(form, notation, style));
    // What a program may take is found out before it takes anything.
    let limits = Limits {
        steps: arguments.max_steps,
        memory: arguments.max_memory.or_else(memory::default_limit),
        time: arguments.timeout,
    };
    let watchdog = Watchdog::start(&limits, &console);

    let loaded = arguments.program.input().and_then(|input| load(input, &arguments.program.options()));
    let not_run = |conclusion: Conclusion<'_>| {
        let statistics = Statistics { steps: 0, loading: begun.elapsed(), running: Duration::ZERO };
        finish(arguments, console.conclude(conclusion), &statistics)
    };
    let program = match loaded {
        Ok(program) => program,
        Err(failure) => return not_run(Conclusion::new(&failure.diagnostics, &failure.sources, Some(0))),
    };
    let task = Task { program: &program, limits: &limits };
    let deadline = arguments.timeout.and_then(|time| begun.checked_add(time));
    let engines = match choice::make_ready(&arguments.engine, task, &console, deadline) {
        Ok(engines) => engines,
        Err(error) if choice::ended_by_deadline(&error, deadline) => {
            let diagnostics: Vec<Diagnostic> = arguments.timeout.map(time_limit_reached).into_iter().collect();
            return not_run(Conclusion::new(&diagnostics, &program.sources, Some(0)));
        }
        Err(error) => {
            let conclusion = Conclusion::new(&[], &program.sources, Some(0));
            return not_run(Conclusion { compiler: Some(&error), ..conclusion });
        }
    };

    let loading = begun.elapsed();
    let begun = Instant::now();
    let mut host = CommandHost::new(&console, arguments.program.number_source());
    let conducted = conduct(&engines, task, &mut host, &watchdog);
    let running = begun.elapsed();
    let steps = conducted.steps;
    let conclusion = Conclusion::new(&conducted.diagnostics, &program.sources, Some(steps));
    let ending = console.conclude(Conclusion { disagreements: &conducted.disagreements, ..conclusion });
    finish(arguments, ending, &Statistics { steps, loading, running })
}

/// What came of running a program on the engines chosen.
struct Conducted {
    diagnostics: Vec<Diagnostic>,
    steps: u64,
    disagreements: Vec<Disagreement>,
}

/// Runs a program: on one engine as it is, on several one after the other, each with the whole time. The first is the one
/// whose output is seen.
fn conduct(engines: &[(Engine, Ready)], task: Task<'_>, host: &mut dyn Host, watchdog: &Watchdog) -> Conducted {
    let (report, disagreements) = match engines {
        [(_, ready)] => {
            watchdog.restart();
            (ready.run(task, host), Vec::new())
        }
        several => {
            let conducts = run_together(several, task, host, &mut || watchdog.restart());
            let disagreements = agreement::disagreements(&conducts, &task.program.sources);
            match conducts.into_iter().next() {
                Some(first) => (Report { outcome: first.outcome, steps: first.steps }, disagreements),
                None => internal_bug!("an engine is chosen"),
            }
        }
    };
    let diagnostics = match report.outcome {
        Outcome::Finished | Outcome::OutputClosed => vec![],
        Outcome::Failed(diagnostic) => vec![*diagnostic],
    };
    Conducted { diagnostics, steps: report.steps, disagreements }
}

/// What `--stats` tells.
struct Statistics {
    steps: u64,
    loading: Duration,
    running: Duration,
}

/// Tells the statistics if they are asked for. They are a help, not a result: if they cannot be written, so be it.
fn finish(arguments: &RunArguments, ending: Ending, statistics: &Statistics) -> Ending {
    if arguments.stats {
        let Statistics { steps, loading, running } = statistics;
        let peak = memory::peak().map_or_else(|| "unknown".to_owned(), |bytes| format!("{bytes} bytes"));
        let (loading, running) = (loading.as_secs_f64(), running.as_secs_f64());
        let text =
            format!("steps: {steps}\npeak memory: {peak}\ntime: {running:.6} s, after {loading:.6} s of loading\n");
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
    ending
}
