//! The context in which user data is traversed.

use vlad_core::Program;
use vlad_values::watch::LimitCheck;

/// The context of a traversal of user data: the program, to compare code, and the clock and cancellation check, since
/// data may be huge.
#[derive(Debug)]
pub struct TraversalContext<'run> {
    /// The program that runs.
    pub program: &'run Program,
    /// Its clock and memory check.
    pub watch: &'run mut LimitCheck,
}
