//! The counted steps in C.
//!
//! A function with a loop has the steps that it counts in a local, and adds them to the shared number at its end.

use super::function::{Body, shared};
use crate::c::{Expression as C, Infix};

impl Body<'_> {
    /// The place where the function counts steps.
    pub(super) fn counter(&self) -> C {
        if self.has_steps { C::name("steps") } else { shared("steps") }
    }

    /// The number of steps counted so far, but for those in locals of callers: a real of which differences are taken.
    pub(super) fn steps_so_far(&self) -> C {
        let counted = if self.has_steps { shared("steps").infix(Infix::Add, self.counter()) } else { self.counter() };
        C::call("vlad_real_of", [counted])
    }
}
