//! `vlad suspend`: runs a program up to a step, and writes the suspended run to a file.

use crate::options::engine::EngineChoice;
use crate::options::run::{RunArguments, RunOptions};
use crate::process::exit::Exit;
use crate::run::running;
use crate::run::suspension::Suspension;
use clap::Args;
use clap::error::ErrorKind;
use vlad_shared::frontend::languages::Languages;

/// The arguments of `vlad suspend`.
#[derive(Debug, Args)]
pub struct SuspendArguments {
    /// The program and the options of its run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The step, and the file to write.
    #[command(flatten)]
    pub suspension: Suspension,
}

/// Runs a program and suspends it.
pub fn suspend(arguments: &SuspendArguments, languages: Languages) -> Exit {
    match refuse(&arguments.run.options) {
        Some(refusal) => refusal,
        None => running::run_with(&arguments.run, languages, None, Some(&arguments.suspension)),
    }
}

/// Refuses a choice of engines that cannot run a part of a run, and code that is never specialised.
pub fn refuse(options: &RunOptions) -> Option<Exit> {
    let message = match options.engine.engine {
        EngineChoice::All => "a part of a run is executed by one engine: give --engine the name of one".to_owned(),
        EngineChoice::One(_) | EngineChoice::Automatic => {
            return options.engine.compiler.not_always("a part of a run").map(|refusal| Exit::of_usage(&refusal));
        }
    };
    Some(Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n"))))
}
