//! The process and its environment: faults, signals, streams, and the terminal during a long run.

mod faults;
mod interruption;
mod progress;
mod streams;
