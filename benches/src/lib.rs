//! What is measured, and how: programs on the engines, against hand-written C where there is some, and the command as a
//! process.
//!
//! Only figures taken in one run, turn by turn, may be compared: the machine's speed changes from minute to minute.
//! Invariant: a figure is of a run that ended well, and engines that are compared printed the same and took the same
//! steps; anything else is an error instead of a figure.

mod arguments;
mod command;
mod figures;
mod turns;
mod workload;

pub use arguments::Arguments;
pub use command::{Ran, Vlad};
pub use figures::{cell, median};
pub use turns::{AS_THE_COMMAND, Measured, Subject, UNLIMITED, take_turns};
pub use workload::{WORKLOADS, Workload, Yardstick, load, program_path, root, seconds_of_unit, seed_path};

use std::fmt::Display;
use std::io;

/// An error that is a message and nothing else.
pub fn fault(message: impl Display) -> io::Error {
    io::Error::other(message.to_string())
}
