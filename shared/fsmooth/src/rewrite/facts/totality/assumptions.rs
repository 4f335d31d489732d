//! The making of assumptions: comparisons of sizes that are not proved, as functions of the parameters of a definition.
//!
//! Values of `let`s are put in for their variables, and indices of loops range over all their values. An assumption that follows from
//! others is dropped at the end.

use super::{Assuming, Context, Found, Obligation};
use crate::rewrite::facts::known::{self, Assumption, Relation};
use crate::rewrite::facts::linear::Linear;
use crate::rewrite::facts::{proofs, sizes};
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, LocalId, Program};
use rustc_hash::FxHashMap;

/// The number of assumptions of one definition at most.
const MOST_ASSUMPTIONS: usize = 24;

/// The longest chain of assumptions each of which is needed to test the one before.
const DEEPEST: usize = 4;

/// The largest side of an assumption.
const LARGEST_SIDE: usize = 200;

impl Context {
    /// Assumes an obligation where it was found.
    pub(super) fn assume_found(&mut self, program: &mut Program, found: Found) -> bool {
        let (conditions, indices) = (self.facts.conditions.len(), self.facts.indices.len());
        self.facts.conditions.extend(found.conditions);
        self.facts.indices.extend(found.indices);
        let is_assumed = self.demand(program, found.obligation);
        self.facts.conditions.truncate(conditions);
        self.facts.indices.truncate(indices);
        is_assumed
    }

    /// Returns true if an obligation is proved, or assumed and proved then.
    pub(super) fn demand(&mut self, program: &mut Program, obligation: Obligation) -> bool {
        if self.holds(program, obligation) {
            return true;
        }
        let before = self.facts.assumptions.len();
        let is_assumed = self.assuming == Assuming::Sizes
            && self.assume_sizes(program, obligation)
            && self.holds(program, obligation);
        if !is_assumed {
            self.facts.assumptions.truncate(before);
        }
        is_assumed
    }

    fn assume_sizes(&mut self, program: &mut Program, obligation: Obligation) -> bool {
        match obligation {
            Obligation::In { index, array } => {
                let length = sizes::length_of(program, &self.facts, array);
                if let Some(assumed) = self.assume_iterations(program, index) {
                    return assumed;
                }
                self.demand(program, Obligation::Natural(index))
                    && self.assume_relation(program, index, Relation::Less, length)
            }
            Obligation::Has { array, length } => {
                let found = sizes::length_of(program, &self.facts, array);
                self.assume_relation(program, found, Relation::Equal, length)
            }
            Obligation::Below { index, size } => {
                let assumed = self.assume_iterations(program, index);
                assumed.unwrap_or_else(|| self.assume_relation(program, index, Relation::Less, size))
            }
            Obligation::Equal { one, other } => self.assume_relation(program, one, Relation::Equal, other),
            Obligation::Natural(size) => {
                let zero = program.like(size).index(0.0);
                self.assume_relation(program, zero, Relation::NotGreater, size)
            }
        }
    }

    /// Assumes that an iteration whose result is an index has a step, so that the result is below its count; none for
    /// another index.
    fn assume_iterations(&mut self, program: &mut Program, index: ExpressionId) -> Option<bool> {
        let index = self.facts.resolved(program, index);
        let (_, count) = known::index_state(program, index)?;
        let zero = program.like(index).index(0.0);
        Some(self.assume_relation(program, zero, Relation::Less, count))
    }

