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
//! random text. [`trees::coverage`] reports the operations that good programs certainly execute,
//! [`trees::names`] and [`campaign::shapes`] the constructs in their text; [`campaign`] runs many cases.

mod case;
mod generator_options;
pub mod saved;
pub mod suspension;

pub mod trees;

pub mod expressions;
pub mod program;

pub mod scalar;
pub mod smooth;

pub mod bad;
pub mod farfel;
pub mod fsmooth;

mod case_kind;

pub mod shrink;

pub mod campaign;

pub use case::{Case, Limit, MOST_STEPS, Source};
pub use case_kind::{CaseKind, generate};
pub use generator_options::GeneratorOptions;
