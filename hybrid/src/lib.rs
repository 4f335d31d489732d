//! The hybrid engine: CPS conversion as a program transformation, then a direct-style evaluator of converted code.
//!
//! The conversion ([`vlad_cps`]) threads the continuation k, the count n and the limit l through the program, as in the
//! talk of 2018 (part II). Converted code calls in tail position only, so its evaluator needs no continuations of its
//! own and is a loop. It never inspects the expressions of the program.
//!
//! | in the converted program | in this crate |
//! |---|---|
//! | a λ all of whose uses are known | [`code::Block`] |
//! | its body: pairs, closures, primitives, patterns | [`machine::operations`], [`machine::primitives`], [`machine::patterns`] |
//! | k n l x, (x₁ k n l x₂) | [`machine::calls`] |
//! | k, reified at a call | [`frames::Frame`] |
//! | variables, slots, constants | [`store::Store`] |
//! | if n = l | [`machine::Machine`] |
//! | 𝓐 (λ n l v. n) 0 ∞ f x, and 𝓐 with other continuations and limits | [`machine::computations`] |
//! | ⟦k, f⟧ | [`capsule`] |
//!
//! [`lowering`] translates the converted program to the code of this loop: operands become places of the store, and the
//! arguments of calls become [`moves`]. [`check`] is the checker of this code.

pub mod capsule;
pub mod check;
pub mod code;
pub mod fault;
pub mod frames;
pub mod lowering;
pub mod machine;
pub mod moves;
pub mod parts;
pub mod state;
pub mod store;

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

/// Runs a part of a program: from the beginning or a suspended run, to the end or to a point where the run is
/// suspended.
pub fn run_part(program: &Program, host: &mut dyn Host, limits: &Limits, part: PartRequest) -> PartEnd {
    let converted = vlad_cps::pipeline(program);
    let code = lowering::lower(program, &converted, limits.traps);
    parts::run_part(machine::Machine::new(program, &code, host, limits), limits, part)
}
