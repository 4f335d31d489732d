//! The program: subprograms and nested statements.

pub mod nesting;
pub mod targets;
mod transfers;
pub mod units;
pub mod walk;
