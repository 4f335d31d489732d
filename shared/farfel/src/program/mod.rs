//! The program: subprograms and nested statements.

mod interfaces;
pub mod nesting;
mod statement_functions;
pub mod targets;
mod transfers;
pub mod units;
pub mod walk;
