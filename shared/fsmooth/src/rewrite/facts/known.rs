//! The facts that hold at a place of a program: values of `let`s, ranges of loop indices, conditions of the branches around it,
//! and assumptions.
//!
//! Every local is bound at one place, so its value and its range hold wherever it is in scope. Conditions and indices are pushed and
//! popped by the traversal that visits the place.

use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Ifold, LocalId, Program, Types};
use rustc_hash::FxHashMap;
use vlad_table::primitives::Comparison;

/// The number of `let`s through which a variable is followed at most.
const LONGEST_CHAIN: usize = 64;

/// A comparison of sizes that is tested before the code that relies on it: it holds for all values of some indices.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The indices and the sizes below which they range, from the outermost.
    pub indices: Vec<(LocalId, ExpressionId)>,
    /// The smaller side.
    pub left: ExpressionId,
    /// The relation.
    pub relation: Relation,
    /// The greater side.
    pub right: ExpressionId,
}

/// The relation of the sides of an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are equal.
    Equal,
    /// The left one is less.
    Less,
    /// The left one is not greater.
    NotGreater,
}

/// The instances of an assumption that a proof uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instances {
    /// Those for indices of the ranges that the assumption names.
    OfEqualRanges,
    /// Those for indices that are proved to be in these ranges.
    OfProvedRanges,
}

/// The values of indices that a proof has found to be in their ranges, or not to be.
pub struct Ranges {
    /// The instances that the proof uses.
    pub wanted: Instances,
    /// By a hash of the value and the size, if the value is in the range.
    pub known: FxHashMap<(u64, ExpressionId), bool>,
}

impl Ranges {
    /// Nothing is known yet.
    pub fn new(wanted: Instances) -> Ranges {
        Ranges { wanted, known: FxHashMap::default() }
    }
}

/// The facts at a place.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    values: FxHashMap<LocalId, ExpressionId>,
    ranges: FxHashMap<LocalId, ExpressionId>,
    /// The conditions of the branches around the place, and their outcomes.
    pub conditions: Vec<(ExpressionId, bool)>,
    /// The indices of the loops around the place, from the outermost.
    pub indices: Vec<LocalId>,
    /// The assumptions.
    pub assumptions: Vec<Assumption>,
}

impl Facts {
    /// Notes the value of a local.
    pub fn set_value(&mut self, local: LocalId, value: ExpressionId) {
        self.values.insert(local, value);
    }

    /// Returns the value of a local that a `let` binds.
    pub fn value(&self, local: LocalId) -> Option<ExpressionId> {
        self.values.get(&local).copied()
    }

    /// Notes that a local counts from 0 below a size.
    pub fn set_range(&mut self, local: LocalId, count: ExpressionId) {
        self.ranges.insert(local, count);
    }

    /// Returns the size below which a local counts.
    pub fn range(&self, local: LocalId) -> Option<ExpressionId> {
        self.ranges.get(&local).copied()
    }

    /// Returns the size below which a local counts here: the one that a branch around the place compares it with, if there is one.
    pub fn narrow_range(&self, program: &Program, local: LocalId) -> Option<ExpressionId> {
        let compared = self.conditions.iter().rev().find_map(|(condition, outcome)| {
            let Expression::Compare(comparison, first, second) = program.expression(*condition) else { return None };
            let is_it = |side| program.is_local(side, local);
            match (comparison, outcome) {
                (Comparison::Less, true) if is_it(first) => Some(second),
                (Comparison::Greater, true) if is_it(second) => Some(first),
                _ => None,
            }
        });
        let range = self.range(local)?;
        Some(compared.unwrap_or(range))
    }

    /// The facts that hold outside of all branches and loops.
    #[must_use]
    pub fn outside(&self) -> Facts {
        Facts { conditions: vec![], indices: vec![], ..self.clone() }
    }

    /// Notes the facts that an expression tells of the locals that it binds.
    pub fn enter(&mut self, program: &Program, id: ExpressionId) {
        if let Expression::Let { local, value, .. } = program.expression(id) {
            self.set_value(local, value);
        }
        if let Some((index, count)) = program.as_loop(id) {
            self.set_range(index, count);
        }
        // A step is made of at least one iteration, so the start is below the count, too.
        if let Some((state, count)) = index_state(program, id) {
            self.set_range(state, count);
        }
    }

    /// Notes the facts that all expressions of a tree tell.
    pub fn enter_all(&mut self, program: &Program, root: ExpressionId) {
        program.walk(root, |id, _| {
            self.enter(program, id);
            true
        });
    }

    /// Follows variables to their values.
    pub fn resolved(&self, program: &Program, id: ExpressionId) -> ExpressionId {
        let mut id = id;
        for _ in 0..LONGEST_CHAIN {
            let Expression::Local(local) = program.expression(id) else { break };
            let Some(value) = self.value(local) else { break };
            id = value;
        }
        id
    }
}

/// Returns the state of an iteration that begins with 0, and whose steps make of it nothing but itself and the index,
/// with the count: in a step, and after one at least, the state is below the count.
pub fn index_state(program: &Program, id: ExpressionId) -> Option<(LocalId, ExpressionId)> {
    let Ifold { state, index, turn, start, count } = program.as_ifold(id)?;
    if program.type_of(start) != Types::INDEX || program.expression(start) != Expression::Number(0.0) {
        return None;
    }
    let is_kept = |end: &ExpressionId| program.is_local(*end, state) || program.is_local(*end, index);
    terms::ends(program, turn).iter().all(is_kept).then_some((state, count))
}
