//! Sines and cosines of one angle ([`super::facts::angles`]) in C.

use super::function::{Body, operand};
use crate::c::{Expression as C, Statement as S};
use vlad_first_order::{Operand, Variable};
use vlad_table::Operation;

impl Body<'_> {
    /// Defines a sine or cosine that is computed together with the other one; returns false for any other operation.
    pub fn sine_or_cosine(&self, target: Variable, operation: Operation, angle: Operand, out: &mut Vec<S>) -> bool {
        let Some(earlier) = self.angles.get(&target) else { return false };
        let both = format!("both{}", earlier.0);
        if target == *earlier {
            let value = C::call("vlad_sine_and_cosine", [C::name("m"), operand(angle)]);
            out.push(S::Define { ctype: "struct vlad_sine_and_cosine".into(), name: both.clone(), value });
        }
        let part = if operation == Operation::Sine { "sine" } else { "cosine" };
        self.define(target, C::Name(both).dot(part), out);
        true
    }
}
