//! Divide-and-conquer checkpointing: how the execution of a procedure is divided into intervals (report, part 15).
//!
//! To reverse the interval of l steps that begins in a state u (talk of 2018, part II; the splits of binomial checkpointing
//! are those of treeverse, Griewank 1992):
//!
//! ```text
//! base case:       record l steps from u, and sweep back over them      Reverse { l }
//! inductive case:  v = u after m steps, 0 < m < l                       Advance { m }
//!                  reverse the l - m steps from v
//!                  reverse the m steps from u
//! ```
//!
//! So the states that are kept form a stack: `Advance` runs from the state on top and puts the state that it reaches on top
//! of it; `Reverse` takes the state on top away. This module only says which actions there are, and in which order: a
//! [`Schedule`] is the same for every engine, and the one home of the algorithm. What a state is, and how to run from one,
//! is the engines'.

mod schedule;
mod strategy;
#[cfg(test)]
mod tests;

pub use schedule::{Action, Schedule};
pub use strategy::{DEFAULT_BASE_CASE, Strategy, eta};
