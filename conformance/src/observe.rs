//! What an engine does with a program: its output, its errors, its steps. From loading to the end of the run.

use crate::engine::{Engine, Settings, Task};
use std::path::PathBuf;
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::load::{self, Failure, Input, Options};
use vlad_shared::print::Notation;
use vlad_shared::render::{self, Style};
use vlad_shared::run::{Limits, Outcome, StreamHost};
use vlad_shared::source::SourceMap;

/// What is given to a program.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// The standard input.
    pub input: String,
    /// Folders to look for includes in, after the program's own.
    pub include_folders: Vec<PathBuf>,
    /// The bounds of the run.
    pub limits: Limits,
    /// How reals are written.
    pub notation: Notation,
    /// How the program is compiled.
    pub compilation: Settings,
}

/// What came of it.
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

/// Loads a program and runs it on an engine. That the engine needs a compiler and cannot have it is told as an error of
/// its own, of files, which no case expects.
pub fn observe(engine: Engine, program: Input, setting: &Setting) -> Observation {
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
