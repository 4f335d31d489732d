//! Storage code: first-order code that says where its arrays are, which numbers are integers, and how its loops go through them.
//! It is the last form of a unit before C, which `vlad_compiler::specialised` prints.
//!
//! It is first-order code with one more kind, `Kind::Integer`, and the statements of [`Storage`](crate::Storage). They are
//! made here alone: passes before this stage meet none of them.
//!
//! [`lower`] makes it of a unit, in these steps:
//!
//! | step | result |
//! |---|---|
//! | [`builds`] | builds are allocations and loops that set elements |
//! | [`releases`] | calls and iterations release the memory that they allocated |
//! | [`loops`] | counted loops are loops over ranges, and whole numbers integers |
//! | [`angles`] | the sine and the cosine of an angle are one statement |
//!
//! They ask these modules:
//!
//! | module | |
//! |---|---|
//! | [`placement`] | the memory in which each array is made |
//! | [`memory`], [`escapes`] | the functions and loops that allocate and release memory; arrays that nothing else refers to |
//! | [`words`] | the words of cells and of records |
//! | [`patterns`] | bodies of builds, and loops behind them, that are made otherwise than element by element |
//! | [`affine`] | multiples of an index plus what is known outside |
//! | [`counts`] | the steps of iterations, counted at once or by each |
//! | [`unrolling`] | loops of few instructions |
//! | [`fast_path`] | the code of exports without a machine |
//!
//! Invariants are those of first-order code, except that arrays change: an array is `Storage::Allocate`d, and its elements are
//! set by `Statement::Store`. Only a loop, a store to an array of its own or `Storage::Fill` stands between an allocation
//! and the first use of an array elsewhere. An array that `Storage::Keep` has moved, or not kept, is not read behind it.

pub mod affine;
pub mod angles;
pub mod builds;
pub mod counts;
pub mod escapes;
pub mod fast_path;
pub mod loops;
pub mod memory;
pub mod patterns;
pub mod placement;
pub mod releases;
pub mod unrolling;
pub mod words;

use crate::Unit;
use crate::passes::{Pass, Passes};
use placement::Execution;

/// The function that executes a pass on storage code.
pub type Run = fn(&mut Unit);

/// The passes on storage code, in their order.
pub const PASSES: [(Pass, Run); 1] = [(Pass::Angles, angles::compute_together)];

/// Returns the storage code of a unit for an execution, with some of the passes.
pub fn lower(unit: &Unit, execution: Execution<'_>, passes: Passes) -> Unit {
    let made = builds::lower(unit, execution, passes);
    let mut lowered = releases::release(&made, execution);
    loops::lower(&mut lowered, passes);
    PASSES.iter().filter(|(pass, _)| passes.contains(*pass)).for_each(|(_, run)| run(&mut lowered));
    lowered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_without_levels;
    use crate::differentiate::remove_levels;
    use crate::passes::PASSES as ALL;
    use crate::random::{Dials, compare};
    use crate::{Statement, Storage};

    /// Units compute the same in storage code, half of them with all passes, the others with some.
    #[test]
    fn random_units_compute_the_same_in_storage_code() {
        for dials in [Dials::with_arrays(), Dials::with_cells()] {
            let (dials, mut number) = (Dials { forward: 0, reverse: 0, ..dials }, 0);
            compare(dials, 0..6000, |unit| {
                number += 1;
                let is_wanted = |place: usize| number % 2 == 0 || number >> (place % 8) & 1 == 1;
                let rows = ALL.iter().enumerate().filter(|(place, _)| is_wanted(*place));
                let passes = rows.fold(Passes::NONE, |passes, (_, row)| passes.with(row.pass));
                *unit = lower(unit, Execution::Machine, passes);
                assert_eq!(check_without_levels(unit), Ok(()));
                true
            });
        }
    }

    /// Derivatives compute the same in storage code, where many have sines together with cosines.
    #[test]
    fn derivatives_compute_the_same_in_storage_code() {
        let mut pairs = 0;
        for dials in [Dials::default(), Dials::with_arrays()] {
            compare(dials, 0..450, |unit| {
                Passes::ALL.prepare(unit);
                if remove_levels(unit).is_err() {
                    return false;
                }
                Passes::ALL.simplify_values(unit);
                *unit = lower(unit, Execution::Machine, Passes::ALL);
                assert_eq!(check_without_levels(unit), Ok(()));
                let is_pair =
                    |statement: &&Statement| matches!(statement, Statement::Storage(Storage::SineAndCosine { .. }));
                pairs += unit.all_statements().filter(is_pair).count();
                true
            });
        }
        assert!(pairs > 500, "only {pairs}");
    }
}
