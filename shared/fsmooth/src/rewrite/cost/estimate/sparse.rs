//! The estimate of a sparse array ([`one_hot`]): its elements are 0 but where the index fulfils an equality.
//!
//! ```text
//! build n (fun k -> if i = 2 + k then a else if i = 5 * k then b else 0)
//! ```
//!
//! The specialising compiler fills its memory with zeros, solves the equalities for the index, and writes to these places. So the
//! tests of the other elements cost no work. The engines that evaluate core take the steps of all elements.

use super::{Outline, Run, terms};
use crate::rewrite::facts::one_hot;
use crate::typed::{Expression, ExpressionId, LocalId};

/// The work of filling the memory of an element with zeros.
const FILL: f64 = 0.25;

impl Run<'_> {
    /// Evaluates the element of a sparse array so many times, given the index and the locals that are computed from it. The
    /// estimate of `build` calls it if [`one_hot::is_sparse`] holds, which bounds the depth of recursion.
    pub fn sparse_element(&mut self, id: ExpressionId, made: &[LocalId], times: f64, depth: usize) {
        let expression = self.program.expression(id);
        if let Expression::Let { local, value, body } = expression {
            self.charge(times, 2.0, 0.0);
            let mut made_with_it = made.to_vec();
            made_with_it.extend(terms::mentions(self.program, value, made).then_some(local));
            let value = self.steps_of(value, times, depth);
            self.locals.insert(local, value);
            self.sparse_element(body, &made_with_it, times, depth);
        } else if let Expression::If { condition, consequent, alternative } = expression {
            self.charge(times, 1.0, 0.0);
            let outline = self.steps_of(condition, times, depth);
            let chance = if let Outline::Chance(chance) = outline { chance } else { 0.5 };
            if one_hot::is_test_of(self.program, made, condition) {
                self.value(consequent, times * chance, depth);
            } else {
                self.sparse_element(consequent, made, times * chance, depth);
            }
            self.sparse_element(alternative, made, times * (1.0 - chance), depth);
        } else {
            self.charge(times, 1.0, FILL);
        }
    }

    /// Evaluates an expression that takes steps and no work.
    fn steps_of(&mut self, id: ExpressionId, times: f64, depth: usize) -> Outline {
        let work = self.total.work;
        let outline = self.value(id, times, depth);
        self.total.work = work;
        outline
    }
}
