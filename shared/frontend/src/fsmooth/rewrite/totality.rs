//! Terms that cannot fail, and the assumptions under which they cannot.
//!
//! Errors count as results, so a rule may drop or move a term only if its evaluation is *total*. A failure is one of
//! these: an index that is not in its array, a size or a count that is negative, and anything within a call that is not
//! known. The first two are comparisons of sizes. Where one is not proved, it can be assumed: an assumption is a
//! comparison that is a function of the parameters of the definition, is itself total, and is tested before the code
//! that relies on it is entered. If the test fails, the definition as it was written runs, with its errors.

use super::facts::{self, Assumption, Facts, Relation};
use super::linear::Linear;
use super::proofs;
use super::{sizes, terms};
use crate::fsmooth::typed::{Expression, ExpressionId, LocalId, Program, Types};
use std::collections::{HashMap, HashSet};

/// The largest term that is examined; larger ones count as fallible.
const LARGEST: usize = 20_000;

/// The number of assumptions of one definition at most.
const MOST_ASSUMPTIONS: usize = 24;

/// The longest chain of assumptions each of which is needed to test the one before.
const DEEPEST: usize = 4;

/// The largest side of an assumption.
const LARGEST_SIDE: usize = 200;

/// The use of assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assuming {
    /// Only what is proved counts as total.
    Nothing,
    /// Assumes what is not proved, if it can be.
    Sizes,
}

/// A condition of success that is not proved.
#[derive(Clone, Copy, Debug)]
enum Obligation {
    /// The index is in the array.
    In { index: ExpressionId, array: ExpressionId },
    /// The array has this length.
    Has { array: ExpressionId, length: ExpressionId },
    /// The size is not negative.
    Natural(ExpressionId),
}

/// A condition of success, with the conditions of the branches and the indices of the loops between it and the term that has it.
#[derive(Clone, Debug)]
struct Found {
    obligation: Obligation,
    conditions: Vec<(ExpressionId, bool)>,
    indices: Vec<LocalId>,
}

/// The facts at a place, and the means to add assumptions to them.
#[derive(Clone, Debug)]
pub struct Context {
    /// The facts.
    pub facts: Facts,
    /// The use of assumptions.
    pub assuming: Assuming,
    /// The locals of which assumptions may speak: the parameters of the definition.
    pub parameters: Vec<LocalId>,
    /// The number of assumptions that are being tested for being total.
    pub depth: usize,
    /// The loops whose parts are known not to be separable ([`super::fission`]).
    pub inseparable: HashSet<ExpressionId>,
    /// The indices of tables whose columns are made together ([`super::separation`]).
    pub tables: HashSet<LocalId>,
    /// Answers about terms outside of all branches, by hashes of the term and of the assumptions.
    outside: HashMap<(u64, u64), bool>,
}

enum Step {
    Visit(ExpressionId),
    Index(LocalId),
    Condition(ExpressionId, bool),
    EndIndex,
    EndCondition,
}

impl Context {
    /// A context without facts, for a definition with some parameters.
    pub fn new(assuming: Assuming, parameters: Vec<LocalId>) -> Context {
        Context { facts: Facts::default(), assuming, parameters, depth: 0, inseparable: HashSet::new(), outside: HashMap::new(), tables: HashSet::new() }
    }

    /// Returns true if a term is total here, if need be under new assumptions.
    pub fn is_total(&mut self, program: &mut Program, root: ExpressionId) -> bool {
        let Some(obligations) = self.obligations(program, root) else { return false };
        if obligations.is_empty() {
            return true;
        }
        let before = self.facts.assumptions.len();
        if obligations.into_iter().all(|found| self.assume_found(program, found)) {
            return true;
        }
        self.facts.assumptions.truncate(before);
        false
    }

