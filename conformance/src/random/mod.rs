//! Random programs: made well-formed, compared on all engines, shrunk when the engines disagree.
//!
//! ```text
//! seed --program--> tree, input, limit --print--> text --compare--> what each engine does --shrink, report--> a small case
//! ```
//!
//! Invariant: a case is a function of its seed alone, the same on every machine. Programs keep to simple types and recur
//! only by counting down, so all of them end; a share is then spoilt in one place, or runs under a limit of steps, since
//! engines have to agree on errors and limits as well. [`coverage`] says what the programs surely reach.

pub mod capsules;
pub mod compare;
pub mod coverage;
pub mod data;
pub mod general;
pub mod generate;
pub mod operators;
pub mod print;
pub mod procedures;
pub mod program;
pub mod reals;
pub mod report;
pub mod shrink;
pub mod spoil;
pub mod tree;
pub mod types;
pub mod vectors;

use tree::Tree;
use vlad_shared::number;

/// The most steps that a case takes; engines have to agree that it is reached.
pub const MOST_STEPS: u64 = 200_000;

/// A program with its surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it was made from.
    pub seed: u64,
    /// The program.
    pub tree: Tree,
    /// The numbers of its input.
    pub input: Vec<f64>,
    /// How many steps it may take.
    pub limit: Limit,
}

/// How many steps a case may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`MOST_STEPS`].
    Whole,
    /// Fewer than it needs: this many parts of 2^32 of them.
    Within(u32),
}

impl Limit {
    /// The number of steps, of a program that takes `needed`.
    pub fn steps(self, needed: u64) -> u64 {
        match self {
            Limit::Whole => MOST_STEPS,
            Limit::Within(parts) => (needed * u64::from(parts)) >> 32,
        }
    }
}

impl Case {
    /// The text of the program.
    pub fn text(&self) -> String {
        print::text(&self.tree)
    }

    /// The text of its input.
    pub fn input_text(&self) -> String {
        self.input.iter().map(|real| number::format(*real)).collect::<Vec<_>>().join(" ")
    }
}
