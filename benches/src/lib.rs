//! Measurements: programs on the engines, against hand-written C where there is a reference, and the command as a
//! process.
//!
//! Only figures taken in one run, turn by turn, are comparable: the machine's speed changes from minute to minute.
//! Invariant: a figure is of a run that ended normally, and engines that are compared printed the same and took the
//! same steps; otherwise the result is an error instead of a figure.

mod arguments;
mod arrays;
mod command;
mod figures;
mod problem;
mod problems;
mod turns;
mod workload;
mod yardstick;

pub use arguments::Arguments;
pub use arrays::{ARRAYS, large_input};
pub use command::{Ran, Vlad};
pub use figures::{cell, median};
pub use problem::{Formulation, Problem, numbers_in};
pub use problems::PROBLEMS;
pub use turns::{COMMAND_LIMITS, Measured, Subject, UNLIMITED, take_turns};
pub use workload::{WORKLOADS, Workload, Yardstick, load, program_path, root, seed_path};
pub use yardstick::{Reported, run_yardstick, seconds_of_unit};

use std::fmt::Display;
use std::io;

/// An error that consists of a message.
pub fn fault(message: impl Display) -> io::Error {
    io::Error::other(message.to_string())
}
