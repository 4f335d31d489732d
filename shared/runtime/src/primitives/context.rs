//! The context in which primitives are applied, and the reasons for which one has no value.

use crate::run::Host;
use vlad_ad::Levels;
use vlad_core::Program;
use vlad_values::fault::RuntimeError;
use vlad_values::watch::LimitCheck;

/// The reason for which a primitive has no value.
#[derive(Debug)]
pub enum Fault {
    /// A fault of the program, or a limit that was reached.
    RuntimeError(RuntimeError),
    /// The reader of the output has closed it.
    OutputClosed,
}

impl From<RuntimeError> for Fault {
    fn from(trouble: RuntimeError) -> Fault {
        Fault::RuntimeError(trouble)
    }
}

/// The parts of a run that primitives work with.
pub struct Context<'run> {
    /// The program that runs.
    pub program: &'run Program,
    /// The differentiations in progress.
    pub levels: &'run mut Levels,
    /// The clock and cancellation check.
    pub watch: &'run mut LimitCheck,
    /// Input and output.
    pub host: &'run mut dyn Host,
}
