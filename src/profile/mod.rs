//! `vlad profile`: runs a program and reports the costs of the operators that call procedures.
//!
//! Engines report the facts about operators that are the same in all of them: place, number of steps, actions
//! (`Host::observe`). Time and memory are measured here.

mod meter;
mod object;
mod picture;
mod recorder;
mod report;
mod table;
mod trace;

pub use object::PROFILE_FORM;
pub use recorder::Recorder;
pub use report::ProfileRequest;

use crate::engine_selection::EngineChoice;
use crate::exit::Exit;
use crate::options::RunArguments;
use crate::running;
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
    /// Write a picture of what `checkpoint-*j` executed to a file
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
