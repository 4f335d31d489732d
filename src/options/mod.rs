//! The options that several subcommands take.

pub mod operand;
pub mod program;

pub mod engine;
pub mod passes;

pub mod checkpoint;
pub mod limits;
pub mod run;
