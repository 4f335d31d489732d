//! The engine: compiles programs and runs them.

use crate::loaded::Loaded;
use crate::prepared::prepare;
use crate::settings::Settings;
use crate::task::Task;
use crate::toolchain::ToolchainError;
use vlad_core::Program;
use vlad_runtime::run::{Host, Limits, Report};
use vlad_table::internal_bug;

/// Compiles programs in one run of the C compiler, and loads them. The result is in their order.
///
/// # Errors
/// There is no C compiler, it fails, or its object cannot be loaded.
pub fn compile(tasks: &[Task<'_>], settings: &Settings) -> Result<Vec<Loaded>, ToolchainError> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    prepare(tasks, settings)?.compile(tasks)
}

/// Compiles a program and runs it.
///
/// # Errors
/// As for [`compile`]; faults of the run are part of the report.
pub fn run(
    program: &Program,
    host: &mut dyn Host,
    limits: &Limits,
    settings: &Settings,
) -> Result<Report, ToolchainError> {
    let loaded = compile(&[Task::with_limits(program, limits)], settings)?;
    match loaded.first() {
        Some(loaded) => Ok(loaded.run(program, host, limits)),
        None => internal_bug!("each program is compiled"),
    }
}
