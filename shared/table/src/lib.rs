//! The table of primitives: the operations on reals with their derivatives, and the names that programs call.
//!
//! Nothing outside this table knows a derivative. [`operations`] has one row for each operation on reals: evaluation
//! and linearisation, the latter as data, so that engines in Rust interpret it and the C back end prints it.
//! [`primitives`] has one row for each name of the language; [`Signature`] states the facts about it that hold without
//! executing it.
//!
//! The lowest of the crates: it imports none of the others. Beside the table it has the mathematics of `f64`
//! ([`math`]), the text of reals ([`number`]) and the macro for broken invariants.

pub mod math;
pub mod number;
pub mod operations;
mod part;
pub mod primitives;
mod signature;
mod written_operands;

pub use operations::{Arity, Effort, Evaluation, Facts, Operation, OperationRow, Term, Test, Zero};
pub use primitives::{
    CheckpointForm, Comparison, Control, Form, OnVector, Predicate, Primitive, PrimitiveRow, Single, Tag, ValueTag,
};
pub use signature::{ArgumentUse, OperandCount, ResultKind, Signature, named, taken_by};

/// Stops the process for a broken internal invariant, which the message names. Never used for anything a user can
/// cause.
#[macro_export]
macro_rules! internal_bug {
    ($($message:tt)*) => {{
        #[allow(clippy::panic)]
        {
            panic!("broken invariant: {}", format_args!($($message)*))
        }
    }};
}
