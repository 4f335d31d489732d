//! `vlad trace`: the operations of a call on reals, in the order in which they are executed, with their tangents or
//! adjoints; and `--step`, which walks through the steps of an evaluation.
//!
//! | module | content |
//! |---|---|
//! | `question` | the call, and its run on `interp` with a log of its operations |
//! | `table`, `object`, `graph` | the log as text, as JSON and as a picture |
//! | `walking` | the steps of an evaluation, forwards and backwards |

mod arguments;
mod graph;
mod object;
pub mod question;
pub mod table;
mod walking;

pub use arguments::{HELP, TraceArguments, TraceMode};

use crate::options::program::NumberSource;
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::process::exit::Exit;
use crate::run::watchdog::Watchdog;
use clap::error::ErrorKind;
use question::{Direction, trace as traced};
use std::sync::Arc;
use vlad_derivatives::appended::Evaluation;
use vlad_files::output;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::Notation;

/// Traces a call, or walks through an evaluation.
pub fn trace(arguments: &TraceArguments, languages: Languages) -> Exit {
    if arguments.step && arguments.program.number_source() == NumberSource::Nowhere {
        let message = "--step reads its keys from the standard input, which is the program\n";
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, message));
    }
    let bounds = arguments.limits.bounds(arguments.program.reading.trust());
    let console = Arc::new(Console::new(Form::Text, Notation::Shortest, arguments.program.style(), bounds.output));
    let limits =
        Limits { memory: bounds.memory, time: bounds.time, strategy: arguments.checkpoint.0, ..Limits::default() };
    let watchdog = Watchdog::start(&limits, &console);
    let concluded = |failure: &Failure| console.conclude(Conclusion::new(&failure.diagnostics, &failure.sources, None));
    let input = match arguments.program.input() {
        Ok(input) => input,
        Err(failure) => return concluded(&failure),
    };
    let direction = arguments.direction.clone().map_or(Direction::FirstReal, Direction::Given);
    let call = arguments.function.as_ref().zip(arguments.at.as_ref()).map(|(function, at)| {
        let (program, options) = (input.clone(), arguments.program.options(languages));
        question::call(Evaluation::of(program, options, limits), [function, at], &direction)
    });
    if arguments.step {
        let options = arguments.program.options(languages);
        watchdog.rest();
        return match walking::walk(input, &options, call.as_ref(), &limits, &console) {
            Ok(exit) => exit,
            Err(failure) => concluded(&failure),
        };
    }
    let Some(call) = call else { return Exit::Usage };
    let found = match traced(&call, arguments.mode, &direction) {
        Ok(found) => found,
        Err(failure) => return concluded(&failure),
    };
    let rows = if arguments.all { usize::MAX } else { usize::try_from(arguments.rows).unwrap_or(usize::MAX) };
    if let Some(file) = &arguments.svg {
        let most = if arguments.all { usize::MAX } else { rows };
        if let Err(error) = output::write(file, graph::draw(&found, most).as_bytes()) {
            let message = format!("{} cannot be written: {error}", file.display());
            return console.fail(Diagnostic::new(Kind::Output, None, message));
        }
    }
    let text = if arguments.json { object::object(&found, rows) } else { table::table(&found, rows) };
    console.conclude_with_text(&text)
}
