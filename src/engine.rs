//! The engines that this version has: the one list of them.

use vlad_shared::core::Program;
use vlad_shared::run::{Host, Limits, Report};

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// The evaluator over core: the executable specification
    Interp,
}

impl Engine {
    /// The name that the user gives it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Interp => "interp",
        }
    }

    /// Runs a program.
    pub fn run(self, program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
        match self {
            Engine::Interp => vlad_interp::run(program, host, limits),
        }
    }
}
