//! A batch: many expressions in one program, each printed value compared with its expectation.

use crate::reference::{Estimate, agrees};
use vlad_conformance::fast_build::{fast_build_settings, observe_text_with};
use vlad_conformance::observe::RunConditions;
use vlad_engines::{Engine, Settings};
use vlad_shared::table::number;

/// The expectation of a printed value.
pub enum Expected {
    /// This value; a zero may have either sign.
    Rounded(f64),
    /// A value near an estimate, within a relative tolerance.
    Value(Estimate, f64),
    /// A derivative near an estimate, within a relative tolerance; a zero has no sign.
    Derivative(Estimate, f64),
    /// This text.
    Exactly(String),
}

/// A program under construction, with the expectations of its expressions.
pub struct Batch {
    program: String,
    checks: Vec<(String, Expected)>,
}

impl Batch {
    /// A program that begins with some definitions.
    pub fn new(definitions: &str) -> Batch {
        Batch { program: format!("{definitions}\n"), checks: Vec::new() }
    }

    /// The number of its expressions.
    pub fn len(&self) -> usize {
        self.checks.len()
    }

    /// Adds an expression; `what` describes it in reports.
    pub fn expect(&mut self, what: &str, expression: &str, expected: Expected) {
        self.program.push_str(&format!("{expression}\n"));
        self.checks.push((format!("{what}: {expression}"), expected));
    }

    /// Runs it on every engine, and fails with everything that is wrong.
    pub fn check(self) {
        self.check_compiled(fast_build_settings());
    }

    /// Does the same with full optimisation.
    pub fn check_optimised(self) {
        self.check_compiled(Settings::default());
    }

    fn check_compiled(self, compilation: Settings) {
        let setting = RunConditions { compilation, ..RunConditions::default() };
        let mut wrong = Vec::new();
        for engine in Engine::ALL {
            let observation = observe_text_with(engine, &self.program, &setting);
            assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
            assert_eq!(observation.output.len(), self.checks.len(), "{engine} prints a line for each expression");
            for ((what, expected), actual) in self.checks.iter().zip(&observation.output) {
                if let Some(expectation) = disappointment(expected, actual) {
                    wrong.push(format!("{engine}, {what}\n    gives {actual}, expected {expectation}"));
                }
            }
        }
        let shown = wrong.iter().take(40).map(|line| format!("  {line}\n")).collect::<String>();
        assert!(wrong.is_empty(), "{} of {} are wrong:\n{shown}", wrong.len(), self.checks.len());
    }
}

/// The expected value, if the printed value does not agree with it.
fn disappointment(expected: &Expected, actual: &str) -> Option<String> {
    match expected {
        Expected::Exactly(text) => (text != actual).then(|| text.clone()),
        Expected::Rounded(real) => (number::parse(actual) != Some(*real)).then(|| format!("{real:e}")),
        Expected::Value(estimate, tolerance) => {
            let fine = number::parse(actual).is_some_and(|real| agrees(real, estimate, *tolerance));
            (!fine).then(|| format!("{} within {tolerance}", estimate.value))
        }
        Expected::Derivative(estimate, tolerance) => {
            let fine = actual != "-0" && number::parse(actual).is_some_and(|real| agrees(real, estimate, *tolerance));
            (!fine).then(|| format!("{} within {tolerance}", estimate.value))
        }
    }
}
