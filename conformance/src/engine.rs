//! The engines of the project: the one list of them, for the command and for the tests.
//!
//! An engine works in two stages: it makes programs ready, several at once where that saves work, and then runs each as
//! often as wanted. Only the first stage can find that the engine is not available here.

use std::fmt;
use vlad_compiler::doctor;
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, Search, Toolchain, ToolchainError};
use vlad_shared::core::Program;
use vlad_shared::internal_bug;
use vlad_shared::run::{Host, Limits, Report};
use vlad_shared::suspended::{Part, PartEnd, Scope};

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter.
    Interp,
    /// The direct-style evaluator of converted code.
    Hybrid,
    /// The compiler to C.
    Native,
}

/// How programs are compiled by the engine that does so.
pub use vlad_compiler::Settings;

/// A program and the limits that it is going to be run under.
#[derive(Clone, Copy, Debug)]
pub struct Task<'program> {
    /// The program.
    pub program: &'program Program,
    /// The limits: code that is made for a program may depend on them.
    pub limits: &'program Limits,
}

/// A program as an engine made it ready.
#[derive(Debug)]
pub enum Ready {
    /// For the interpreter, which runs programs as they are.
    Interp,
    /// For the hybrid engine, likewise.
    Hybrid,
    /// For the native engine: compiled and loaded.
    Native(vlad_compiler::Loaded),
}

impl Engine {
    /// Every engine, the specification first.
    pub const ALL: [Engine; 3] = [Engine::Interp, Engine::Hybrid, Engine::Native];

    /// The fastest engine that needs no compiler: what `auto` begins with.
    pub const WITHOUT_COMPILER: Engine = Engine::Hybrid;

    /// The engine that runs parts of runs, if none is asked for.
    pub const FOR_PARTS: Engine = Engine::WITHOUT_COMPILER;

    /// The name that `--engine` knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Interp => "interp",
            Engine::Hybrid => "hybrid",
            Engine::Native => "native",
        }
    }

    /// What it is, in a line for the help of the command.
    pub fn description(self) -> &'static str {
        match self {
            Engine::Interp => "The evaluator over core: the executable specification",
            Engine::Hybrid => "CPS conversion, then an evaluator of converted code",
            Engine::Native => "C, made from converted code and compiled by the C compiler of the system",
        }
    }

    /// The engine of a name.
    pub fn named(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// Makes programs ready, in their order, to be run as a whole.
    ///
    /// # Errors
    /// As for [`Engine::make_ready_for`].
    pub fn make_ready(self, tasks: &[Task<'_>], settings: &Settings) -> Result<Vec<Ready>, ToolchainError> {
        self.make_ready_for(Scope::Whole, tasks, settings)
    }

    /// Makes programs ready, in their order, of which so much is going to be run.
    ///
    /// # Errors
    /// The engine needs a C compiler, and that cannot be had or fails.
    pub fn make_ready_for(
        self,
        scope: Scope,
        tasks: &[Task<'_>],
        settings: &Settings,
    ) -> Result<Vec<Ready>, ToolchainError> {
        match self {
            Engine::Interp => Ok(tasks.iter().map(|_| Ready::Interp).collect()),
            Engine::Hybrid => Ok(tasks.iter().map(|_| Ready::Hybrid).collect()),
            Engine::Native => {
                let tasks = tasks.iter().map(|task| vlad_compiler::Task::with_scope(scope, task.program, task.limits));
                let tasks: Vec<vlad_compiler::Task<'_>> = tasks.collect();
                Ok(vlad_compiler::compile(&tasks, settings)?.into_iter().map(Ready::Native).collect())
            }
        }
    }

    /// Looks whether the engine works on this machine, at the cost of a small trial.
    ///
    /// # Errors
    /// As for [`Engine::make_ready`].
    pub fn try_out(self, settings: &Settings) -> Result<(), ToolchainError> {
        match self {
            Engine::Interp | Engine::Hybrid => Ok(()),
            Engine::Native => {
                let search = Search::with_environment(settings.compiler.clone());
                let time_limit = settings.time_limit.unwrap_or(DEFAULT_TIME_LIMIT);
                let toolchain = Toolchain::find(&search, time_limit)?;
                doctor::probe(&toolchain, time_limit).map(|_time| ())
            }
        }
    }

    /// Makes one program ready and runs it.
    ///
    /// # Errors
    /// As for [`Engine::make_ready`].
    pub fn run(self, task: Task<'_>, settings: &Settings, host: &mut dyn Host) -> Result<Report, ToolchainError> {
        let ready = self.make_ready(&[task], settings)?;
        match ready.first() {
            Some(ready) => Ok(ready.run(task, host)),
            None => internal_bug!("an engine makes every program ready"),
        }
    }
}

impl Ready {
    /// Runs the program, which is the one that was made ready.
    pub fn run(&self, task: Task<'_>, host: &mut dyn Host) -> Report {
        match self {
            Ready::Interp => vlad_interp::run(task.program, host, task.limits),
            Ready::Hybrid => vlad_hybrid::run(task.program, host, task.limits),
            Ready::Native(loaded) => loaded.run(task.program, host, task.limits),
        }
    }

    /// Runs a part of the program, which was made ready for parts.
    pub fn run_part(&self, task: Task<'_>, host: &mut dyn Host, part: Part) -> PartEnd {
        match self {
            Ready::Interp => vlad_interp::run_part(task.program, host, task.limits, part),
            Ready::Hybrid => vlad_hybrid::run_part(task.program, host, task.limits, part),
            Ready::Native(loaded) => loaded.run_part(task.program, host, task.limits, part),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
