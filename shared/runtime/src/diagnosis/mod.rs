//! From a fault to its diagnostic: the place, the message as the user's program explains it, and the pending calls.

pub mod frames;

pub mod mismatch;

pub mod explain;

mod called;
mod elements;

pub mod pending;
