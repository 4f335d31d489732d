//! `vlad repl`: a session that evaluates one input after another.
//!
//! | module | content |
//! |---|---|
//! | `lines`, `editor`, `history`, `completion` | the sources of inputs |
//! | `evaluation` | the definitions with their values, and the effect of an input on them |
//! | `background`, `settled` | compilation in the background, and its conditions |
//! | `commands`, `inspections` | inputs that begin with a colon |
//! | `session` | the session: takes inputs, and reports their results |
//! | `host`, `input` | the standard streams during an evaluation |
//! | `shape` | the shape of a value, in words |

mod arguments;
mod background;
mod commands;
mod completion;
mod editor;
mod evaluation;
mod history;
mod host;
mod input;
mod inspections;
mod lines;
mod session;
mod settled;
mod shape;

use arguments::ENGINES;
pub use arguments::{HELP, ReplArguments};

use crate::options::engine::EngineChoice;
use crate::options::limits::Trust;
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::process::exit::Exit;
use crate::process::interruption::Interruption;
use crate::run::watchdog::Watchdog;
use clap::error::ErrorKind;
use editor::InputEditor;
use input::InterruptibleInput;
use lines::NextInput;
use session::{ReplSession, Verdict};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::Notation;

/// The prompt.
const PROMPT: &str = "vlad> ";

/// Runs a session to its end.
pub fn repl(arguments: &ReplArguments, languages: Languages) -> Exit {
    if let Some(refusal) = refuse(arguments) {
        return Exit::of_usage(&refusal);
    }
    let language = arguments.reading.options(languages).language.unwrap_or(languages.first());
    if language.session().is_none() {
        let message = format!("there are no sessions in the language `{}`\n", language.name());
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ValueValidation, message));
    }
    let is_terminal = io::stdin().is_terminal();
    let interruption = is_terminal.then(Interruption::attend);
    let bounds = arguments.limits.bounds(arguments.reading.trust());
    let notation = if arguments.bits { Notation::WithBits } else { Notation::Shortest };
    let console = Arc::new(
        Console::new(Form::Text, notation, arguments.reading.style(), bounds.output).with_data(arguments.notation),
    );
    let limits = Limits {
        steps: arguments.max_steps,
        depth: arguments.depth.max_depth,
        memory: bounds.memory,
        time: bounds.time,
        strategy: arguments.checkpoint.0,
        ..Limits::default()
    };
    let watchdog = match &interruption {
        Some(interruption) => Watchdog::start_for_session(&limits, &console, Arc::clone(interruption)),
        None => Watchdog::start(&limits, &console),
    };
    watchdog.rest();
    let input = InterruptibleInput::buffered(interruption.clone());
    let mut session = ReplSession::new(arguments, languages, limits, &console, &watchdog, interruption, input);
    let editor = is_terminal.then(|| {
        let file = match arguments.reading.trust() {
            Trust::Trusted => history::file(),
            Trust::Sandboxed => None,
        };
        InputEditor::new(session.language(), arguments.reading.style(), file)
    });
    let mut editor = match editor.transpose() {
        Ok(editor) => editor,
        Err(error) => return cannot_read(&console, &error),
    };
    if let Err(failure) = session.load_data() {
        let Failure { diagnostics, sources } = failure;
        return console.conclude(Conclusion::new(&diagnostics, &sources, None));
    }
    for file in &arguments.files {
        if session.load(file) == Verdict::Ended {
            return console.conclude_with_text("");
        }
    }
    loop {
        let next = match &mut editor {
            Some(editor) => editor.next_input(PROMPT, session.completions()),
            None => session.next_line(),
        };
        match next {
            Ok(NextInput::Input(text)) => match session.take(&text) {
                Verdict::Going => {}
                Verdict::Ended => break,
            },
            Ok(NextInput::Interrupted) => {}
            Ok(NextInput::End) => break,
            Err(error) => return cannot_read(&console, &error),
        }
    }
    session.end();
    if let Some(editor) = &editor {
        editor.keep_history();
    }
    let has_failed = session.has_failed() && !is_terminal;
    match console.conclude_with_text("") {
        Exit::Success if has_failed => Exit::Failure,
        ending => ending,
    }
}

fn cannot_read(console: &Console, error: &io::Error) -> Exit {
    console.fail(Diagnostic::new(Kind::Input, None, format!("the input cannot be read: {error}")))
}

/// Refuses options that a session cannot have.
fn refuse(arguments: &ReplArguments) -> Option<clap::Error> {
    match arguments.engine.engine {
        EngineChoice::All => {
            let message = "an input is evaluated by one engine: give --engine the name of one\n";
            Some(clap::Error::raw(ErrorKind::ArgumentConflict, message))
        }
        EngineChoice::One(engine) if !ENGINES.contains(&engine) => {
            let message = format!("an input is evaluated by auto, {}\n", ENGINES.map(Engine::name).join(", "));
            Some(clap::Error::raw(ErrorKind::ArgumentConflict, message))
        }
        EngineChoice::One(_) | EngineChoice::Automatic => arguments.engine.compiler.not_always("an input of a session"),
    }
}
