//! `vlad build`: makes an executable of a program, which needs neither vlad nor a C compiler to run.
//!
//! ```text
//! texts --load--> core --compile--> objects --payload--> executable: a copy of this one with the payload
//! ```
//!
//! The executable does what `vlad run` does with the same options, but it never looks for files of the program, for a
//! compiler or for the cache. At its start it finds its payload ([`executable`]) and runs it ([`program`]).

pub mod executable;
mod payload;
pub mod program;
mod target;

use crate::options::checkpoint::CheckpointOptions;
use crate::options::engine::{CompilerArguments, EngineChoice, choices_to_build};
use crate::options::limits::{Bounds, DepthArgument, LimitArguments};
use crate::options::program::ProgramArguments;
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::output::progress::{Activity, Progress};
use crate::process::exit::Exit;
use crate::run::built_code::BuiltCode;
use crate::run::engines::{CompilationLimits, ended_by_deadline, note_fallback};
use crate::run::refusals::refusals;
use crate::run::watchdog::{Watchdog, time_limit_reached};
use clap::Args;
use clap::error::ErrorKind;
use payload::{KeptOptions, Payload};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use target::Target;
use vlad_compiler::can_be_specialised;
use vlad_compiler::toolchain::{Optimisation, ToolchainError};
use vlad_engines::Engine;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::Failure;
use vlad_shared::core::source::{KeptSources, SourceMap};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::load;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::Notation;

/// The arguments of `vlad build`.
#[derive(Debug, Args)]
pub struct BuildArguments {
    /// The program.
    #[command(flatten)]
    program: ProgramArguments,
    /// Write the executable to this file
    #[arg(short = 'o', long, value_name = "PROGRAM")]
    output: PathBuf,
    /// Run the executable's program on this engine
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = choices_to_build())]
    engine: EngineChoice,
    /// The options for compiling it.
    #[command(flatten)]
    compiler: CompilerArguments,
    /// Let the C compiler contract and reassociate operations; results are then only close to those of `vlad`
    #[arg(long)]
    relaxed: bool,
    /// The limits of the executable, unless it is given others; those on memory and time are also those of building it.
    #[command(flatten)]
    limits: LimitArguments,
    /// The limit on nested calls of the executable, unless it is given another.
    #[command(flatten)]
    depth: DepthArgument,
    /// The checkpoint options of the executable.
    #[command(flatten)]
    checkpoint: CheckpointOptions,
}

/// The reason why nothing is built.
enum Refusal {
    /// Errors in the program, or in writing the executable.
    Failure(Failure),
    /// It cannot be compiled.
    Compiler(Box<ToolchainError>, SourceMap),
    /// The options do not go together.
    Usage(clap::Error),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Failure(failure)
    }
}

/// Builds an executable.
pub fn build(arguments: &BuildArguments, languages: Languages) -> Exit {
    let (reading, begun) = (&arguments.program.reading, Instant::now());
    let Bounds { memory, time, .. } = arguments.limits.bounds(reading.trust());
    let console = Arc::new(Console::new(Form::Text, Notation::Shortest, reading.style(), None));
    Watchdog::start(&Limits { memory, time, ..Limits::default() }, &console);
    let activity = Arc::new(Activity::new("compiling"));
    let _progress = Progress::show(&console, &activity);
    let deadline = time.and_then(|time| begun.checked_add(time));
    match arguments.carry_out(languages, deadline, &console) {
        Ok(()) => console.conclude(Conclusion::new(&[], &SourceMap::default(), None)),
        Err(Refusal::Failure(Failure { diagnostics, sources })) => {
            console.conclude(Conclusion::new(&diagnostics, &sources, None))
        }
        Err(Refusal::Compiler(error, sources)) if ended_by_deadline(&error, deadline) => {
            let diagnostics: Vec<_> = time.map(time_limit_reached).into_iter().collect();
            console.conclude(Conclusion::new(&diagnostics, &sources, None))
        }
        Err(Refusal::Usage(refusal)) => Exit::of_usage(&refusal),
        Err(Refusal::Compiler(error, sources)) => {
            console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) })
        }
    }
}

impl BuildArguments {
    /// Loads and compiles the program, and writes the executable.
    fn carry_out(&self, languages: Languages, deadline: Option<Instant>, console: &Console) -> Result<(), Refusal> {
        let target = Target::new(&self.output);
        target.check()?;
        let program = load(self.program.input()?, &self.program.options(languages))?;
        target.check_apart_from(&program.sources)?;
        let limits = Limits { strategy: self.checkpoint.0, ..Limits::default() };
        if !can_be_specialised(&program, &limits)
            && let Some(refusal) = self.compiler.not_always("a run with checkpoint options")
        {
            return Err(Refusal::Usage(refusal));
        }
        if let EngineChoice::One(engine) = self.engine
            && self.relaxed
            && !engine.compiles()
        {
            let message = format!("--relaxed is for compiled code, and `{engine}` evaluates the program\n");
            return Err(Refusal::Usage(clap::Error::raw(ErrorKind::ArgumentConflict, message)));
        }
        let always = self.compiler.always();
        let refusals = always.map_or_else(Vec::new, |passes| refusals(&program, passes));
        if !refusals.is_empty() {
            return Err(Failure { diagnostics: refusals, sources: program.sources }.into());
        }
        let code = self
            .code((&program, &limits), deadline, console)
            .map_err(|error| Refusal::Compiler(Box::new(error), program.sources.clone()))?;
        let trust = self.program.reading.trust();
        let kept = KeptOptions { limits: self.limits, depth: self.depth, trust, strategy: self.checkpoint.0 };
        let payload = Payload { sources: KeptSources::of(&program.sources), code, kept };
        Ok(target.write(&payload)?)
    }

    /// The code of the executable. Only a program that is too large for compilers is left to an engine that needs none,
    /// if the engine is not chosen: a compiler that is missing can be installed.
    fn code(
        &self,
        (program, limits): (&Program, &Limits),
        deadline: Option<Instant>,
        console: &Console,
    ) -> Result<BuiltCode, ToolchainError> {
        match self.engine {
            EngineChoice::One(engine) if !engine.compiles() => return Ok(BuiltCode::Evaluated(engine)),
            EngineChoice::One(_) | EngineChoice::Automatic | EngineChoice::All => {}
        }
        let trust = self.program.reading.trust();
        let allowance = CompilationLimits { deadline, memory: self.limits.of_compilers(trust), trust };
        let mut settings = allowance.settings(&self.compiler);
        if self.relaxed {
            settings.optimisation = Some(Optimisation::Relaxed);
        }
        match (BuiltCode::compile((program, limits), &settings), self.engine) {
            (Err(error @ ToolchainError::FarTooLarge { .. }), EngineChoice::Automatic) => {
                note_fallback(&error.to_string(), console);
                Ok(BuiltCode::Evaluated(Engine::WITHOUT_COMPILER))
            }
            (code, _) => code,
        }
    }
}
