//! The functions that the linker puts in the place of those of the archive.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::collections::HashMap;
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_shared::table::operations::OPERATIONS;
use vlad_shared::table::{Operation, internal_bug, with_functions};

/// The values that a thread has computed, by operation and bits of the operands.
struct Values {
    reference: Reference,
    known: HashMap<(Operation, [u64; 2]), f64>,
}

thread_local! {
    static VALUES: RefCell<Option<Values>> = RefCell::new(Reference::new().map(|reference| Values { reference, known: HashMap::new() }));
}

/// The number of different values that this thread has computed: a test that they are computed at all.
pub fn evaluations() -> usize {
    VALUES.with_borrow(|values| values.as_ref().map_or(0, |values| values.known.len()))
}

fn value(operation: Operation, operands: &[f64]) -> f64 {
    VALUES.with_borrow_mut(|values| {
        let Some(Values { reference, known }) = values else { internal_bug!("there is memory for constants") };
        let bits = |place: usize| operands.get(place).map_or(0, |operand| operand.to_bits());
        *known.entry((operation, [bits(0), bits(1)])).or_insert_with(|| match reference.rounded(operation, operands) {
            Some(value) => value,
            None => internal_bug!("{operation:?} is a function of part 10.2"),
        })
    })
}

/// The operation that is a function of the archive.
fn operation(name: &str) -> Operation {
    match OPERATIONS.iter().find(|row| row.operation.function_in_c() == Some(name)) {
        Some(row) => row.operation,
        None => internal_bug!("`{name}` is the function of an operation"),
    }
}

/// Defines functions of reals, of one or of two, with the names that the linker looks for.
macro_rules! replacements {
    ({ $($unary:ident,)* } { $($binary:ident,)* }) => {
        // SAFETY: no other code defines these names: the linker makes them of the option `--wrap`, for functions of these types.
        $(#[unsafe(export_name = concat!("__wrap_vlad_math_", stringify!($unary)))]
        extern "C" fn $unary(x: f64) -> f64 {
            value(operation(stringify!($unary)), &[x])
        })*
        $(#[unsafe(export_name = concat!("__wrap_vlad_math_", stringify!($binary)))]
        extern "C" fn $binary(x: f64, y: f64) -> f64 {
            value(operation(stringify!($binary)), &[x, y])
        })*
    };
}

with_functions!(replacements);

// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn __wrap_vlad_math_sincos(x: f64, sine: &mut f64, cosine: &mut f64) {
    *sine = value(Operation::Sine, &[x]);
    *cosine = value(Operation::Cosine, &[x]);
}
