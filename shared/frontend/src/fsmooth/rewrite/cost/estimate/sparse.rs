//! Arrays with few elements that are not 0, of which compiled code makes no others: their memory is filled, and the places
//! are found by solving the equalities of the index that lead to them.
//!
//! ```text
//! build n (fun k -> if i = 2 + k then a else if i = 5 * k then b else 0)
//! ```
//!
//! The engines that evaluate core take all the steps of it, so only its work is less.

use super::{Outline, Run, terms};
use crate::fsmooth::typed::{Expression, ExpressionId, LocalId, Program, Types};
use vlad_table::primitives::Comparison;

/// The work of filling the memory of an element with zeros.
const FILL: f64 = 0.25;

impl Run<'_> {
    /// Evaluates the element of a sparse array so many times, given the index and what is made of it. Recursion is bounded by
    /// the depth that [`is_sparse`] admits.
    pub fn sparse_element(&mut self, id: ExpressionId, made: &[LocalId], times: f64, depth: usize) {
        match self.program.expression(id) {
            Expression::Let { local, value, body } => {
                self.charge(times, 2.0, 0.0);
                let mut made_with_it = made.to_vec();
                made_with_it.extend(terms::mentions(self.program, value, made).then_some(local));
                let value = self.steps_of(value, times, depth);
                self.locals.insert(local, value);
                self.sparse_element(body, &made_with_it, times, depth);
            }
            Expression::If { condition, consequent, alternative } => {
                self.charge(times, 1.0, 0.0);
                let outline = self.steps_of(condition, times, depth);
                let chance = if let Outline::Chance(chance) = outline { chance } else { 0.5 };
                if is_equality(self.program, condition, made) {
                    self.value(consequent, times * chance, depth);
                } else {
                    self.sparse_element(consequent, made, times * chance, depth);
                }
                self.sparse_element(alternative, made, times * (1.0 - chance), depth);
            }
            _ => self.charge(times, 1.0, FILL),
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

/// The deepest nest of branches and `let`s.
const DEEPEST: usize = 24;

/// Returns true if the elements of an array are 0 but where the index fulfils an equality.
pub fn is_sparse(program: &Program, index: LocalId, element: ExpressionId) -> bool {
    let (mut equalities, mut made, mut pending) = (0, vec![index], vec![(element, DEEPEST)]);
    while let Some((id, depth)) = pending.pop() {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match program.expression(id) {
            Expression::Let { local, value, body } if program.type_of(value) == Types::INDEX => {
                made.extend(terms::mentions(program, value, &made).then_some(local));
                pending.push((body, depth));
            }
            Expression::If { condition, alternative, .. } if is_equality(program, condition, &made) => {
                equalities += 1;
                pending.push((alternative, depth));
            }
            Expression::If { consequent, alternative, .. } => {
                pending.extend([(consequent, depth), (alternative, depth)]);
            }
            Expression::Number(number) if number.to_bits() == 0 => {}
            _ => return false,
        }
    }
    equalities > 0
}

/// True for an equality of what is made of an index.
pub fn is_equality(program: &Program, condition: ExpressionId, made: &[LocalId]) -> bool {
    let Expression::Compare(Comparison::Equal, first, _) = program.expression(condition) else { return false };
    program.type_of(first) == Types::INDEX && terms::mentions(program, condition, made)
}
