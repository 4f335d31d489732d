//! `vlad run`: load a program, run it, tell how it went.

use crate::arguments::RunArguments;
use crate::console::{Conclusion, Console, Form};
use crate::ending::Ending;
use crate::host::CommandHost;
use crate::memory;
use crate::watchdog::Watchdog;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};
use vlad_shared::load::load;
use vlad_shared::print::Notation;
use vlad_shared::run::{Limits, Outcome};

/// Runs a program.
pub fn run(arguments: &RunArguments) -> Ending {
    let begun = Instant::now();
    let form = if arguments.json { Form::Json } else { Form::Text };
    let notation = if arguments.bits { Notation::WithBits } else { Notation::Shortest };
    let style = arguments.program.style();
    let console = Arc::new(Console::new(form, Some(arguments.engine), notation, style));
    // What a program may take is found out before it takes anything.
    let limits = Limits {
        steps: arguments.max_steps,
        memory: arguments.max_memory.or_else(memory::default_limit),
        time: arguments.timeout,
    };
    let watchdog = Watchdog::start(&limits, &console);

    let loaded = arguments.program.input().and_then(|input| load(input, &arguments.program.options()));
    let loading = begun.elapsed();
    let program = match loaded {
        Ok(program) => program,
        Err(failure) => {
            let (diagnostics, sources) = (&failure.diagnostics, &failure.sources);
            let ending = console.conclude(Conclusion { diagnostics, sources, steps: Some(0) });
            return finish(arguments, ending, &Statistics { steps: 0, loading, running: Duration::ZERO });
        }
    };

    watchdog.restart();
    let begun = Instant::now();
    let mut host = CommandHost::new(&console, arguments.program.number_source());
    let report = arguments.engine.run(&program, &mut host, &limits);
    let running = begun.elapsed();
    let diagnostics = match report.outcome {
        Outcome::Finished | Outcome::OutputClosed => vec![],
        Outcome::Failed(diagnostic) => vec![*diagnostic],
    };
    let steps = Some(report.steps);
    let ending = console.conclude(Conclusion { diagnostics: &diagnostics, sources: &program.sources, steps });
    finish(arguments, ending, &Statistics { steps: report.steps, loading, running })
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
