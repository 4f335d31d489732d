//! Engine selection: the engines that the user asks for, and the ones that run the program on this machine.

use crate::automatic::Request;
use crate::console::Console;
use crate::limits::Trust;
use crate::pass_arguments::PassArguments;
use crate::signals;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::time::Instant;
use vlad_compiler::cache::{self, Cache, CachePolicy, Mark};
use vlad_compiler::toolchain::{Search, ToolchainError};
use vlad_compiler::{Loaded, Passes, SizePolicy, Specialise, prepare};
use vlad_engines::{Engine, Native, Ready, Settings, Task};
use vlad_shared::runtime::suspended::Scope;

/// The value of `--engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The fastest engine that works here.
    Automatic,
    /// This one.
    One(Engine),
    /// All of them, compared with each other.
    All,
}

/// The options that choose engines.
#[derive(Debug, Args)]
pub struct EngineArguments {
    /// The engine that runs the program
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = choices())]
    pub engine: EngineChoice,
    /// The options for compiling programs.
    #[command(flatten)]
    pub compiler: CompilerArguments,
}

/// The options about compiled programs.
#[derive(Debug, Args)]
pub struct CompilerArguments {
    /// The C compiler of the engine `native`: a path, or a name that is looked up in PATH (tcc compiles fastest, cc
    /// makes faster programs); if not given, the one that VLAD_CC names
    #[arg(long, value_name = "COMPILER")]
    cc: Option<OsString>,
    /// Neither look for compiled programs in the cache nor keep them there
    #[arg(long)]
    no_cache: bool,
    /// The top-level items that the engine `native` specialises: computes on plain numbers, with derivatives removed
    /// beforehand
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = specialisations())]
    specialise: Specialise,
    /// The options for the passes over specialised code.
    #[command(flatten)]
    passes: PassArguments,
}

impl CompilerArguments {
    /// Returns the settings of these options.
    pub fn settings(&self) -> Settings {
        let cache = if self.no_cache { CachePolicy::Bypass } else { CachePolicy::Use };
        let (compiler, specialise, passes) = (self.cc.clone(), self.specialise, self.passes.passes);
        Settings { compiler, cache, specialise, passes, ..Settings::default() }
    }

    /// Returns the words of the command line that give these options, except those for the cache.
    pub fn words(&self) -> Vec<OsString> {
        let specialise = match self.specialise {
            Specialise::Never => "--specialise=never",
            Specialise::Auto => "--specialise=auto",
            Specialise::Always => "--specialise=always",
        };
        let compiler = self.cc.iter().flat_map(|compiler| ["--cc".into(), compiler.clone()]);
        compiler.chain([specialise.into(), format!("--specialise-passes={}", self.passes.passes).into()]).collect()
    }

    /// Refuses `--specialise always` for something that is never specialised.
    pub fn not_always(&self, what: &str) -> Option<clap::Error> {
        let message = format!("--specialise always: {what} is not specialised\n");
        self.always().map(|_| clap::Error::raw(ErrorKind::ArgumentConflict, message))
    }

    /// Returns the passes by which all items have to be specialised, if they have to be.
    pub fn always(&self) -> Option<Passes> {
        (self.specialise == Specialise::Always).then_some(self.passes.passes)
    }

    /// Returns true if the user names a compiler, by an option or in the environment.
    pub fn name_a_compiler(&self) -> bool {
        self.cc.is_some() || env::var_os("VLAD_CC").is_some_and(|name| !name.is_empty())
    }
}

/// The parser of the value of `--specialise`.
fn specialisations() -> impl TypedValueParser<Value = Specialise> {
    let names = [
        PossibleValue::new("never").help("None"),
        PossibleValue::new("auto").help("Those that can be specialised"),
        PossibleValue::new("always").help("All that compute something; it is an error if one cannot be"),
    ];
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "never" => Specialise::Never,
        "always" => Specialise::Always,
        _ => Specialise::Auto,
    })
}

/// The parser of the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = Engine> {
    engines_of(&Engine::ALL)
}

/// The parser of the name of an engine or of a part of one, to be compared with others.
pub fn compared_engines() -> impl TypedValueParser<Value = Engine> {
    engines_of(&Engine::COMPARED)
}

fn engines_of(engines: &[Engine]) -> impl TypedValueParser<Value = Engine> + use<> {
    let name = |engine: &Engine| PossibleValue::new(engine.name()).help(engine.description());
    let names: Vec<PossibleValue> = engines.iter().map(name).collect();
    PossibleValuesParser::new(names).map(|name| Engine::named(&name).unwrap_or(Engine::ALL[0]))
}

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

/// The parser of the value of `--engine`.
fn choices() -> impl TypedValueParser<Value = EngineChoice> {
    let first = PossibleValue::new("auto").help("hybrid at first, and native as soon as the program is compiled");
    let last = PossibleValue::new("all").help("All of them on the same input, compared with each other");
    let names = Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.description()));
    PossibleValuesParser::new([first].into_iter().chain(names).chain([last])).map(|name| match name.as_str() {
        "all" => EngineChoice::All,
        other => Engine::named(other).map_or(EngineChoice::Automatic, EngineChoice::One),
    })
}

/// The parser of the engine of a built program.
pub fn choices_to_build() -> impl TypedValueParser<Value = EngineChoice> {
    let first = PossibleValue::new("auto").help("native, or hybrid if the program is too large to be compiled");
    let names = Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.description()));
    PossibleValuesParser::new([first].into_iter().chain(names))
        .map(|name| Engine::named(&name).map_or(EngineChoice::Automatic, EngineChoice::One))
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
    let may_be_there = || Cache::open(settings.cache).has(&Mark::of(compiled, settings.specialise, settings.passes));
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
        match (prepared.cached(&tasks), wanted) {
            (Some(loaded), _) => Ok(native(loaded)),
            (None, AutoRequirement::AnAnswer) => Ok(request()),
            (None, AutoRequirement::OneEngine) => prepared.compile(&tasks).map(native),
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