    /// Assumes a relation of two sizes, if it can be tested before the definition is entered.
    fn assume_relation(
        &mut self,
        program: &mut Program,
        left: ExpressionId,
        relation: Relation,
        right: ExpressionId,
    ) -> bool {
        if self.assuming == Assuming::Nothing
            || self.depth > DEEPEST
            || self.facts.assumptions.len() >= MOST_ASSUMPTIONS
        {
            return false;
        }
        let mut indices = vec![];
        let (Some(left), Some(right)) =
            (self.lifted(program, left, &mut indices), self.lifted(program, right, &mut indices))
        else {
            return false;
        };
        let (left, right) = (sizes::known(program, &self.facts, left), sizes::known(program, &self.facts, right));
        let mut assumption = Assumption { indices, left, relation, right };
        self.eliminate_index(program, &mut assumption);
        self.keep_used_indices(program, &mut assumption);
        self.is_testable(program, &assumption) && {
            self.facts.assumptions.push(assumption);
            true
        }
    }

    /// Returns a size as a function of the parameters and of indices, which are added.
    fn lifted(
        &mut self,
        program: &mut Program,
        size: ExpressionId,
        indices: &mut Vec<(LocalId, ExpressionId)>,
    ) -> Option<ExpressionId> {
        self.lifted_in(program, size, indices, &mut Vec::new())
    }

    /// The same within the ranges of some indices. A branch may bound an index by itself, or two by each other: then there is none.
    fn lifted_in(
        &mut self,
        program: &mut Program,
        size: ExpressionId,
        indices: &mut Vec<(LocalId, ExpressionId)>,
        ranged: &mut Vec<LocalId>,
    ) -> Option<ExpressionId> {
        let mut size = size;
        loop {
            if terms::size(program, size, LARGEST_SIDE) >= LARGEST_SIDE {
                return None;
            }
            let known: Vec<LocalId> = indices.iter().map(|(index, _)| *index).collect();
            let foreign = terms::free_locals(program, size)
                .into_iter()
                .find(|local| !self.parameters.contains(local) && !known.contains(local));
            let Some(local) = foreign else { return Some(size) };
            if let Some(value) = self.facts.value(local) {
                // The copy would be at least as large.
                if terms::size(program, value, LARGEST_SIDE) >= LARGEST_SIDE {
                    return None;
                }
                size = program.copy_replacing(size, local, value);
            } else {
                if ranged.contains(&local) {
                    return None;
                }
                ranged.push(local);
                let count = self.facts.narrow_range(program, local)?;
                let count = self.lifted_in(program, count, indices, ranged)?;
                ranged.pop();
                let count = sizes::known(program, &self.facts, count);
                indices.push((local, self.without_index(program, count, indices)));
            }
        }
    }

    /// Returns a size that is assumed to be equal to another one, and does not depend on an index, if there is one.
    fn without_index(
        &self,
        program: &Program,
        size: ExpressionId,
        indices: &[(LocalId, ExpressionId)],
    ) -> ExpressionId {
        for assumption in self.facts.assumptions.iter().filter(|assumption| assumption.relation == Relation::Equal) {
            for (one, other) in [(assumption.left, assumption.right), (assumption.right, assumption.left)] {
                let own: Vec<LocalId> = assumption.indices.iter().map(|(index, _)| *index).collect();
                let mut found = FxHashMap::default();
                let is_free = !own.is_empty() && !terms::mentions(program, other, &own);
                if !is_free || !proofs::instantiate(program, one, size, &|local| own.contains(&local), &mut found) {
                    continue;
                }
                let is_in_range = |index: &LocalId, count: &ExpressionId| {
                    let value = found.get(index).map(|value| program.expression(*value));
                    let Some(Expression::Local(local)) = value else { return false };
                    let range = indices.iter().find(|(known, _)| *known == local);
                    range.is_some_and(|(_, range)| terms::same(program, *range, *count))
                };
                if assumption.indices.iter().all(|(index, count)| is_in_range(index, count)) {
                    return other;
                }
            }
        }
        size
    }

