//! The primitives of core that operations lower to.

use crate::builtins::ReverseOperator;
use vlad_core::notes::Spellings;
use vlad_table::Primitive;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;
use vlad_table::primitives::{Comparison, Form, PRIMITIVES, Single};

/// The names of primitives in messages, where they are not those of the language.
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

/// Returns the primitive that applies an operation, by the forms of the table.
pub(super) fn of(operation: Operation) -> Primitive {
    primitive(|form| match form {
        Form::Unary(own) | Form::Binary(own) => own == operation,
        // Of one operand it is another operation: `-` the sign, `atan` the angle of a tangent.
        Form::Fold { operation: own, single, .. } => {
            own == operation || matches!(single, Single::Unary(own) if own == operation)
        }
        Form::UnaryOrBinary(one, two) => one == operation || two == operation,
        _ => false,
    })
}

/// Returns the primitive of a comparison.
pub(super) fn of_comparison(comparison: Comparison) -> Primitive {
    primitive(|form| matches!(form, Form::Chain(own) if own == comparison))
}

fn primitive(is_it: impl Fn(Form) -> bool) -> Primitive {
    let Some(row) = PRIMITIVES.iter().find(|row| is_it(row.form)) else {
        internal_bug!("an operation of the language is one of a primitive")
    };
    row.primitive
}

/// Returns the primitive of an operator of reverse mode.
pub(super) fn of_reverse(operator: ReverseOperator) -> Primitive {
    match operator {
        ReverseOperator::Reverse => Primitive::Reverse,
        ReverseOperator::Checkpoint => Primitive::Checkpoint,
    }
}
