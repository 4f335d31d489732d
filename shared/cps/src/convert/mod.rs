//! CPS conversion: core to blocks, with the count and the limit threaded.
//!
//! The equations are those of the talk of 2018 (part II), with e for expressions and k for continuations:
//!
//! ```text
//! [c | k, n, l]            ~> ⟨k (n+1) l c⟩
//! [x | k, n, l]            ~> ⟨k (n+1) l x⟩
//! [(lambda p e) | k, n, l] ~> ⟨k (n+1) l (λ k n l p. [e | k, n, l])⟩
//! [(e₁ e₂) | k, n, l]      ~> ⟨[e₁ | (λ n l x₁. [e₂ | (λ n l x₂. (x₁ k n l x₂)), n, l]), n+1, l]⟩
//! ⟨e⟩                      ~> if n = l then stop else e
//! ```
//!
//! A continuation that is written as a λ here is known: it is data of the conversion (`Rest` in `body`), and applying
//! it to a value continues the conversion with the name of that value. So no administrative λ is left in the converted
//! program, except where a call needs a frame. `if` passes one continuation to two branches: it becomes a block of its
//! own, a join to which both branches jump.
//!
//! Departures from the equations: a tuple that is written as an operand becomes a *row* of operands, which primitives
//! and procedures of known code receive without a pair; `let` binds without a procedure. Counts are unchanged.
//!
//! The conversion is a loop over a worklist; neither nesting nor length of a program needs the host's stack. The
//! context of a task (locals, operands) is kept on stacks: tasks are done last in, first out, so a task is done before
//! anything below its own part of the stacks can change.

mod activations;
mod body;
mod conversion;
pub mod observation;
mod observe;
mod stacks;

pub use observe::observe;

use crate::tree::Converted;
use conversion::Conversion;
use vlad_core::Program;

/// Converts a program.
pub fn convert(program: &Program) -> Converted {
    let mut conversion = Conversion::new(program, None);
    for (_, lambda) in &program.prelude {
        conversion.need(*lambda);
    }
    conversion.needed_procedures();
    for item in &program.items {
        let activation = conversion.top_level(item.node());
        conversion.converted.items.push(activation);
        conversion.needed_procedures();
    }
    conversion.converted
}
