//! The primitives of core that operations lower to.

use crate::builtins::ReverseOperator;
use vlad_core::notes::Spellings;
use vlad_table::Primitive;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;
use vlad_table::primitives::{Comparison, Form, PRIMITIVES};

/// The names of F-smooth for primitives of the core, for messages.
pub(super) const SPELLINGS: Spellings = &[
    ("get", "v[i]"),
    ("vector-length", "length"),
    ("of-length", "ofLength"),
    ("car", "fst"),
    ("cdr", "snd"),
    ("not", "!"),
    ("expt", "**"),
    ("guarded*", "guarded"),
    ("j*", "jvp"),
    ("*j", "vjp"),
    ("checkpoint-*j", "vjpCheckpoint"),
    ("=", "=="),
];

/// Returns the primitive of an operation on numbers.
pub(super) fn applying(operation: Operation) -> Primitive {
    match Primitive::applying(operation) {
        Some(primitive) => primitive,
        None => internal_bug!("no function of the language copies a number"),
    }
}

/// Returns the primitive of a comparison.
pub(super) fn of_comparison(comparison: Comparison) -> Primitive {
    match PRIMITIVES.iter().find(|row| matches!(row.form, Form::Chain(own) if own == comparison)) {
        Some(row) => row.primitive,
        None => internal_bug!("a comparison of the language is one of a primitive"),
    }
}

/// Returns the primitive of an operator of reverse mode.
pub(super) fn of_reverse(operator: ReverseOperator) -> Primitive {
    match operator {
        ReverseOperator::Reverse => Primitive::Reverse,
        ReverseOperator::Checkpoint => Primitive::Checkpoint,
    }
}
