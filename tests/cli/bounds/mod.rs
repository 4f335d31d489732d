//! Limits on programs: time, steps, depth, memory and files.

mod limits;
mod memory;
mod sandbox;
mod space;
