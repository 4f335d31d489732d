//! The streams of the command: the output of a run, and the report of its end.

pub mod bounded_writer;
pub mod console;
pub mod progress;

pub mod conclusion;
pub mod json;
