//! The primitives that call no procedure, and the operands of those that do.

pub mod context;

pub mod apply;
pub mod two_operands;
mod vectors;

pub mod operands;
