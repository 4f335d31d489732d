//! Names of operations and primitives in C: those of the Rust enums, in C's spelling.

use std::fmt::Debug;
use vlad_table::{Operation, Primitive};

/// The C constant of an operation's number in the table.
pub fn operation_constant(operation: Operation) -> String {
    format!("VLAD_OPERATION_{}", words(operation).to_uppercase())
}

/// The C constant of a primitive's number in the table.
pub fn primitive_constant(primitive: Primitive) -> String {
    format!("VLAD_PRIMITIVE_{}", words(primitive).to_uppercase())
}

/// The name of the C function of an operation in programs, which takes the machine and one or two doubles.
pub fn program_function(operation: Operation) -> String {
    operation_constant(operation).to_lowercase()
}

/// The name of the C function of an operation on plain reals.
pub(super) fn operation_function(operation: Operation) -> String {
    format!("vlad_real_{}", words(operation))
}

/// The name of an enum's variant, without its fields, in lower-case words with underscores.
pub(super) fn words(variant: impl Debug) -> String {
    let name = format!("{variant:?}");
    let mut words = String::new();
    for (place, letter) in name.chars().take_while(char::is_ascii_alphanumeric).enumerate() {
        if letter.is_ascii_uppercase() && place > 0 {
            words.push('_');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}
