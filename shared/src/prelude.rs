//! The prelude: procedures of the language that are written in it.
//!
//! It is loaded with every program, as a file named `<prelude>`, and is definitions of lambdas only, so that its
//! procedures need no step to have their values.

/// The name that diagnostics give it.
pub const NAME: &str = "<prelude>";

/// The definitions that stand first in it, and do as one operator does whose iterations are steps (report, part 18): of their
/// nodes the applications of a parameter alone count.
pub const FRAME_MACHINES: [&str; 2] = ["build", "ifold"];

/// Its text.
pub const TEXT: &str = include_str!("prelude.vlad");
