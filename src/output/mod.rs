//! The streams of the command: what a run prints, and the report of its end.

pub mod bounded_writer;
pub mod console;
pub mod progress;

pub mod conclusion;
pub mod json;
