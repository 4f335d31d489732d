//! `vlad profile`: runs a program and reports the costs of the operators that call procedures.

use crate::options::engine::EngineChoice;
use crate::options::run::RunArguments;
use crate::process::exit::Exit;
use crate::run::profile::ProfileRequest;
use crate::run::running;
use clap::Args;
use clap::error::ErrorKind;
use std::path::PathBuf;
use vlad_shared::frontend::languages::Languages;

/// The arguments of `vlad profile`.
#[derive(Debug, Args)]
pub struct ProfileArguments {
    /// The program and the options of its run.
    #[command(flatten)]
    pub run: RunArguments,
    /// Write a picture of the executions of `checkpoint-*j` to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Refuses to profile several engines at a time, and code that is never specialised.
pub fn refuse(arguments: &ProfileArguments) -> Option<clap::Error> {
    match arguments.run.options.engine.engine {
        EngineChoice::All => {
            let message = "one engine at a time is profiled: not --engine all\n";
            Some(clap::Error::raw(ErrorKind::ValueValidation, message))
        }
        EngineChoice::One(_) | EngineChoice::Automatic => {
            arguments.run.options.engine.compiler.not_always("a run that is profiled")
        }
    }
}

/// Runs a program and reports the costs of its operators.
pub fn profile(arguments: &ProfileArguments, languages: Languages) -> Exit {
    running::run_with(&arguments.run, languages, Some(&ProfileRequest { picture: arguments.svg.clone() }), None)
}
