//! The process of the command: its memory, its threads, the signals that it gets, and its end.

pub mod allocation;
pub mod exhaustion;
pub mod memory;

pub mod own_executable;
pub mod threads;

pub mod interruption;
pub mod signals;

pub mod exit;
