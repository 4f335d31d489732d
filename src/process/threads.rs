//! The threads that the command starts beside the one that runs the program.
//!
//! Each has a stack of a fixed size. The default of the standard library can be changed from outside (the environment
//! variable `RUST_MIN_STACK`); with a large value and little address space no watchdog could start.

use std::thread::Builder;

/// The size of the stack of a thread, in bytes: the default of the standard library.
const STACK: usize = 2 << 20;

/// Returns the builder of a thread with that name, which debuggers and `top` show.
pub fn named(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(STACK)
}
