//! Random programs, valid and invalid: compared on all engines, and shrunk if the engines disagree.
//!
//! ```text
//! seed --program, bad--> tree or text, input, limit --print--> text --compare--> the behaviour of each engine
//!                                                             --tally--> counts --shrink, report--> small cases
//! ```
//!
//! Invariant: a case is a function of its seed, its sort and the parameters ([`GeneratorOptions`]) alone, the same on
//! every machine. Good programs keep to simple types and recur only by counting down, so all of them terminate; a share
//! runs under a step limit, since engines have to agree on limits as well. Bad programs are mutations of good ones, or
//! random text. [`coverage`] reports the operations that good programs certainly execute, [`names`] and [`shapes`] the
//! constructs in their text; [`campaign`] runs many cases.

pub mod bad;
pub mod campaign;
pub mod capsules;
mod case;
mod case_kind;
pub mod compare;
mod counts;
pub mod coverage;
pub mod data;
mod edits;
pub mod farfel;
pub mod fsmooth;
pub mod general;
pub mod generate;
mod generator_options;
pub mod gradients;
pub mod library;
pub mod long;
pub mod mutation;
pub mod names;
pub mod operators;
pub mod print;
pub mod procedures;
pub mod program;
pub mod reals;
pub mod report;
pub mod saved;
pub mod scalar;
pub mod shapes;
pub mod shrink;
pub mod shrink_text;
pub mod smooth;
pub mod suspension;
pub mod tagged;
pub mod tally;
pub mod templates;
pub mod tree;
pub mod types;
pub mod vectors;

pub use case::{Case, Limit, MOST_STEPS, Source};
pub use case_kind::{CaseKind, generate};
pub use generator_options::GeneratorOptions;
