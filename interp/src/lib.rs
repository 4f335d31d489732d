//! The interpreter: a CPS tree-walking evaluator over core, and the executable specification of VLAD.
//!
//! It is the evaluator of the talk of 2018 (part II, "Threading step counts and limits"), written as a machine. The
//! equations have an expression e, an environment σ, a continuation k, a count n and a limit l:
//!
//! | in the equations | here |
//! |---|---|
//! | 𝓔 k n l σ e | [`machine::Machine`] with [`evaluate`]: one function a construct |
//! | 𝓐 k n l f x | [`apply`]: procedures, patterns, operators |
//! | k | [`continuation::Frame`]s, innermost last: continuations as data |
//! | σ | [`environment::Environment`] |
//! | n, l and "if n = l" | `Machine::step` |
//!
//! A trampoline (`Machine::run`) takes one transition after another, so neither calls nor data need the host's stack.
//! Where it departs from the equations: expressions that call no procedure of the program are evaluated in one go when
//! the limit is far enough ([`direct`]); they take the same steps.

pub mod apply;
pub mod continuation;
pub mod direct;
pub mod environment;
pub mod evaluate;
pub mod fault;
pub mod machine;
pub mod rests;

use vlad_shared::core::Program;
use vlad_shared::run::{Host, Limits, Report};

/// Runs a program: evaluates its items in order and prints the values of its expressions.
pub fn run(program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
    machine::Machine::new(program, host, limits).run_program()
}
