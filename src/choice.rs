//! Which engines the user chooses, and what becomes of the choice on this machine.

use crate::console::Console;
use crate::limits::Trust;
use crate::signals;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::time::Instant;
use vlad_compiler::Willingness;
use vlad_compiler::cache::{self, CachePolicy};
use vlad_compiler::toolchain::ToolchainError;
use vlad_conformance::engine::{Engine, Ready, Settings, Task};
use vlad_shared::suspended::Scope;

/// What `--engine` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The best that works here.
    Automatic,
    /// This one.
    One(Engine),
    /// All of them, compared with each other.
    All,
}

/// The options that choose engines.
#[derive(Debug, Args)]
pub struct EngineArguments {
    /// What runs the program
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = choices())]
    pub engine: Choice,
    /// How programs are compiled.
    #[command(flatten)]
    pub compiler: CompilerArguments,
}

/// The options about compiled programs.
#[derive(Debug, Args)]
pub struct CompilerArguments {
    /// The C compiler of the engine `native`: a path, or a name that is looked up in PATH (tcc compiles fastest, cc makes
    /// faster programs); else VLAD_CC says it
    #[arg(long, value_name = "COMPILER")]
    cc: Option<OsString>,
    /// Neither look for compiled programs in the cache nor keep them there
    #[arg(long)]
    no_cache: bool,
}

impl CompilerArguments {
    /// The settings that they amount to.
    pub fn settings(&self) -> Settings {
        let cache = if self.no_cache { CachePolicy::Bypass } else { CachePolicy::Use };
        Settings { compiler: self.cc.clone(), cache, ..Settings::default() }
    }

    /// Whether the user names a compiler, here or in the environment.
    pub fn name_a_compiler(&self) -> bool {
        self.cc.is_some() || env::var_os("VLAD_CC").is_some_and(|name| !name.is_empty())
    }
}

/// Reads the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = Engine> {
    let names = Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.description()));
    PossibleValuesParser::new(names).map(|name| Engine::named(&name).unwrap_or(Engine::ALL[0]))
}

/// Reads a choice of engines.
fn choices() -> impl TypedValueParser<Value = Choice> {
    let first =
        PossibleValue::new("auto").help("The fastest engine that works on this machine; hybrid for suspend and resume");
    let last = PossibleValue::new("all").help("All of them on the same input, compared with each other");
    let names = Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.description()));
    PossibleValuesParser::new([first].into_iter().chain(names).chain([last])).map(|name| match name.as_str() {
        "all" => Choice::All,
        other => Engine::named(other).map_or(Choice::Automatic, Choice::One),
    })
}

/// What compiled programs may take, and where they may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// The compiler has until then.
    pub deadline: Option<Instant>,
    /// The memory of each of its processes.
    pub memory: Option<u64>,
    /// Whether the program is trusted. If not, nothing of it is kept but where the user has named a folder for that.
    pub trust: Trust,
}

impl Allowance {
    fn settings(&self, arguments: &CompilerArguments) -> Settings {
        let time_limit = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let settings = Settings { time_limit, memory_limit: self.memory, ..arguments.settings() };
        match self.trust {
            Trust::Sandboxed if !cache::is_named() => Settings { cache: CachePolicy::Bypass, ..settings },
            Trust::Sandboxed | Trust::Trusted => settings,
        }
    }
}

/// Makes a program ready on the engines chosen, and tells the console which they are.
pub fn make_ready(
    arguments: &EngineArguments,
    task: Task<'_>,
    scope: Scope,
    console: &Console,
    allowance: &Allowance,
) -> Result<Vec<(Engine, Ready)>, ToolchainError> {
    let settings = allowance.settings(&arguments.compiler);
    match (arguments.engine, scope) {
        // A part of a run is run once; the engine that is best at that is the one that is ready at once.
        (Choice::Automatic, Scope::Part) => on(&[Engine::FOR_PARTS], task, scope, &settings, console),
        (Choice::One(engine), _) => on(&[engine], task, scope, &settings, console),
        (Choice::All, _) => on(&Engine::ALL, task, scope, &settings, console),
        (Choice::Automatic, Scope::Whole) => {
            let settings = Settings { willingness: Willingness::NotHuge, ..settings };
            automatic(arguments, task, &settings, console, allowance.deadline)
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

/// Whether the compiler was ended because the time is up that the user has given.
pub fn ended_by_deadline(error: &ToolchainError, deadline: Option<Instant>) -> bool {
    let is_past = deadline.is_some_and(|deadline| deadline <= Instant::now());
    is_past && matches!(error, ToolchainError::TimedOut { .. })
}

/// The first engine that works. That there is no compiler, or that it would take long, is nothing to speak of; that one
/// does not work is. If the
/// compiler took all the time that there is, no other engine is tried.
fn automatic(
    arguments: &EngineArguments,
    task: Task<'_>,
    settings: &Settings,
    console: &Console,
    deadline: Option<Instant>,
) -> Result<Vec<(Engine, Ready)>, ToolchainError> {
    let mut engines = Engine::AUTOMATIC.into_iter().peekable();
    while let Some(engine) = engines.next() {
        match (on(&[engine], task, Scope::Whole, settings, console), engines.peek()) {
            (Err(error), Some(next)) if !ended_by_deadline(&error, deadline) => {
                // If a signal has ended the compiler, nothing else is tried.
                signals::wait_if_ending();
                let expected = matches!(error, ToolchainError::NotFound { .. } | ToolchainError::TooLarge);
                if !expected || arguments.compiler.name_a_compiler() {
                    let reason = error.to_string();
                    let reason = reason.lines().next().unwrap_or_default();
                    let note = format!("note: `{next}` runs the program, since `{engine}` cannot: {reason}\n");
                    // A note that cannot be written is no reason to fail.
                    let _ = io::stderr().lock().write_all(note.as_bytes());
                }
            }
            (made, _) => return made,
        }
    }
    Ok(Vec::new())
}
