//! The sorts of cases, and the generator of each.

use super::case::Case;
use super::dials::GeneratorOptions;
use super::{bad, program, smooth};

/// The kind of cases to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Programs that are well-typed by construction, one in eight of them mutated in one place.
    Good,
    /// Programs that are ill-typed or malformed, and random texts.
    Bad,
    /// Procedures with a point, most of which have derivatives there.
    Smooth,
}

/// Generates the case of a sort, a seed and parameters.
pub fn generate(sort: Sort, seed: u64, dials: GeneratorOptions) -> Case {
    match sort {
        Sort::Good => program::generate(seed, dials),
        Sort::Bad => bad::generate(seed, dials),
        Sort::Smooth => smooth::generate(seed, dials),
    }
}
