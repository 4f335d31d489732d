//! Engine selection: the engines that run the program on this machine, made ready for it.

use super::automatic::Request;
use crate::options::engine::{CompilerArguments, EngineArguments, EngineChoice};
use crate::options::limits::Trust;
use crate::output::console::Console;
use crate::process::signals;
use std::io::{self, Write};
use std::time::Instant;
use vlad_compiler::compiled::cache::{self, Cache, CachePolicy, DataInMark, Mark};
use vlad_compiler::toolchain::{Search, ToolchainError};
use vlad_compiler::{Loaded, SizePolicy, Specialise, prepare};
use vlad_engines::{Engine, Native, Ready, Settings, Task};
use vlad_shared::runtime::suspended::Scope;

/// Returns the engines that are asked for or, if none is, those of [`Engine::ALL`] that work here, in the order of
/// [`Engine::COMPARED`]. A note on the standard error tells of an engine that does not.
///
/// # Errors
/// An engine that is asked for needs a C compiler, and none works; or the compiler that the user names is not there.
pub fn engines_that_work(
    asked_for: &[Engine],
    compiler: &CompilerArguments,
    settings: &Settings,
) -> Result<Vec<Engine>, ToolchainError> {
    let is_missing = |error: &ToolchainError| matches!(error, ToolchainError::NotFound { .. });
    let mut engines = Vec::new();
    for engine in Engine::COMPARED {
        let is_asked_for = asked_for.contains(&engine);
        let is_wanted = if asked_for.is_empty() { Engine::ALL.contains(&engine) } else { is_asked_for };
        if !is_wanted {
            continue;
        }
        match engine.try_out(settings) {
            Ok(()) => engines.push(engine),
            Err(error) if !(is_asked_for || compiler.name_a_compiler() && is_missing(&error)) => {
                let reason = error.to_string();
                let note = format!("note: without `{engine}`: {}\n", reason.lines().next().unwrap_or_default());
                // A failed write of a note is ignored.
                let _ = io::stderr().lock().write_all(note.as_bytes());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(engines)
}

/// Notes on the standard error that another engine runs the program, since compiled code cannot. A failed write of a note
/// is ignored.
pub fn note_fallback(reason: &str, console: &Console) {
    console.hide_line();
    let other = Engine::WITHOUT_COMPILER;
    let reason = reason.lines().next().unwrap_or_default();
    let note = format!("note: `{other}` runs the program, since `native` cannot: {reason}\n");
    let _ = io::stderr().lock().write_all(note.as_bytes());
}

/// The limits of compiling a program, and its trust, which decides on the use of the cache.
#[derive(Clone, Copy, Debug)]
pub struct CompilationLimits {
    /// The deadline of the compiler.
    pub deadline: Option<Instant>,
    /// The memory limit of each process of the compiler.
    pub memory: Option<u64>,
    /// The trust in the program. Nothing of an untrusted one is cached, unless the user has named a folder for the
    /// cache.
    pub trust: Trust,
}

impl CompilationLimits {
    /// Returns the settings of the compiler under these limits.
    pub fn settings(&self, arguments: &CompilerArguments) -> Settings {
        let time_limit = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let settings = Settings { time_limit, memory_limit: self.memory, ..arguments.settings() };
        match self.trust {
            Trust::Sandboxed if !cache::is_named() => Settings { cache: CachePolicy::Bypass, ..settings },
            Trust::Sandboxed | Trust::Trusted => settings,
        }
    }
}

/// The engines that are going to run a program.
pub enum Runner {
    /// These engines, with the program prepared for each.
    Engines(Vec<(Engine, Ready)>),
    /// `hybrid`, and `native` once this request has been carried out.
    Automatic(Request),
}

/// The requirement of a run on `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoRequirement {
    /// A result as soon as possible.
    AnAnswer,
    /// One engine from beginning to end, since its costs are measured.
    OneEngine,
}

/// Prepares a program for the chosen engines, and reports these to the console.
pub fn make_ready(
    arguments: &EngineArguments,
    task: Task<'_>,
    scope: Scope,
    wanted: AutoRequirement,
    console: &Console,
    allowance: &CompilationLimits,
) -> Result<Runner, ToolchainError> {
    let mut settings = allowance.settings(&arguments.compiler);
    if wanted == AutoRequirement::OneEngine {
        // Specialised code does not report operators.
        settings.specialise = Specialise::Never;
    }
    let engines = |engines: &[Engine]| on(engines, task, scope, &settings, console).map(Runner::Engines);
    match (arguments.engine, scope) {
        // A part of a run is run only once, so the best engine for it is the one that starts at once.
        (EngineChoice::Automatic, Scope::Items | Scope::Part) => engines(&[Engine::FOR_PARTS]),
        (EngineChoice::One(engine), _) => engines(&[engine]),
        (EngineChoice::All, _) => engines(&Engine::ALL),
        (EngineChoice::Automatic, Scope::Whole) => {
            let settings = Settings { willingness: SizePolicy::NotHuge, ..settings };
            automatic(arguments, task, &settings, wanted, console, allowance.deadline)
        }
    }
}

fn on(
    engines: &[Engine],
    task: Task<'_>,
    scope: Scope,
    settings: &Settings,
    console: &Console,
) -> Result<Vec<(Engine, Ready)>, ToolchainError> {
    console.set_engines(engines);
    let mut all = Vec::new();
    for engine in engines {
        let ready = engine.make_ready_for(scope, &[task], settings)?;
        all.extend(ready.into_iter().map(|ready| (*engine, ready)));
    }
    Ok(all)
}

/// Returns true if the compiler was ended because the user's time limit is reached.
pub fn ended_by_deadline(error: &ToolchainError, deadline: Option<Instant>) -> bool {
    let is_past = deadline.is_some_and(|deadline| deadline <= Instant::now());
    is_past && matches!(error, ToolchainError::TimedOut { .. })
}

/// The selection of `auto`: `native` for a program whose object is in the cache, else `hybrid` with a request to
/// compile it. If there is no compiler, or compiling would take long, no note is written, unless the user names a
/// compiler. A profile is made of compiled code wherever there is a compiler; if compiling fails, a note says so, and
/// if it exceeds the deadline, no other engine is tried.
fn automatic(
    arguments: &EngineArguments,
    task: Task<'_>,
    settings: &Settings,
    wanted: AutoRequirement,
    console: &Console,
    deadline: Option<Instant>,
) -> Result<Runner, ToolchainError> {
    let compiled = vlad_compiler::Task::with_limits(task.program, task.limits);
    let request = || Runner::Automatic(Request::new(compiled, settings));
    let tasks = [compiled];
    // The cache is not searched for a program that was never compiled.
    let may_be_there = || {
        let (cache, data) = (Cache::open(settings.cache), [DataInMark::Shapes, DataInMark::Texts]);
        let mark = |data| Mark::of(compiled, (settings.specialise, settings.passes), data);
        data.into_iter().any(|data| cache.has(&mark(data)))
    };
    let is_looked_for = wanted == AutoRequirement::OneEngine || may_be_there();
    let native = |loaded: Vec<Loaded>| {
        console.set_engines(&[Engine::Native]);
        Runner::Engines(
            loaded
                .into_iter()
                .map(|loaded| (Engine::Native, Ready::Native(Box::new(Native::new(loaded, settings)))))
                .collect(),
        )
    };
    let look = || {
        let prepared = prepare(&tasks, settings)?;
        match (prepared.cached()?, wanted) {
            (Some(loaded), _) => Ok(native(loaded)),
            (None, AutoRequirement::AnAnswer) => Ok(request()),
            (None, AutoRequirement::OneEngine) => prepared.compile().map(native),
        }
    };
    let runner = match is_looked_for {
        true => look(),
        false => Search::with_environment(settings.compiler.clone()).place().map(|_| request()),
    };
    match runner {
        Err(error) if !ended_by_deadline(&error, deadline) => {
            // If a signal has ended the compiler, the process is about to end, and no other engine is tried.
            signals::wait_if_ending();
            let expected = matches!(error, ToolchainError::NotFound { .. } | ToolchainError::TooLarge);
            if !expected || arguments.compiler.name_a_compiler() {
                note_fallback(&error.to_string(), console);
            }
            on(&[Engine::WITHOUT_COMPILER], task, Scope::Whole, settings, console).map(Runner::Engines)
        }
        other => other,
    }
}
