//! The generator of expressions: [`generate`] chooses among forms of a type, which the other modules add as methods.

pub mod generate;

pub mod general;
pub mod long;

pub mod data;
pub mod procedures;
pub mod reals;
pub mod vectors;

pub mod capsules;
pub mod operators;
pub mod tagged;

pub mod library;
pub mod templates;
