//! Reasons for which no case can be run.

use vlad_compiler::toolchain::ToolchainError;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};

/// The reason why nothing can be run.
pub(super) enum NothingToRun {
    /// An error.
    Error(Box<Diagnostic>),
    /// The command line is not valid.
    Usage(String),
    /// There is no C compiler that works.
    NoCompiler(ToolchainError),
}

/// An error of a kind.
pub(super) fn obstacle(kind: Kind, message: String) -> NothingToRun {
    NothingToRun::Error(Box::new(Diagnostic::new(kind, None, message)))
}

/// A command line that is not valid.
pub(super) fn usage(message: String) -> NothingToRun {
    NothingToRun::Usage(message + "\n")
}
