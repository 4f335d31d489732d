//! The one definition of differentiation (report, parts 8, 9 and 15): `j*`, `*j` and `checkpoint-*j` in operator form, on any
//! data, nested freely.
//!
//! An engine brings a [`Levels`] through its run. For a primitive that calls a procedure it calls [`application::enter`],
//! runs by its own means what that says, and calls [`application::Leaving::leave`] with what has come of it, until there is
//! no more to run. Every operation on reals goes through [`Levels::unary`] and [`Levels::binary`], whatever the reals carry.
//!
//! - [`arithmetic`]: operations of the table on lifted reals, by level;
//! - [`tape`]: what a reverse level records, and its sweep;
//! - [`rebuild`]: walking data of any depth, alone or in step with data that must conform;
//! - [`forward`], [`reverse`]: the two operators;
//! - [`checkpoint`]: reverse mode in pieces that are executed again;
//! - [`reflection`]: bundles and tags, made and taken apart;
//! - [`transformed`], [`backpropagator`]: calls of tagged procedures;
//! - [`application`]: the applications inside them, as engines see them;
//! - [`tangent_space`]: `zero` and `plus`.

pub mod application;
pub mod arithmetic;
pub mod backpropagator;
pub mod checkpoint;
pub mod forward;
pub mod rebuild;
pub mod reflection;
pub mod reverse;
pub mod tangent_space;
pub mod tape;
pub mod transformed;

pub use arithmetic::Levels;

use crate::core::Program;
use crate::run::Watch;

/// What walking user data needs: the program, to compare code, and the watch, since data may be huge.
#[derive(Debug)]
pub struct Surroundings<'run> {
    /// The program that runs.
    pub program: &'run Program,
    /// Its clock and memory.
    pub watch: &'run mut Watch,
}
