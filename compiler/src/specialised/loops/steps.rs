//! The counted steps in C.
//!
//! A function with a loop has the steps that it counts in a local, and adds them to the shared number at its end.

use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::{Body, shared};
use vlad_first_order::storage::counts::{Counts, steps_of_each};
use vlad_first_order::{Block, Statement};

impl<'unit> Body<'unit> {
    /// Counts the steps that all of so many iterations count, on whatever path, unless their number is looked at in between.
    pub fn count_at_once(&self, iteration: &Block, iterations: C, out: &mut Vec<S>) -> Counts {
        let Some(steps) = steps_of_each(iteration) else { return Counts::Each };
        out.push(S::Add(self.counter(), iterations.infix(Infix::Multiply, C::Number(steps))));
        Counts::AtOnce
    }

    /// The statements of an iteration.
    pub fn iteration(&self, iteration: &'unit Block, counts: Counts, out: &mut Vec<S>) {
        let is_left_out =
            |statement: &Statement| counts == Counts::AtOnce && matches!(statement, Statement::Count { .. });
        self.statements(iteration.statements.iter().filter(|statement| !is_left_out(statement)), out);
    }

    /// The place where the function counts steps.
    pub fn counter(&self) -> C {
        if self.has_steps { C::name("steps") } else { shared("steps") }
    }

    /// The number of steps counted so far, but for those in locals of callers: a real of which differences are taken.
    pub fn steps_so_far(&self) -> C {
        let counted = if self.has_steps { shared("steps").infix(Infix::Add, self.counter()) } else { self.counter() };
        C::call("vlad_real_of", [counted])
    }
}