    /// Returns true if a term is total outside of all branches and loops, if need be under new assumptions. The same question has the
    /// same answer.
    pub fn is_total_outside(&mut self, program: &mut Program, root: ExpressionId) -> bool {
        let sides = self.facts.assumptions.iter().flat_map(|assumption| [assumption.left, assumption.right]);
        let assumed = sides.fold(0, |hash: u64, side| hash.rotate_left(7) ^ terms::hash(program, side, None));
        let key = (terms::hash(program, root, None), assumed);
        if let Some(known) = self.outside.get(&key) {
            return *known;
        }
        let before = self.facts.assumptions.len();
        let is_total = self.is_total(program, root);
        if self.facts.assumptions.len() == before {
            self.outside.insert(key, is_total);
        }
        is_total
    }

    /// Returns true if an index is in an array, if need be under a new assumption.
    pub fn is_in(&mut self, program: &mut Program, index: ExpressionId, array: ExpressionId) -> bool {
        self.is_known_in(program, index, array) || self.assume(program, Obligation::In { index, array })
    }

    fn is_known_in(&self, program: &mut Program, index: ExpressionId, array: ExpressionId) -> bool {
        let length = sizes::length_of(program, &self.facts, array);
        let index = sizes::known(program, &self.facts, index);
        Linear::of(program, &self.facts, length).is_some_and(|length| self.facts.is_below(program, index, &length))
    }

    /// Returns true if an index is from 0 below a size, if need be under a new assumption.
    pub fn is_below(&mut self, program: &mut Program, index: ExpressionId, size: ExpressionId) -> bool {
        let (index, size) = (sizes::known(program, &self.facts, index), sizes::known(program, &self.facts, size));
        if let Some(bound) = Linear::of(program, &self.facts, size)
            && self.facts.is_below(program, index, &bound)
        {
            return true;
        }
        let before = self.facts.assumptions.len();
        let assumed = self.assume_iterations(program, index);
        let is_below = assumed.unwrap_or_else(|| self.assume_relation(program, index, Relation::Less, size)) && {
            let bound = Linear::of(program, &self.facts, size);
            bound.is_some_and(|bound| self.facts.is_below(program, index, &bound))
        };
        if !is_below {
            self.facts.assumptions.truncate(before);
        }
        is_below
    }

    /// Returns true if two sizes are equal, if need be under a new assumption.
    pub fn is_equal(&mut self, program: &mut Program, one: ExpressionId, other: ExpressionId) -> bool {
        let (one, other) = (sizes::known(program, &self.facts, one), sizes::known(program, &self.facts, other));
        if self.facts.is_equal(program, one, other) {
            return true;
        }
        let before = self.facts.assumptions.len();
        let is_equal =
            self.assume_relation(program, one, Relation::Equal, other) && self.facts.is_equal(program, one, other);
        if !is_equal {
            self.facts.assumptions.truncate(before);
        }
        is_equal
    }

    /// Returns the conditions under which a term is total, without those that are proved; none if it may fail
    /// otherwise.
    fn obligations(&mut self, program: &mut Program, root: ExpressionId) -> Option<Vec<Found>> {
        if terms::size(program, root, LARGEST) >= LARGEST {
            return None;
        }
        let (conditions, indices) = (self.facts.conditions.len(), self.facts.indices.len());
        let obligations = self.collect(program, root, (conditions, indices));
        self.facts.conditions.truncate(conditions);
        self.facts.indices.truncate(indices);
        obligations
    }

    /// Collects what is not proved, with the facts behind so many conditions and indices.
    fn collect(
        &mut self,
        program: &mut Program,
        root: ExpressionId,
        (conditions, indices): (usize, usize),
    ) -> Option<Vec<Found>> {
        let (mut steps, mut found) = (vec![Step::Visit(root)], vec![]);
        let mut obligations = vec![];
        while let Some(step) = steps.pop() {
            match step {
                Step::Index(local) => self.facts.indices.push(local),
                Step::Condition(condition, outcome) => self.facts.conditions.push((condition, outcome)),
                Step::EndIndex => {
                    self.facts.indices.pop();
                }
                Step::EndCondition => {
                    self.facts.conditions.pop();
                }
                Step::Visit(id) => self.visit(program, id, &mut steps, &mut obligations)?,
            }
            found.extend(obligations.drain(..).map(|obligation| Found {
                obligation,
                conditions: self.facts.conditions.iter().skip(conditions).copied().collect(),
                indices: self.facts.indices.iter().skip(indices).copied().collect(),
            }));
        }
        Some(found)
    }

