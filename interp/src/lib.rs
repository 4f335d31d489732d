//! The interpreter: a CPS tree-walking evaluator over core, and the executable specification of VLAD.
//!
//! It is the evaluator of the talk of 2018 (part II, "Threading step counts and limits"), written as a machine. The
//! equations have an expression e, an environment σ, a continuation k, a count n and a limit l:
//!
//! | in the equations | here |
//! |---|---|
//! | 𝓔 k n l σ e | [`machine::Machine`] with [`evaluate`]: one function for each construct |
//! | 𝓐 k n l f x | [`apply`]: procedures, patterns, operators |
//! | k | [`continuation::Frame`]s, innermost last: continuations as data |
//! | σ | [`environment::Environment`] |
//! | n, l and "if n = l" | `Machine::step` |
//! | 𝓐 (λ n l v. n) 0 ∞ f x, and 𝓐 with other continuations and limits | [`computations`]: the computations that operators run |
//! | ⟦k, f⟧ | [`state`], [`capsule`] |
//!
//! [`run_logged`] and [`walk`] run a program for a look at its operations, or at its steps.
//!
//! A trampoline (`Machine::run`) executes one transition after another, so neither calls nor data need the host's
//! stack. One departure from the equations: *direct* expressions, which call no procedure of the program, are evaluated
//! by recursion if no limit can be reached on the way ([`direct_sizes`], [`direct`]); they take the same steps.

pub mod apply;
pub mod capsule;
pub mod computations;
pub mod continuation;
pub mod continuation_needs;
pub mod direct;
pub mod direct_sizes;
pub mod entry;
pub mod environment;
pub mod evaluate;
pub mod fault;
pub mod machine;
pub mod state;
mod traced;
pub mod walk;

pub use traced::run_logged;

use vlad_core::Program;
use vlad_runtime::run::{Host, Limits, Report};
use vlad_runtime::suspended::{PartEnd, PartRequest};
use vlad_table::internal_bug;

/// Runs a program: evaluates its items in order and prints the values of its expressions.
pub fn run(program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
    match run_part(program, host, limits, PartRequest::default()) {
        PartEnd::Ended(report) => report,
        PartEnd::Suspended(_) => internal_bug!("a run is suspended if that is asked for"),
    }
}

/// Runs a part of a program: from a suspended run, up to the point where it is to be suspended.
pub fn run_part(program: &Program, host: &mut dyn Host, limits: &Limits, part: PartRequest) -> PartEnd {
    machine::Machine::new(program, host, limits).run_program(part, limits)
}
