//! The mathematical functions of part 10.2 of the report: each result is the real value rounded to nearest, ties to even, with the
//! special cases of Annex F of C.
//!
//! [`rounding`] compares the functions that compiled code calls with values of 96 digits. [`variants`] compares their code for processors
//! without a fused multiply-add with that for the others, in every bit. The points are those of `vlad_conformance::functions`. The tests that are
//! marked `ignore` make the same checks at many more of them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

mod rounding;
#[cfg(target_arch = "x86_64")]
mod variants;

use vlad_conformance::functions::Function;
use vlad_conformance::functions::turn::{Turn, compare};
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_shared::table::Operation;

/// The number of points of a function in the tests that are marked `ignore`.
const LONG: usize = 1_000_000;

/// Checks functions against expected results at all points of a turn. An expected result is asked for by the number of the function.
fn check(
    turn: Turn,
    functions: &[(Operation, Function)],
    mut expected: impl FnMut(&mut Reference, (usize, Operation), [f64; 2]) -> f64,
) {
    let mut reference = Reference::new().unwrap();
    let mut reports = Vec::new();
    for (index, &(operation, function)) in functions.iter().enumerate() {
        let differences = compare(turn, &mut reference, (operation, function), |reference, point| {
            expected(reference, (index, operation), point)
        });
        reports.extend(differences.report(&format!("{operation:?}")));
    }
    assert!(reports.is_empty(), "\n{}", reports.concat());
}