    /// Adds the obligations of an expression, and the steps of its parts.
    fn visit(
        &mut self,
        program: &mut Program,
        id: ExpressionId,
        steps: &mut Vec<Step>,
        found: &mut Vec<Obligation>,
    ) -> Option<()> {
        let expression = program.expression(id);
        self.facts.enter(program, expression);
        match expression {
            Expression::Number(_)
            | Expression::Boolean(_)
            | Expression::Local(_)
            | Expression::Global(_)
            | Expression::Lambda { .. } => {}
            Expression::Length(only)
            | Expression::First(only)
            | Expression::Second(only)
            | Expression::Unary(_, only)
            | Expression::Not(only)
            | Expression::Widen(only) => steps.push(Step::Visit(only)),
            Expression::Let { value: first, body: second, .. }
            | Expression::Pair(first, second)
            | Expression::Binary(_, first, second)
            | Expression::Compare(_, first, second) => steps.extend([Step::Visit(second), Step::Visit(first)]),
            Expression::Array(elements) => {
                steps.extend(program.elements(elements).iter().map(|element| Step::Visit(*element)));
            }
            Expression::If { condition, consequent, alternative } => steps.extend([
                Step::EndCondition,
                Step::Visit(alternative),
                Step::Condition(condition, false),
                Step::EndCondition,
                Step::Visit(consequent),
                Step::Condition(condition, true),
                Step::Visit(condition),
            ]),
            Expression::Get { array, index } => {
                if !self.is_known_in(program, index, array) {
                    found.push(Obligation::In { index, array });
                }
                steps.extend([Step::Visit(index), Step::Visit(array)]);
            }
            Expression::OfLength { array, length } => {
                if !self.has_length(program, array, length) {
                    found.push(Obligation::Has { array, length });
                }
                steps.extend([Step::Visit(length), Step::Visit(array)]);
            }
            Expression::Build { size, function } => {
                let Expression::Lambda { parameter, body } = program.expression(function) else { return None };
                self.natural(program, size, found);
                steps.extend([Step::EndIndex, Step::Visit(body), Step::Index(parameter), Step::Visit(size)]);
            }
            Expression::Ifold { function, start, count } => {
                let Expression::Lambda { body, .. } = program.expression(function) else { return None };
                let Expression::Lambda { parameter, body } = program.expression(body) else { return None };
                self.natural(program, count, found);
                steps.extend([Step::EndIndex, Step::Visit(body), Step::Index(parameter)]);
                steps.extend([Step::Visit(count), Step::Visit(start)]);
            }
            Expression::Application { .. }
            | Expression::Deriv { .. }
            | Expression::Derivative { .. }
            | Expression::Forward { .. }
            | Expression::Reverse { .. } => return None,
        }
        Some(())
    }

    fn natural(&self, program: &mut Program, size: ExpressionId, found: &mut Vec<Obligation>) {
        if !self.is_natural(program, size) {
            found.push(Obligation::Natural(size));
        }
    }

    fn is_natural(&self, program: &mut Program, size: ExpressionId) -> bool {
        let size = sizes::known(program, &self.facts, size);
        let sum = Linear::of(program, &self.facts, size);
        sum.is_some_and(|sum| sum.is_not_negative(program, &self.facts))
    }

    /// Assumes an obligation where it was found.
    fn assume_found(&mut self, program: &mut Program, found: Found) -> bool {
        let (conditions, indices) = (self.facts.conditions.len(), self.facts.indices.len());
        self.facts.conditions.extend(found.conditions);
        self.facts.indices.extend(found.indices);
        let is_assumed = self.assume_obligation(program, found.obligation);
        self.facts.conditions.truncate(conditions);
        self.facts.indices.truncate(indices);
        is_assumed
    }

    /// Assumes an obligation that was found before others were assumed.
    fn assume_obligation(&mut self, program: &mut Program, obligation: Obligation) -> bool {
        match obligation {
            Obligation::In { index, array } => self.is_in(program, index, array),
            Obligation::Has { array, length } => {
                self.has_length(program, array, length) || self.assume(program, obligation)
            }
            Obligation::Natural(_) => self.assume(program, obligation),
        }
    }

