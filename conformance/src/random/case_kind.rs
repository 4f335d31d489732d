//! The sorts of cases, and the generator of each.

use super::case::Case;
use super::generator_options::GeneratorOptions;
use super::{bad, farfel, fsmooth, program, scalar, smooth};

/// The kind of cases to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseKind {
    /// Programs that are well-typed by construction, one in eight of them mutated in one place.
    Good,
    /// Programs that are ill-typed or malformed, and random texts.
    Bad,
    /// Procedures with a point, most of which have derivatives there.
    Smooth,
    /// Programs that compute with numbers that are read, most of which are specialised.
    Scalar,
    /// Programs of Farfel.
    Farfel,
    /// Programs in F-smooth.
    FSmooth,
}

impl CaseKind {
    /// Returns true if its programs are well-typed, but for those that are mutated or made to fail.
    pub fn is_good(self) -> bool {
        match self {
            CaseKind::Good | CaseKind::Scalar | CaseKind::Farfel | CaseKind::FSmooth => true,
            CaseKind::Bad | CaseKind::Smooth => false,
        }
    }
}

/// Generates the case of a sort, a seed and parameters.
pub fn generate(sort: CaseKind, seed: u64, generator_options: GeneratorOptions) -> Case {
    match sort {
        CaseKind::Good => program::generate(seed, generator_options),
        CaseKind::Bad => bad::generate(seed, generator_options),
        CaseKind::Smooth => smooth::generate(seed, generator_options),
        CaseKind::Scalar => scalar::generate(seed, generator_options),
        CaseKind::Farfel => farfel::generate(seed),
        CaseKind::FSmooth => fsmooth::campaign::generate(seed),
    }
}
