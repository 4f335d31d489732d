//! Compiled programs that are loaded into the process.

use super::cache::{CacheNote, Provenance};
use crate::foreign::{self, Code};
use vlad_core::Program;
use vlad_runtime::run::{Host, Limits, Report};
use vlad_runtime::suspended::{PartEnd, PartRequest};

/// A compiled program that is loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    code: Code,
    provenance: Provenance,
    notes: Vec<CacheNote>,
}

impl Loaded {
    /// Creates a loaded program from its code.
    pub(crate) fn new(code: Code, provenance: Provenance, notes: Vec<CacheNote>) -> Loaded {
        Loaded { code, provenance, notes }
    }

    /// Returns true if some item has specialised code, which may give it up.
    #[must_use]
    pub fn is_specialised(&self) -> bool {
        self.code.has_specialised_items()
    }

    /// Runs the program, which must be the one that was compiled; with a limit of steps only if it is stoppable. The
    /// run is abandoned if specialised code gives an item up.
    pub fn run(&self, program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
        foreign::run(&self.code, program, host, limits)
    }

    /// Runs a part of the program, which must be stoppable.
    pub fn run_part(&self, program: &Program, host: &mut dyn Host, limits: &Limits, part: PartRequest) -> PartEnd {
        foreign::run_part(&self.code, program, host, limits, part)
    }

    /// The same program, whose specialised items are given up after so many polls and effects (see
    /// [`Code::giving_up_after`]).
    #[must_use]
    pub fn giving_up_after(self, points: u64) -> Loaded {
        Loaded { code: self.code.giving_up_after(points), ..self }
    }

    /// The provenance of the object: the cache or the compiler.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        self.provenance
    }

    /// The problems with the cache that were met.
    #[must_use]
    pub fn notes(&self) -> &[CacheNote] {
        &self.notes
    }
}
