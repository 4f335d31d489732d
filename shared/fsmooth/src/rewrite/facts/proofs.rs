//! Comparisons that follow from the facts at a place, as linear forms that are not negative.
//!
//! Ranges, conditions and assumptions give one form each. An assumption about all values of an index is instantiated at the values that
//! occur in the form to be proved.

use super::known::{Assumption, Facts, Instances, Ranges, Relation};
use super::linear::{self, Linear};
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Head, LocalId, Program, Types};
use rustc_hash::FxHashMap;
use vlad_table::primitives::Comparison;

impl Facts {
    /// Returns true if an index is proved to be from 0 below a size.
    pub fn is_below(&self, program: &Program, index: ExpressionId, size: &Linear) -> bool {
        let Some(index) = Linear::of(program, self, index) else { return false };
        let one = Linear::constant(1);
        let gap = size.plus(program, &index, -1).and_then(|gap| gap.plus(program, &one, -1));
        index.is_not_negative(program, self) && gap.is_some_and(|gap| gap.is_not_negative(program, self))
    }

    /// Returns true if two sizes are proved to be equal.
    pub fn is_equal(&self, program: &Program, one: ExpressionId, other: ExpressionId) -> bool {
        let (Some(one), Some(other)) = (Linear::of(program, self, one), Linear::of(program, self, other)) else {
            return false;
        };
        let sides = [one.plus(program, &other, -1), other.plus(program, &one, -1)];
        sides.iter().all(|side| side.as_ref().is_some_and(|side| side.is_not_negative(program, self)))
    }

    /// Returns sums that are not negative here.
    pub fn known(&self, program: &Program) -> Vec<Linear> {
        let mut known = vec![];
        for index in &self.indices {
            let Some(count) = self.range(*index).and_then(|count| Linear::of(program, self, count)) else { continue };
            known.extend(count.plus(program, &Linear::constant(1), -1));
        }
        for (condition, outcome) in &self.conditions {
            if let Expression::Compare(comparison, left, right) = program.expression(*condition)
                && program.type_of(left) == Types::INDEX
            {
                self.add_comparison(program, comparison, *outcome, (left, right), &mut known);
            }
        }
        for assumption in self.assumptions.iter().filter(|assumption| assumption.indices.is_empty()) {
            if let Some(fact) = self.difference(program, assumption) {
                add_fact(program, assumption.relation, fact, &mut known);
            }
        }
        known
    }

    /// Returns instances of assumptions about indices: sums that are not negative, and may serve a proof about another sum.
    pub fn instances(&self, program: &Program, goal: &Linear, ranges: &mut Ranges) -> Vec<Linear> {
        let mut known = vec![];
        for assumption in self.assumptions.iter().filter(|assumption| !assumption.indices.is_empty()) {
            self.add_instances(program, assumption, goal, ranges, &mut known);
        }
        known
    }

    /// The right side of an assumption less the left one.
    pub fn gap(&self, program: &Program, assumption: &Assumption) -> Option<Linear> {
        let left = Linear::of(program, self, assumption.left)?;
        Linear::of(program, self, assumption.right)?.plus(program, &left, -1)
    }

    /// The same, less 1 if the right side has to be greater.
    fn difference(&self, program: &Program, assumption: &Assumption) -> Option<Linear> {
        let least = Linear::constant(i64::from(assumption.relation == Relation::Less));
        self.gap(program, assumption)?.plus(program, &least, -1)
    }

    fn add_comparison(
        &self,
        program: &Program,
        comparison: Comparison,
        outcome: bool,
        (left, right): (ExpressionId, ExpressionId),
        known: &mut Vec<Linear>,
    ) {
        let mut add = |greater: ExpressionId, smaller: ExpressionId, gap: i64| {
            let sides = (Linear::of(program, self, greater), Linear::of(program, self, smaller));
            // The negation of a comparison tells nothing of what may be no number.
            let is_number = |side: &Linear| side.terms.iter().all(|(atom, _)| linear::is_number(program, self, *atom));
            if let (Some(greater), Some(smaller)) = sides
                && (outcome || (is_number(&greater) && is_number(&smaller)))
            {
                let gap = Linear::constant(gap);
                known.extend(greater.plus(program, &smaller, -1).and_then(|sum| sum.plus(program, &gap, -1)));
            }
        };
        match (comparison, outcome) {
            (Comparison::Equal, true) => {
                add(left, right, 0);
                add(right, left, 0);
            }
            (Comparison::Equal, false) => {}
            (Comparison::Less, true) | (Comparison::NotLess, false) => add(right, left, 1),
            (Comparison::Greater, true) | (Comparison::NotGreater, false) => add(left, right, 1),
            (Comparison::NotGreater, true) | (Comparison::Greater, false) => add(right, left, 0),
            (Comparison::NotLess, true) | (Comparison::Less, false) => add(left, right, 0),
        }
    }

