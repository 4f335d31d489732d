//! Compiled programs in libraries that are loaded.

use super::interface::{RawProgram, STOPPABLE, VERSION};
use crate::loading::Library;
use std::ptr::NonNull;
use std::sync::Arc;
use vlad_shared::core::Program;

/// How compiled code counts steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// A block counts all of its steps at once: for runs that never stop at a node.
    ByBlock,
    /// The same, but each block can count one by one, too, and stop at any step.
    Stoppable,
}

/// The code of one program. It keeps the library loaded that it stands in.
#[derive(Clone, Debug)]
pub struct Code {
    raw: NonNull<RawProgram>,
    _library: Arc<Library>,
}

// SAFETY: what the pointer leads to is constant data of the library, which nobody writes and which lives as long as the
// library, and the library is shared. Programs are compiled in one thread and run in others.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// The code of a program that a library exports under a name, which must name a `struct vlad_program`; none if there is
    /// no such name, or what it names is not the code of such a program for this runtime.
    pub fn find(library: &Arc<Library>, name: &str, program: &Program) -> Option<Code> {
        let raw = NonNull::new(library.symbol(name)?.cast_mut().cast::<RawProgram>())?;
        let code = Code { raw, _library: Arc::clone(library) };
        let found = code.raw();
        let fits = found.version == VERSION
            && found.items as usize == program.items.len()
            && found.lambdas as usize == program.lambdas.len();
        fits.then_some(code)
    }

    /// How it counts.
    pub fn counting(&self) -> Counting {
        if self.raw().counting == STOPPABLE { Counting::Stoppable } else { Counting::ByBlock }
    }

    /// The program's description.
    pub(super) fn raw(&self) -> &RawProgram {
        // SAFETY: the library is one that this crate had compiled, where the name stands for constant data of that type; it
        // lives as long as `self`.
        unsafe { self.raw.as_ref() }
    }
}
