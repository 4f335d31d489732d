//! The exits of fast paths ([`vlad_first_order::storage::fast_path`]) in C: where the usual code would bail out, or needs more memory, the function
//! returns at once.

use super::function::{Body, operand};
use crate::c::{Expression as C, Statement as S};
use vlad_first_order::{Block, End, Operand};

impl Body<'_> {
    /// Leaves the function of a fast path; its results are not read.
    pub fn leave(&self, out: &mut Vec<S>) {
        out.push(S::Assign(C::machine("status"), C::name("VLAD_AGAIN")));
        let (ctype, name) = (self.scope.head(self.id).result, "none".to_owned());
        out.push(S::Define { ctype, name, value: C::Braces(vec![C::Number(0)]) });
        out.push(S::Return(C::name("none")));
    }

    /// The C of the test of a branch; on a fast path with the outcome that is likely, if the other block leaves the function.
    pub fn test(&self, test: Operand, [consequent, alternative]: [&Block; 2]) -> C {
        let leaves = |block: &Block| self.scope.is_fast_path && matches!(block.end, End::BailOut(_));
        match (leaves(consequent), leaves(alternative)) {
            (false, true) => C::call("VLAD_LIKELY", [operand(test)]),
            (true, false) => C::call("VLAD_UNLIKELY", [operand(test)]),
            (false, false) | (true, true) => operand(test),
        }
    }

    /// On a fast path, leaves the function unless a condition holds under which there is memory for an array.
    pub fn require(&self, condition: C, out: &mut Vec<S>) {
        if self.scope.is_fast_path {
            let mut then = Vec::new();
            self.leave(&mut then);
            out.push(S::when(C::call("VLAD_UNLIKELY", [condition.prefix("!")]), then));
        }
    }
}
