//! The work for an engine.

use vlad_core::Program;
use vlad_runtime::run::Limits;

/// A program and the limits of its run.
#[derive(Clone, Copy, Debug)]
pub struct Task<'program> {
    /// The program.
    pub program: &'program Program,
    /// The limits. The code that is generated for a program may depend on them.
    pub limits: &'program Limits,
}
