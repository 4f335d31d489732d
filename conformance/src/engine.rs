//! The engines under test. This adapter is the only place of the crate that knows them.

use std::fmt;
use vlad_shared::core::Program;
use vlad_shared::run::{Host, Limits, Report};

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter.
    Interp,
}

impl Engine {
    /// Every engine, the specification first.
    pub const ALL: [Engine; 1] = [Engine::Interp];

    /// The name that `--engine` knows it by.
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

impl fmt::Display for Engine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
