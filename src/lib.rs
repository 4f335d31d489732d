//! The `vlad` command: connects the front end and an engine with the streams, limits and signals of a process.
//!
//! Results go to the standard output, everything else to the standard error. The command defines nothing of the
//! language: the front end defines the form of programs, the engines define what they do.
//!
//! It is a library so that a command with further languages is one line: [`command`] takes the list.

mod process;

mod output;

mod options;

mod run;

mod commands;

mod arguments;
mod word_order;

use arguments::{Arguments, Command, described};
use commands::derivatives::{derive, gradcheck};
use commands::suspension::{resume, suspend};
use commands::{
    build, conform, emit, explanation, fuzz, inspection, manual, plot, profile, repl, table, toolchain, trace,
};
use process::exit::Exit;
use process::signals;
use run::{automatic, running};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;
use vlad_shared::frontend::languages::Languages;

/// Runs the command line of the process, with the languages that programs can be written in; or the program with which
/// this executable was built.
pub fn command(languages: Languages) -> ExitCode {
    // Beyond a limit on the size of files (`ulimit -f`), a write is to fail with an error instead of ending the
    // process. The flag that the handler sets is never read; if the handler cannot be set, writing works as before.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    if let Some(ending) = build::program::run(languages) {
        signals::wait_if_ending();
        return ending.into();
    }
    // A run of `auto` starts this; it is no part of the command line that users see.
    if std::env::args_os().nth(1).is_some_and(|word| word == automatic::helper::NAME) {
        return automatic::helper::compile(languages);
    }
    let arguments = match Arguments::read(std::env::args_os(), languages) {
        Ok(arguments) => arguments,
        Err(error) => return Exit::of_usage(&error).into(),
    };
    let ending = match arguments.command {
        None => running::run(&arguments.run, languages),
        Some(Command::Run(run)) => running::run(&run, languages),
        Some(Command::Build(build)) => build::build(&build, languages),
        Some(Command::Explain(explain)) => explanation::explain(&explain, languages),
        Some(Command::Profile(profile)) => profile::profile(&profile, languages),
        Some(Command::Suspend(suspend)) => suspend::suspend(&suspend, languages),
        Some(Command::Resume(resume)) => resume::resume(&resume, languages),
        Some(Command::Check(check)) => inspection::check(&check, languages),
        Some(Command::Show(show)) => inspection::show(&show, languages),
        Some(Command::Emit(emit)) => emit::emit(&emit, languages),
        Some(Command::Conform(conform)) => conform::conform(&conform, languages),
        Some(Command::Table(table)) => table::table(&table),
        Some(Command::Fuzz(fuzz)) => fuzz::fuzz(&fuzz),
        Some(Command::Gradcheck(gradcheck)) => gradcheck::gradcheck(&gradcheck, languages),
        Some(Command::Derive(derive)) => derive::derive(&derive, languages),
        Some(Command::Plot(plot)) => plot::plot(&plot, languages),
        Some(Command::Repl(repl)) => repl::repl(&repl, languages),
        Some(Command::Trace(trace)) => trace::trace(&trace, languages),
        Some(Command::Cache(cache)) => toolchain::cache(&cache),
        Some(Command::Doctor(doctor)) => toolchain::doctor(&doctor),
        Some(Command::Completions(completions)) => manual::completions(&completions, described(languages)),
        Some(Command::Man(man)) => manual::man(&man, described(languages)),
    };
    signals::wait_if_ending();
    ending.into()
}
