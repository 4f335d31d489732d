//! Total terms, which cannot fail, and the assumptions under which a term is total.
//!
//! Errors count as results, so a rule may drop or move only total terms. A term fails for one of three reasons: an index is out of
//! bounds, a size or a count is negative, or an unknown call fails. The first two are comparisons of sizes. A comparison that is not
//! proved can be assumed, if it is a total function of the parameters of the definition. Assumptions are tested before the rewritten body
//! is entered ([`super::guard`]); if one does not hold, the body as it was written runs, with its errors.

mod assumptions;

use super::known::Facts;
use super::linear::Linear;
use super::sizes;
use crate::builtins::Builtin;
use crate::rewrite::terms;
use crate::typed::{Build, ExpressionId, Head, Ifold, LocalId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The largest term that is examined; larger ones count as fallible.
const LARGEST: usize = 20_000;

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
    /// The index is from 0 below the size.
    Below { index: ExpressionId, size: ExpressionId },
    /// The array has this length.
    Has { array: ExpressionId, length: ExpressionId },
    /// The sizes are equal.
    Equal { one: ExpressionId, other: ExpressionId },
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
    /// The loops whose parts are known not to be separable.
    pub inseparable: FxHashSet<ExpressionId>,
    /// Answers about terms outside of all branches, by hashes of the term and of the assumptions.
    outside: FxHashMap<(u64, u64), bool>,
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
        Context {
            facts: Facts::default(),
            assuming,
            parameters,
            depth: 0,
            inseparable: FxHashSet::default(),
            outside: FxHashMap::default(),
        }
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

    /// Returns true if a term is total for all values of the index of a loop that stands here, if need be under new assumptions.
    pub fn is_total_in_turns(&mut self, program: &mut Program, index: LocalId, root: ExpressionId) -> bool {
        self.facts.indices.push(index);
        let is_total = self.is_total(program, root);
        self.facts.indices.pop();
        is_total
    }

    /// Returns true if a term is total outside of all branches and loops, if need be under new assumptions. The same question has the
    /// same answer.
    pub fn is_total_outside(&mut self, program: &mut Program, root: ExpressionId) -> bool {
        let assumed = self.facts.assumptions.iter().fold(0, |hash: u64, assumption| {
            let sides = [assumption.left, assumption.right].map(|side| terms::hash(program, side));
            hash.rotate_left(7) ^ sides[0].rotate_left(1) ^ sides[1] ^ assumption.relation as u64
        });
        let key = (terms::hash(program, root), assumed);
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

    /// Returns true if an index is from 0 below a size, if need be under a new assumption.
    pub fn is_below(&mut self, program: &mut Program, index: ExpressionId, size: ExpressionId) -> bool {
        let (index, size) = (sizes::known(program, &self.facts, index), sizes::known(program, &self.facts, size));
        self.demand(program, Obligation::Below { index, size })
    }

    /// Returns true if two sizes are equal, if need be under a new assumption.
    pub fn is_equal(&mut self, program: &mut Program, one: ExpressionId, other: ExpressionId) -> bool {
        let (one, other) = (sizes::known(program, &self.facts, one), sizes::known(program, &self.facts, other));
        self.demand(program, Obligation::Equal { one, other })
    }

    /// Returns true if an obligation is proved.
    fn holds(&self, program: &mut Program, obligation: Obligation) -> bool {
        match obligation {
            Obligation::In { index, array } => {
                let size = sizes::length_of(program, &self.facts, array);
                let index = sizes::known(program, &self.facts, index);
                self.holds(program, Obligation::Below { index, size })
            }
            Obligation::Below { index, size } => {
                let size = Linear::of(program, &self.facts, size);
                size.is_some_and(|size| self.facts.is_below(program, index, &size))
            }
            Obligation::Has { array, length } => {
                let one = sizes::length_of(program, &self.facts, array);
                let other = sizes::known(program, &self.facts, length);
                self.facts.is_equal(program, one, other)
            }
            Obligation::Equal { one, other } => self.facts.is_equal(program, one, other),
            Obligation::Natural(size) => {
                let size = sizes::known(program, &self.facts, size);
                let sum = Linear::of(program, &self.facts, size);
                sum.is_some_and(|sum| sum.is_not_negative(program, &self.facts))
            }
        }
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
            let unproved = obligations.drain(..).filter(|obligation| !self.holds(program, *obligation));
            found.extend(unproved.map(|obligation| Found {
                obligation,
                conditions: self.facts.conditions.iter().skip(conditions).copied().collect(),
                indices: self.facts.indices.iter().skip(indices).copied().collect(),
            }));
        }
        Some(found)
    }

    /// Adds the obligations of an expression and the steps of its parts.
    fn visit(
        &mut self,
        program: &mut Program,
        id: ExpressionId,
        steps: &mut Vec<Step>,
        found: &mut Vec<Obligation>,
    ) -> Option<()> {
        let (head, parts) = program.apart(id);
        self.facts.enter(program, id);
        match (head, &*parts) {
            (Head::Lambda(_), _) => {}
            (Head::If, &[condition, consequent, alternative]) => steps.extend([
                Step::EndCondition,
                Step::Visit(alternative),
                Step::Condition(condition, false),
                Step::EndCondition,
                Step::Visit(consequent),
                Step::Condition(condition, true),
                Step::Visit(condition),
            ]),
            (Head::Call(Builtin::Build), &[size, _]) => {
                let Build { index, element, .. } = program.as_build(id)?;
                found.push(Obligation::Natural(size));
                steps.extend([Step::EndIndex, Step::Visit(element), Step::Index(index), Step::Visit(size)]);
            }
            (Head::Call(Builtin::Ifold), &[_, start, count]) => {
                let Ifold { index, turn, .. } = program.as_ifold(id)?;
                found.push(Obligation::Natural(count));
                steps.extend([Step::EndIndex, Step::Visit(turn), Step::Index(index)]);
                steps.extend([Step::Visit(count), Step::Visit(start)]);
            }
            (
                Head::Application
                | Head::Deriv(_)
                | Head::Call(Builtin::Write | Builtin::Derivative(_) | Builtin::Forward | Builtin::Reverse(_)),
                _,
            ) => return None,
            (head, parts) => {
                match (head, parts) {
                    (Head::Call(Builtin::Get), &[array, index]) => found.push(Obligation::In { index, array }),
                    (Head::Call(Builtin::OfLength), &[array, length]) => found.push(Obligation::Has { array, length }),
                    (_, _) => {}
                }
                steps.extend(parts.iter().rev().map(|part| Step::Visit(*part)));
            }
        }
        Some(())
    }
}
