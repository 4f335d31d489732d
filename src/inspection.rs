//! `vlad check` and `vlad show`: what can be said of a program without running it.

use crate::arguments::{CheckArguments, Denied, ProgramArguments, ShowArguments, Stage};
use crate::console::{Conclusion, Console, Form, Warnings};
use crate::ending::Ending;
use crate::limits::{Bounds, LimitArguments};
use crate::watchdog::Watchdog;
use clap::error::ErrorKind;
use std::sync::Arc;
use vlad_shared::core_print;
use vlad_shared::cps;
use vlad_shared::diagnostic::Diagnostic;
use vlad_shared::load::{self, Failure};
use vlad_shared::print::Notation;
use vlad_shared::run::Limits;
use vlad_shared::source::SourceMap;
use vlad_shared::transformation::{self, Mode};

/// Loads a program and tells what is wrong with it, and what is hardly meant.
pub fn check(arguments: &CheckArguments) -> Ending {
    let form = if arguments.json { Form::Json } else { Form::Text };
    let console = console(form, &arguments.program, &arguments.limits);
    let checked = arguments.program.input().and_then(|input| load::check(input, &arguments.program.options()));
    match checked {
        Ok((program, diagnostics)) => {
            let warnings = match arguments.deny {
                Some(Denied::Warnings) => Warnings::Denied,
                None => Warnings::Allowed,
            };
            console.conclude(Conclusion { warnings, ..Conclusion::new(&diagnostics, &program.sources, Some(0)) })
        }
        Err(Failure { diagnostics, sources }) => conclude(&console, &diagnostics, &sources),
    }
}

/// Prints a representation of a program, or of one of its procedures.
pub fn show(arguments: &ShowArguments) -> Ending {
    let mode = match arguments.stage {
        Stage::Forward => Some(Mode::Forward),
        Stage::Reverse => Some(Mode::Reverse),
        Stage::Tokens | Stage::Ast | Stage::Named | Stage::Core | Stage::Cps | Stage::C => None,
    };
    let transformation = mode.zip(arguments.function.as_deref());
    if arguments.function.is_some() && transformation.is_none() {
        let message = "--function is for what is shown of one procedure: `show forward` and `show reverse`\n";
        return Ending::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, message));
    }
    let console = console(Form::Text, &arguments.program, &arguments.limits);
    let options = arguments.program.options();
    let shown = arguments.program.input().and_then(|input| match arguments.stage {
        Stage::Tokens => load::tokens(input),
        Stage::Ast => load::surface(input),
        Stage::Named => load::named(input, &options),
        Stage::Core => Ok(core_print::print(&load::load(input, &options)?)),
        Stage::Cps => {
            let program = load::load(input, &options)?;
            Ok(cps::print::print(&program, &cps::pipeline(&program)))
        }
        Stage::Forward | Stage::Reverse => {
            let program = load::load(input, &options)?;
            transformation.map_or(Ok(String::new()), |(mode, name)| transformation::transformed(&program, name, mode))
        }
        Stage::C => {
            let program = load::load(input, &options)?;
            Ok(vlad_compiler::generate(&program, vlad_compiler::counting_for(&program, &Limits::default())))
        }
    });
    match shown {
        Ok(text) => console.conclude_with_text(&text),
        Err(Failure { diagnostics, sources }) => conclude(&console, &diagnostics, &sources),
    }
}

/// The outputs of an inspection, which has limits as the loading of a program has that is run.
fn console(form: Form, program: &ProgramArguments, limits: &LimitArguments) -> Arc<Console> {
    let Bounds { memory, time, output } = limits.bounds(program.reading.trust());
    let console = Arc::new(Console::new(form, Notation::Shortest, program.style(), output));
    Watchdog::start(&Limits { memory, time, ..Limits::default() }, &console);
    console
}

fn conclude(console: &Console, diagnostics: &[Diagnostic], sources: &SourceMap) -> Ending {
    console.conclude(Conclusion::new(diagnostics, sources, Some(0)))
}
