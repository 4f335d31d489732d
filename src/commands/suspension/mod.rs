//! Runs in two processes: one that stops at a step, and one that goes on from the file.

pub mod resume;
pub mod suspend;
