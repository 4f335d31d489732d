//! The end of a run and the lines that it printed, as the console reports them: in words ([`crate::output::console`]) or as
//! JSON ([`crate::output::json`]).

use crate::process::exit::Exit;
use vlad_compiler::toolchain::ToolchainError;
use vlad_engines::agreement::Disagreement;
use vlad_shared::core::diagnostic::{Diagnostic, Severity};
use vlad_shared::core::source::SourceMap;
use vlad_shared::runtime::run::Origin;

/// A line of the program's output, kept for JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// The origin of the line: the value of a top-level expression, or a `write` of the program.
    pub origin: Origin,
    /// The text of the line, without its end.
    pub text: String,
}

/// The end of a run, as it is reported.
#[derive(Clone, Copy)]
pub struct Conclusion<'run> {
    /// The errors and warnings.
    pub diagnostics: &'run [Diagnostic],
    /// The texts that the diagnostics refer to.
    pub sources: &'run SourceMap,
    /// The number of steps taken, if it is known.
    pub steps: Option<u64>,
    /// The differences between engines.
    pub disagreements: &'run [Disagreement],
    /// The reason why the program could not be compiled.
    pub compiler: Option<&'run ToolchainError>,
    /// The cost of operators, for JSON.
    pub profile: Option<&'run serde_json::Value>,
    /// The explanation of what is specialised, for JSON.
    pub explanation: Option<&'run serde_json::Value>,
    /// The calls with specialised code for what is not specialised, for JSON.
    pub specialised_calls: Option<&'run serde_json::Value>,
    /// The items that specialised code gave up, for JSON.
    pub given_up: &'run [Diagnostic],
    /// The treatment of warnings.
    pub warnings: Warnings,
}

/// The treatment of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warnings {
    /// They are reported.
    Allowed,
    /// They are reported, and are failures.
    Denied,
}

impl<'run> Conclusion<'run> {
    /// The end of a run on one engine, or of a command that runs nothing.
    pub fn new(diagnostics: &'run [Diagnostic], sources: &'run SourceMap, steps: Option<u64>) -> Conclusion<'run> {
        Conclusion {
            diagnostics,
            sources,
            steps,
            disagreements: &[],
            given_up: &[],
            compiler: None,
            profile: None,
            explanation: None,
            specialised_calls: None,
            warnings: Warnings::Allowed,
        }
    }

    /// Returns true if there is an error, or a warning where warnings are denied.
    pub fn is_failed(&self) -> bool {
        let fails = |diagnostic: &Diagnostic| match (diagnostic.kind.severity(), self.warnings) {
            (Severity::Error, _) | (Severity::Warning, Warnings::Denied) => true,
            (Severity::Warning, Warnings::Allowed) => false,
        };
        self.compiler.is_some() || self.diagnostics.iter().any(fails)
    }

    /// Returns the ending of the process.
    pub fn ending(&self) -> Exit {
        if self.compiler.is_some() {
            Exit::NoCompiler
        } else if !self.disagreements.is_empty() {
            Exit::Disagreement
        } else if self.is_failed() {
            Exit::Failure
        } else {
            Exit::Success
        }
    }
}
