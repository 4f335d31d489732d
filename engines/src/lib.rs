//! The list of engines, for the command, the tests and the measurements.
//!
//! Invariant: runs are dispatched to engines here alone ([`Ready::run`], [`Ready::run_part`]).
//!
//! An engine works in two stages. It makes programs ready, several at once if that saves work (the native engine
//! compiles them here). Then it runs each of them any number of times. Only the first stage can fail because the engine
//! is not available on this system.

pub mod agreement;
mod first_order;
mod native;
pub mod several_engines;
mod task;

pub use native::Native;
pub use task::Task;
/// The settings of compilation, for the engine that compiles.
pub use vlad_compiler::Settings;
/// Runs of the specification for a look at its operations, and at its steps.
pub use vlad_interp::{run_logged, walk};

use std::fmt;
use vlad_compiler::Specialise;
use vlad_compiler::compiled::doctor;
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, Search, Toolchain, ToolchainError};
use vlad_core::diagnostic::Diagnostic;
use vlad_runtime::run::{Host, Report};
use vlad_runtime::suspended::{PartEnd, PartRequest, Scope};
use vlad_table::internal_bug;

/// An engine, or a part of one that is compared with the engines as if it were one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter.
    Interp,
    /// The direct-style evaluator of converted code.
    Hybrid,
    /// The compiler to C.
    Native,
    /// The compiler to C, without specialised code.
    NativeTagged,
    /// The evaluator of the first-order code that the compiler makes of specialised items.
    FirstOrder,
}

/// A program that an engine made ready to run.
#[derive(Debug)]
pub enum Ready {
    /// For the interpreter, which runs programs as they are.
    Interp,
    /// For the hybrid engine, likewise.
    Hybrid,
    /// For the native engine: compiled and loaded.
    Native(Box<Native>),
    /// For the evaluator of first-order code, which makes that code at each run.
    FirstOrder,
}

impl Engine {
    /// Every engine that runs programs for users, the specification first.
    pub const ALL: [Engine; 3] = [Engine::Interp, Engine::Hybrid, Engine::Native];

    /// Everything that `vlad conform` and `vlad fuzz` compare, in the order of comparison. The first one of a comparison
    /// may run under a limit of steps, where nothing is specialised, so code without specialisation comes first.
    pub const COMPARED: [Engine; 5] =
        [Engine::Interp, Engine::Hybrid, Engine::NativeTagged, Engine::Native, Engine::FirstOrder];

    /// The fastest engine that needs no compiler; `auto` begins with it.
    pub const WITHOUT_COMPILER: Engine = Engine::Hybrid;

    /// The default engine for parts of runs.
    pub const FOR_PARTS: Engine = Engine::WITHOUT_COMPILER;

    /// The name of the engine for `--engine`.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Interp => "interp",
            Engine::Hybrid => "hybrid",
            Engine::Native => "native",
            Engine::NativeTagged => "native-tagged",
            Engine::FirstOrder => "first-order",
        }
    }

    /// A description of one line for the help of the command.
    pub fn description(self) -> &'static str {
        match self {
            Engine::Interp => "An interpreter, the executable specification",
            Engine::Hybrid => "An evaluator of CPS-converted code",
            Engine::Native => "Code compiled by the system's C compiler",
            Engine::NativeTagged => "native, always with `--specialise never`",
            Engine::FirstOrder => "An evaluator of the first-order code of specialised items, without a C compiler",
        }
    }

    /// The engine of a name.
    pub fn named(name: &str) -> Option<Engine> {
        Engine::COMPARED.into_iter().find(|engine| engine.name() == name)
    }

    /// Returns true if it calls the C compiler.
    pub fn compiles(self) -> bool {
        match self {
            Engine::Native | Engine::NativeTagged => true,
            Engine::Interp | Engine::Hybrid | Engine::FirstOrder => false,
        }
    }

    /// Makes programs ready, in their order, to be run as a whole.
    ///
    /// # Errors
    /// As for [`Engine::make_ready_for`].
    pub fn make_ready(self, tasks: &[Task<'_>], settings: &Settings) -> Result<Vec<Ready>, ToolchainError> {
        self.make_ready_for(Scope::Whole, tasks, settings)
    }

    /// Makes programs ready, in their order, for runs of that scope.
    ///
    /// # Errors
    /// Returns the error if the engine needs a C compiler and there is none, or the compiler fails.
    pub fn make_ready_for(
        self,
        scope: Scope,
        tasks: &[Task<'_>],
        settings: &Settings,
    ) -> Result<Vec<Ready>, ToolchainError> {
        match self {
            Engine::Interp => Ok(tasks.iter().map(|_| Ready::Interp).collect()),
            Engine::Hybrid => Ok(tasks.iter().map(|_| Ready::Hybrid).collect()),
            Engine::FirstOrder => Ok(tasks.iter().map(|_| Ready::FirstOrder).collect()),
            Engine::NativeTagged => {
                let settings = Settings { specialise: Specialise::Never, ..settings.clone() };
                Engine::Native.make_ready_for(scope, tasks, &settings)
            }
            Engine::Native => {
                let tasks = tasks.iter().map(|task| vlad_compiler::Task::with_scope(scope, task.program, task.limits));
                let tasks: Vec<vlad_compiler::Task<'_>> = tasks.collect();
                let loaded = vlad_compiler::compile(&tasks, settings)?.into_iter();
                Ok(loaded.map(|loaded| Ready::Native(Box::new(Native::new(loaded, settings)))).collect())
            }
        }
    }

    /// Checks with a small trial that the engine works on this machine.
    ///
    /// # Errors
    /// As for [`Engine::make_ready`].
    pub fn try_out(self, settings: &Settings) -> Result<(), ToolchainError> {
        match self {
            Engine::Interp | Engine::Hybrid | Engine::FirstOrder => Ok(()),
            Engine::Native | Engine::NativeTagged => {
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
    /// Runs the program, which must be the one that was made ready.
    pub fn run(&self, task: Task<'_>, host: &mut dyn Host) -> Report {
        match self {
            Ready::Interp => vlad_interp::run(task.program, host, task.limits),
            Ready::Hybrid => vlad_hybrid::run(task.program, host, task.limits),
            Ready::Native(native) => native.run(task, host),
            Ready::FirstOrder => first_order::run(task.program, host, task.limits),
        }
    }

    /// The items that specialised code gave up in the last run, each with its place and the reason.
    pub fn given_up(&self) -> Vec<Diagnostic> {
        match self {
            Ready::Native(native) => native.given_up(),
            Ready::Interp | Ready::Hybrid | Ready::FirstOrder => Vec::new(),
        }
    }

    /// Runs a part of the program, which must have been made ready for parts.
    pub fn run_part(&self, task: Task<'_>, host: &mut dyn Host, part: PartRequest) -> PartEnd {
        match self {
            Ready::Interp => vlad_interp::run_part(task.program, host, task.limits, part),
            // Runs in parts have no first-order code.
            Ready::Hybrid | Ready::FirstOrder => vlad_hybrid::run_part(task.program, host, task.limits, part),
            Ready::Native(native) => native.run_part(task, host, part),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
