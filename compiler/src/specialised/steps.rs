//! The counted steps in C.
//!
//! A function with a loop has the steps that it counts in a local, and adds them to the shared number at its end.

use crate::c::{Expression as C, Infix};
use crate::specialised::function::{Body, shared};

impl Body<'_> {
    /// The place where the function counts steps.
    pub fn counter(&self) -> C {
        if self.has_steps { C::name("steps") } else { shared("steps") }
    }

    /// The number of steps counted so far, but for those in locals of callers: differences are taken of it.
    pub fn steps_so_far(&self) -> C {
        if self.has_steps { shared("steps").infix(Infix::Add, self.counter()) } else { self.counter() }
    }
}