    /// Adds the instances of an assumption whose atoms occur in the goal.
    fn add_instances(
        &self,
        program: &Program,
        assumption: &Assumption,
        goal: &Linear,
        ranges: &mut Ranges,
        known: &mut Vec<Linear>,
    ) {
        let Some(fact) = self.difference(program, assumption) else { return };
        for (atom, _) in &fact.terms {
            for (target, _) in &goal.terms {
                let instance = self.instance(program, (assumption, &mut *ranges), (&fact, goal), (*atom, *target));
                if let Some(instance) = instance {
                    add_fact(program, assumption.relation, instance, known);
                }
            }
        }
    }

    /// Returns a fact about all indices for those with which an atom of it is an atom of the goal.
    fn instance(
        &self,
        program: &Program,
        (assumption, ranges): (&Assumption, &mut Ranges),
        (fact, goal): (&Linear, &Linear),
        (atom, target): (ExpressionId, ExpressionId),
    ) -> Option<Linear> {
        let mut found = FxHashMap::default();
        let is_index = |local: LocalId| assumption.indices.iter().any(|(index, _)| *index == local);
        if !instantiate(program, atom, target, &is_index, &mut found) || found.is_empty() {
            return None;
        }
        let mut result = Linear::constant(fact.constant);
        let indices: Vec<LocalId> = assumption.indices.iter().map(|(index, _)| *index).collect();
        for (other, coefficient) in &fact.terms {
            let mut place = *other;
            if terms::mentions(program, *other, &indices) {
                // The same indices make another atom of the goal of it, or it is an index itself.
                let is_it = |found: &mut FxHashMap<LocalId, ExpressionId>, target| {
                    let mut extended = found.clone();
                    let is_it = instantiate(program, *other, target, &is_index, &mut extended);
                    if is_it {
                        *found = extended;
                    }
                    is_it
                };
                let mut own = None;
                if let Expression::Local(local) = program.expression(*other) {
                    own = found.get(&local).copied();
                }
                place = own.or_else(|| {
                    let mut targets = goal.terms.iter().map(|(target, _)| *target);
                    targets.find(|target| is_it(&mut found, *target))
                })?;
            }
            result = result.plus(program, &Linear { constant: 0, terms: vec![(place, 1)] }, *coefficient)?;
        }
        let is_in_range = |(index, count): &(LocalId, ExpressionId)| {
            let Some(value) = found.get(index).copied() else { return false };
            let key = (terms::hash(program, value), *count);
            let wanted = ranges.wanted;
            *ranges.known.entry(key).or_insert_with(|| self.is_in_range(program, value, *count, wanted))
        };
        assumption.indices.iter().all(is_in_range).then_some(result)
    }

    /// Returns true if a value of an index is in its range.
    fn is_in_range(&self, program: &Program, value: ExpressionId, count: ExpressionId, ranges: Instances) -> bool {
        let Some(count) = Linear::of(program, self, count) else { return false };
        let one = Linear::constant(1);
        let (gap, least) = if let Expression::Local(local) = program.expression(value) {
            let range = self.narrow_range(program, local).and_then(|range| Linear::of(program, self, range));
            (range.and_then(|range| count.plus(program, &range, -1)), Some(Linear::default()))
        } else {
            let value = Linear::of(program, self, value);
            let gap = value.as_ref().and_then(|value| count.plus(program, value, -1));
            (gap.and_then(|gap| gap.plus(program, &one, -1)), value)
        };
        let (Some(gap), Some(least)) = (gap, least) else { return false };
        match ranges {
            Instances::OfEqualRanges => {
                let is_constant = |sum: &Linear| sum.terms.is_empty() && sum.constant >= 0;
                is_constant(&gap) && is_constant(&least)
            }
            Instances::OfProvedRanges => {
                gap.is_plainly_not_negative(program, self) && least.is_plainly_not_negative(program, self)
            }
        }
    }
}

/// Adds the difference of the sides of a relation, and its negation if they are equal.
fn add_fact(program: &Program, relation: Relation, fact: Linear, known: &mut Vec<Linear>) {
    if relation == Relation::Equal {
        known.extend(Linear::default().plus(program, &fact, -1));
    }
    known.push(fact);
}

/// Returns true if a term is another one with expressions in place of some locals. Atoms are small: deep ones differ.
pub fn instantiate(
    program: &Program,
    pattern: ExpressionId,
    target: ExpressionId,
    is_index: &impl Fn(LocalId) -> bool,
    found: &mut FxHashMap<LocalId, ExpressionId>,
) -> bool {
    let mut pending = vec![(pattern, target)];
    while let Some((pattern, target)) = pending.pop() {
        let ((one, left), (other, right)) = (program.apart(pattern), program.apart(target));
        if let Head::Local(local) = one
            && is_index(local)
        {
            match found.get(&local) {
                Some(earlier) if !terms::same(program, *earlier, target) => return false,
                Some(_) => {}
                None => {
                    found.insert(local, target);
                }
            }
            continue;
        }
        if left.is_empty() && !terms::same(program, pattern, target) {
            return false;
        }
        if one != other || left.len() != right.len() || one.bound().is_some() {
            return false;
        }
        pending.extend(left.into_iter().zip(right));
    }
    true
}
