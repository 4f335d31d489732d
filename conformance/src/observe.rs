//! Observation of an engine's behaviour on a program, from loading to the end of the run: output, errors, steps.

use std::path::PathBuf;
use vlad_engines::{Engine, Settings, Task};
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::render::{self, Style};
use vlad_shared::core::report::Failure;
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The conditions of a run: input, include folders, limits, notation and compilation.
#[derive(Clone, Debug, Default)]
pub struct RunConditions {
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
    let options = Options { include_folders: setting.include_folders.clone(), ..Options::default() };
    let program = match load::load(program, &options) {
        Ok(program) => program,
        Err(Failure { diagnostics, sources }) => {
            return Observation { output: Vec::new(), diagnostics, sources, steps: None };
        }
    };
    let mut host = StreamHost::new(setting.input.as_bytes(), Vec::new(), setting.notation);
    let task = Task { program: &program, limits: &setting.limits };
    let report = match engine.run(task, &setting.compilation, &mut host) {
        Ok(report) => report,
        Err(error) => {
            let diagnostics = vec![Diagnostic::new(Kind::File, None, error.to_string())];
            return Observation { output: Vec::new(), diagnostics, sources: program.sources, steps: None };
        }
    };
    let output = String::from_utf8_lossy(&host.into_output()).lines().map(str::to_owned).collect();
    let diagnostics = match report.outcome {
        Outcome::Finished | Outcome::OutputClosed => Vec::new(),
        Outcome::Failed(diagnostic) => vec![*diagnostic],
    };
    Observation { output, diagnostics, sources: program.sources, steps: Some(report.steps) }
}
