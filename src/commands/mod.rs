//! The subcommands, each with the arguments that it declares. `vlad run` is [`crate::run::running`].

pub mod build;
pub mod suspension;

pub mod explanation;
pub mod inspection;
pub mod profile;
pub mod trace;

pub mod derivatives;
pub mod plot;

pub mod repl;

pub mod emit;

pub mod conform;
pub mod fuzz;

pub mod manual;
pub mod table;
pub mod toolchain;
