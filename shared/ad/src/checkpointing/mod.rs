//! Divide-and-conquer checkpointing: the split of a procedure's execution into intervals (report, part 15).
//!
//! Reversal of the interval of l steps that begins in a state u (talk of 2018, part II; the splits of binomial
//! checkpointing are those of treeverse, Griewank 1992):
//!
//! ```text
//! base case:       record l steps from u; reverse sweep over them       Reverse { l }
//! inductive case:  v = u after m steps, 0 < m < l                       Advance { m }
//!                  reverse the l - m steps from v
//!                  reverse the m steps from u
//! ```
//!
//! So the kept states form a stack: `Advance` runs from the topmost state and pushes the state that it reaches;
//! `Reverse` pops the topmost state. Where no base case is asked for, an interval is one if its tape is short: the first
//! execution counts nodes as it counts steps, and states have the numbers of their next nodes. This module only determines the actions and their order. All engines use the same
//! [`Schedule`]; each engine represents states, and runs from them, in its own way.

mod schedule;
mod strategy;
#[cfg(test)]
mod tests;

pub use schedule::{Action, Schedule};
pub use strategy::{DEFAULT_BASE_CASE, DEFAULT_NODES, Extent, Strategy, eta};
