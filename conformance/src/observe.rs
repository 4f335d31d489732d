//! Observation of an engine's behaviour on a program, from loading to the end of the run: output, errors, steps.

use std::path::PathBuf;
use vlad_compiler::toolchain::ToolchainError;
use vlad_engines::{Engine, Settings, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::render::{self, Style};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::language::Language;
use vlad_shared::runtime::run::{Host, Limits, Outcome, Report, StreamHost};
use vlad_shared::table::number::Notation;

/// The conditions of a run: input, include folders, limits, notation and compilation.
#[derive(Clone, Debug, Default)]
pub struct RunConditions {
    /// The language of the program; if none is given, the extension of its file decides.
    pub language: Option<&'static dyn Language>,
    /// The standard input.
    pub input: String,
    /// Folders to look for includes in, after the program's own.
    pub include_folders: Vec<PathBuf>,
    /// The bounds of the run.
    pub limits: Limits,
    /// The notation of reals.
    pub notation: Notation,
    /// The settings of compilation.
    pub compilation: Settings,
}

/// The observed behaviour.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The lines of standard output.
    pub output: Vec<String>,
    /// The errors, in the order reported.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the errors refer to.
    pub sources: SourceMap,
    /// The steps taken; none if the program was not run.
    pub steps: Option<u64>,
}

impl Observation {
    /// The errors as a user sees them.
    pub fn rendered(&self) -> String {
        render::render(&self.diagnostics, &self.sources, Style::Plain)
    }
}

/// Loads a program and runs it on an engine. If the engine needs a compiler and there is none, the observation has an
/// error of kind `file`, which no case expects.
pub fn observe(engine: Engine, program: Input, setting: &RunConditions) -> Observation {
    match load_with(program, setting) {
        Ok(program) => run(program, setting, |task, host| engine.run(task, &setting.compilation, host)),
        Err(failure) => not_run(failure),
    }
}

/// Does the same with several programs, in their order. Those that load are made ready together, with the given
/// compilation; if that fails, each is made ready by itself, with its own.
pub fn observe_all(engine: Engine, programs: Vec<(Input, RunConditions)>, compilation: &Settings) -> Vec<Observation> {
    let load = |(input, setting): (Input, RunConditions)| (load_with(input, &setting), setting);
    let programs: Vec<(Result<Program, Failure>, RunConditions)> = programs.into_iter().map(load).collect();
    let tasks: Vec<Task<'_>> = programs
        .iter()
        .filter_map(|(program, RunConditions { limits, .. })| Some(Task { program: program.as_ref().ok()?, limits }))
        .collect();
    let mut ready = engine.make_ready(&tasks, compilation).ok().map(Vec::into_iter);
    let observed = |(program, setting): (Result<Program, Failure>, RunConditions)| match program {
        Err(failure) => not_run(failure),
        Ok(program) => match ready.as_mut().and_then(Iterator::next) {
            Some(ready) => run(program, &setting, |task, host| Ok(ready.run(task, host))),
            None => run(program, &setting, |task, host| engine.run(task, &setting.compilation, host)),
        },
    };
    programs.into_iter().map(observed).collect()
}

fn load_with(program: Input, setting: &RunConditions) -> Result<Program, Failure> {
    let include_folders = setting.include_folders.clone();
    load::load(program, &Options { include_folders, language: setting.language, ..Options::default() })
}

fn not_run(failure: Failure) -> Observation {
    let Failure { diagnostics, sources } = failure;
    Observation { output: Vec::new(), diagnostics, sources, steps: None }
}

fn run(
    program: Program,
    setting: &RunConditions,
    on_engine: impl FnOnce(Task<'_>, &mut dyn Host) -> Result<Report, ToolchainError>,
) -> Observation {
    let host = StreamHost::new(setting.input.as_bytes(), Vec::new(), setting.notation);
    let mut host = host.reading(program.input);
    let report = match on_engine(Task { program: &program, limits: &setting.limits }, &mut host) {
        Ok(report) => report,
        Err(error) => {
            let diagnostics = vec![Diagnostic::new(Kind::File, None, error.to_string())];
            return not_run(Failure { diagnostics, sources: program.sources });
        }
    };
    let output = String::from_utf8_lossy(&host.into_output()).lines().map(str::to_owned).collect();
    let diagnostics = match report.outcome {
        Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => Vec::new(),
        Outcome::Failed(diagnostic) => vec![*diagnostic],
    };
    Observation { output, diagnostics, sources: program.sources, steps: Some(report.steps) }
}
