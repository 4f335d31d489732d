//! The subcommands, each with the arguments that it declares. `vlad run` is [`crate::run::running`].

pub mod build;
pub mod resume;
pub mod suspend;

pub mod explanation;
pub mod inspection;
pub mod profile;
pub mod trace;

pub mod derive;
pub mod gradcheck;
pub mod plot;

pub mod repl;

pub mod emit;

pub mod conform;
pub mod fuzz;

pub mod manual;
pub mod table;
pub mod toolchain;
