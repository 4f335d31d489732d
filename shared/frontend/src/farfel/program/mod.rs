//! The program: subprograms and nested statements.

pub mod nesting;
pub mod targets;
pub mod units;
pub mod walk;