    fn has_length(&self, program: &mut Program, array: ExpressionId, length: ExpressionId) -> bool {
        let found = sizes::length_of(program, &self.facts, array);
        let length = sizes::known(program, &self.facts, length);
        self.facts.is_equal(program, found, length)
    }

    /// Assumes an obligation, if it is proved then.
    fn assume(&mut self, program: &mut Program, obligation: Obligation) -> bool {
        let before = self.facts.assumptions.len();
        let is_assumed = self.assuming == Assuming::Sizes && self.assume_sizes(program, obligation) && {
            match obligation {
                Obligation::In { index, array } => self.is_known_in(program, index, array),
                Obligation::Has { array, length } => self.has_length(program, array, length),
                Obligation::Natural(size) => self.is_natural(program, size),
            }
        };
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
                (self.is_natural(program, index) || self.assume(program, Obligation::Natural(index)))
                    && self.assume_relation(program, index, Relation::Less, length)
            }
            Obligation::Has { array, length } => {
                let found = sizes::length_of(program, &self.facts, array);
                self.assume_relation(program, found, Relation::Equal, length)
            }
            Obligation::Natural(size) => {
                let span = program.span(size);
                let zero = program.add(Expression::Number(0.0), Types::INDEX, span);
                self.assume_relation(program, zero, Relation::NotGreater, size)
            }
        }
    }

    /// Assumes that an iteration whose result is an index has a step, so that the result is below its count; none for
    /// another index.
    fn assume_iterations(&mut self, program: &mut Program, index: ExpressionId) -> Option<bool> {
        let index = self.facts.resolved(program, index);
        let (_, count) = facts::index_state(program, program.expression(index))?;
        let zero = program.add(Expression::Number(0.0), Types::INDEX, program.span(index));
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
                size = program.copy(size, &HashMap::from([(local, value)]));
            } else {
                let count = self.facts.narrow_range(program, local)?;
                let count = self.lifted(program, count, indices)?;
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
                let mut found = HashMap::new();
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
        for (index, count) in &assumption.indices {
            self.facts.set_range(*index, *count);
        }
        let outer = self.facts.outside();
        let mut context = Context::new(self.assuming, self.parameters.clone());
        context.facts = outer;
        context.depth = self.depth + 1;
        for (index, count) in &assumption.indices {
            let is_natural = context.is_natural(program, *count) || context.assume(program, Obligation::Natural(*count));
            if !(is_natural && context.is_total(program, *count)) {
                return false;
            }
            context.facts.indices.push(*index);
        }
        let is_total = context.is_total(program, assumption.left) && context.is_total(program, assumption.right);
        let difference = self.difference(program, assumption);
        let is_false = difference.is_some_and(|difference| {
            let least = i64::from(assumption.relation == Relation::Less);
            let is_unequal = assumption.relation == Relation::Equal && difference.constant != 0;
            difference.terms.is_empty() && (difference.constant < least || is_unequal)
        });
        if is_total && !is_false {
            self.facts.assumptions = context.facts.assumptions;
            return true;
        }
        false
    }

    /// Drops the assumptions that follow from the others.
    pub fn prune(&mut self, program: &Program) {
        let mut place = self.facts.assumptions.len();
        while place > 0 {
            place -= 1;
            let mut facts = self.facts.outside();
            let assumption = facts.assumptions.remove(place);
            facts.indices.extend(assumption.indices.iter().map(|(index, _)| *index));
            let difference = self.difference(program, &assumption);
            let is_proved = difference.is_some_and(|difference| {
                let gap = Linear { constant: i64::from(assumption.relation == Relation::Less), terms: vec![] };
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

    /// The right side less the left one.
    fn difference(&self, program: &Program, assumption: &Assumption) -> Option<Linear> {
        let right = Linear::of(program, &self.facts, assumption.right)?;
        let left = Linear::of(program, &self.facts, assumption.left)?;
        right.plus(program, &left, -1)
    }
}
