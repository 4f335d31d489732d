//! Code of compiled programs, in loaded libraries.

use super::interface::{RawProgram, STOPPABLE, TRAPS_NONFINITE, VERSION};
use super::loading::Library;
use std::ptr::NonNull;
use std::sync::Arc;
use vlad_ad::traps::Traps;
use vlad_core::Program;

/// The way in which compiled code counts steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// A block counts all of its steps at once: for runs that never stop at a node.
    ByBlock,
    /// The same, but each block can also count its steps one by one, and stop at any of them.
    Stoppable,
}

/// The code of one program. It keeps its library loaded.
#[derive(Clone, Debug)]
pub struct Code {
    raw: NonNull<RawProgram>,
    /// The number of polls and effects after which specialised code gives an item up.
    gives_up_after: Option<u64>,
    _library: Arc<Library>,
}

// SAFETY: the pointer leads to constant data of the library, which nobody writes and which lives as long as the
// library, and the library is shared. Programs are compiled in one thread and run in others.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// Finds the code of a program that a library exports under a name, which must name a `struct vlad_program`.
    /// Returns none if the library has no such name, or if the code belongs to another program or to another version of
    /// the runtime.
    pub fn find(library: &Arc<Library>, name: &str, program: &Program) -> Option<Code> {
        let raw = NonNull::new(library.symbol(name)?.cast_mut().cast::<RawProgram>())?;
        let code = Code { raw, gives_up_after: None, _library: Arc::clone(library) };
        let found = code.raw();
        let fits = found.version == VERSION
            && found.items as usize == program.items.len()
            && found.lambdas as usize == program.lambdas.len();
        fits.then_some(code)
    }

    /// The way in which the code counts steps.
    pub fn counting(&self) -> Counting {
        if self.raw().counting == STOPPABLE { Counting::Stoppable } else { Counting::ByBlock }
    }

    /// The reaction of the code to operations that make a NaN or an infinity.
    pub fn traps(&self) -> Traps {
        if self.raw().traps == TRAPS_NONFINITE { Traps::NonFinite } else { Traps::Off }
    }

    /// The same code, whose specialised items are given up after so many polls and effects: for tests, which compare
    /// the run with an undisturbed one.
    #[must_use]
    pub fn giving_up_after(self, points: u64) -> Code {
        Code { gives_up_after: Some(points), ..self }
    }

    pub(super) fn gives_up_after(&self) -> Option<u64> {
        self.gives_up_after
    }

    /// Returns true if an item of the program has specialised code.
    pub(super) fn is_specialised(&self, item: u32) -> bool {
        let raw = self.raw();
        if raw.specialised.is_null() || item >= raw.items {
            return false;
        }
        // SAFETY: the table has an entry for each item, and lives as long as the library.
        let code = unsafe { *raw.specialised.add(item as usize) };
        !code.is_null()
    }

    /// Returns true if some item of the program has specialised code.
    pub fn has_specialised_items(&self) -> bool {
        (0..self.raw().items).any(|item| self.is_specialised(item))
    }

    /// The descriptor of the program.
    pub(super) fn raw(&self) -> &RawProgram {
        // SAFETY: this crate had the library compiled, and the name denotes constant data of that type; it lives as
        // long as `self`.
        unsafe { self.raw.as_ref() }
    }
}
