//! Storage code: first-order code that says where its arrays are, which numbers are integers, and how its loops go through them.
//! It is the last form of a unit before C, which `crate::specialised` prints.
//!
//! It is first-order code with one more kind, `Kind::Integer`, and the statements of [`Storage`](crate::Storage). They are
//! made here alone: passes before this stage meet none of them.
//!
//! | module | |
//! |---|---|
//! | [`placement`], [`destinations`], [`buffers`], [`in_place`], [`rows`], [`known_length`] | the memory in which each array is made |
//! | [`memory`], [`escapes`] | the functions and loops that allocate and free memory; arrays that nothing else refers to |
//! | [`patterns`] | bodies of builds, and loops behind them, that are made otherwise than element by element |
//! | [`builds`] | builds become allocations and loops that set elements |
//! | [`loops`] | counted loops become loops over ranges, and whole numbers integers |
//! | [`layout`] | the places of values in records and cells |
//! | [`affine`] | multiples of an index plus what is known outside |
//!
//! Invariants are those of first-order code, except that arrays change: an array is `Storage::Allocate`d, and its elements are
//! set by `Statement::Store`. Only a loop, a store to an array of its own or `Storage::Fill` stands between an allocation
//! and the first use of an array elsewhere.

pub mod affine;
pub mod buffers;
pub mod builds;
pub mod counts;
pub mod destinations;
pub mod early_marks;
pub mod escapes;
pub mod failures;
pub mod fast_path;
pub mod in_place;
pub mod known_length;
pub mod layout;
pub mod loops;
pub mod memory;
pub mod patterns;
pub mod placement;
pub mod rows;
pub mod unrolling;

use crate::Unit;
use crate::passes::Passes;
use placement::Execution;
use vlad_core::Program;

/// Returns the storage code of a unit for an execution, with some of the passes. Exported code tells places of a program.
pub fn lower(unit: &Unit, execution: Execution<'_>, program: Option<&Program>, passes: Passes) -> Unit {
    let mut lowered = builds::lower(unit, execution, program, passes);
    loops::lower(&mut lowered, passes);
    lowered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check_without_levels;
    use crate::passes::PASSES;
    use crate::random::{Dials, compare};

    /// Units compute the same in storage code, half of them with all passes, the others with some.
    #[test]
    fn random_units_compute_the_same_in_storage_code() {
        for dials in [Dials::with_arrays(), Dials::with_cells()] {
            let (dials, mut number) = (Dials { forward: 0, reverse: 0, ..dials }, 0);
            compare(dials, 0..6000, |unit| {
                number += 1;
                let is_wanted = |place: usize| number % 2 == 0 || number >> (place % 8) & 1 == 1;
                let rows = PASSES.iter().enumerate().filter(|(place, _)| is_wanted(*place));
                let passes = rows.fold(Passes::NONE, |passes, (_, row)| passes.with(row.pass));
                *unit = lower(unit, Execution::Machine, None, passes);
                assert_eq!(check_without_levels(unit), Ok(()));
                true
            });
        }
    }
}