    /// Replaces `i < right for all i below n` by a relation of n and the right side.
    fn eliminate_index(&self, program: &Program, assumption: &mut Assumption) {
        if assumption.relation == Relation::Less
            && let Expression::Local(local) = program.expression(assumption.left)
            && let Some((_, count)) = assumption.indices.iter().find(|(index, _)| *index == local).copied()
            && !terms::mentions(program, assumption.right, &[local])
        {
            let is_length = |id| matches!(program.expression(id), Expression::Length(_));
            assumption.left = count;
            // Lengths that have to do with each other are equal as a rule, which tells more.
            let is_both = is_length(count) && is_length(assumption.right);
            assumption.relation = if is_both { Relation::Equal } else { Relation::NotGreater };
        }
    }

    fn keep_used_indices(&self, program: &Program, assumption: &mut Assumption) {
        let mut used = terms::free_locals(program, assumption.left);
        used.extend(terms::free_locals(program, assumption.right));
        let mut kept = vec![];
        for (index, count) in assumption.indices.drain(..).rev() {
            if used.contains(&index) {
                used.extend(terms::free_locals(program, count));
                kept.push((index, count));
            }
        }
        kept.reverse();
        assumption.indices = kept;
    }

    /// Returns true if the test of an assumption is total, perhaps under others, and not known to fail.
    fn is_testable(&mut self, program: &mut Program, assumption: &Assumption) -> bool {
        let mut context = Context::new(self.assuming, self.parameters.clone());
        context.facts = self.facts.outside();
        context.depth = self.depth + 1;
        for (index, count) in &assumption.indices {
            // The range is that of the test alone: where the index counts it may go further.
            context.facts.set_range(*index, *count);
            if !(context.demand(program, Obligation::Natural(*count)) && context.is_total(program, *count)) {
                return false;
            }
            context.facts.indices.push(*index);
        }
        let is_total = context.is_total(program, assumption.left) && context.is_total(program, assumption.right);
        if is_total && !context.holds_for_nothing(program, assumption) {
            self.facts.assumptions = context.facts.assumptions;
            return true;
        }
        false
    }

    /// Returns true if an assumption is known to fail unless arrays are empty: with 0 for its indices, the difference of its
    /// sides is not great enough, and it is less for greater sizes.
    fn holds_for_nothing(&self, program: &mut Program, assumption: &Assumption) -> bool {
        let Some(mut difference) = self.facts.gap(program, assumption) else { return false };
        let is_index = |id: ExpressionId| {
            assumption.indices.iter().any(|(index, _)| program.expression(id) == Expression::Local(*index))
        };
        difference.terms.retain(|(atom, _)| !is_index(*atom));
        let falls = |program: &mut Program, difference: &Linear| {
            difference.terms.iter().all(|(atom, factor)| *factor < 0 && self.holds(program, Obligation::Natural(*atom)))
        };
        match assumption.relation {
            Relation::Less => difference.constant < 1 && falls(program, &difference),
            Relation::NotGreater => {
                difference.constant < 0 && difference.terms.is_empty()
                    || difference.constant <= 0 && !difference.terms.is_empty() && falls(program, &difference)
            }
            Relation::Equal => difference.terms.is_empty() && difference.constant != 0,
        }
    }

    /// Drops the assumptions that follow from the others.
    pub fn prune(&mut self, program: &Program) {
        let mut place = self.facts.assumptions.len();
        while place > 0 {
            place -= 1;
            let mut facts = self.facts.outside();
            let assumption = facts.assumptions.remove(place);
            facts.indices.extend(assumption.indices.iter().map(|(index, _)| *index));
            let difference = self.facts.gap(program, &assumption);
            let is_proved = difference.is_some_and(|difference| {
                let gap = Linear::constant(i64::from(assumption.relation == Relation::Less));
                let reverse = Linear::default().plus(program, &difference, -1);
                let is_reverse = || reverse.is_some_and(|reverse| reverse.is_not_negative(program, &facts));
                let is_least =
                    difference.plus(program, &gap, -1).is_some_and(|sum| sum.is_not_negative(program, &facts));
                is_least && (assumption.relation != Relation::Equal || is_reverse())
            });
            if is_proved {
                self.facts.assumptions.remove(place);
            }
        }
    }
}
