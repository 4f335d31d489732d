//! Unions: one of a few alternatives, each of a *sort* of its own.
//!
//! Two pairs, two procedures of one lambda, two vectors of one length are one alternative, whose parts are joined: so a
//! union has at most one alternative for each sort, and what a test of a sort says names one of them. The leaves of a
//! union are, for each alternative, a boolean that is true for the one that the value is, and the leaves of the alternative. Leaves of
//! the others are 0, false and arrays without elements; nothing reads them.

use super::join::{NoJoin, Widening};
use super::{Abstract, AbstractId, Arrays, Domain, Head, MOST_ALTERNATIVES, Misfit, Unions};
use vlad_core::LambdaId;
use vlad_table::Primitive;

/// The number of unions within unions of the same sorts from which on a structure is taken to grow without end.
pub(super) const MOST_RECURRENCE: u32 = 4;

/// The sort of an alternative, in the order of alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// The empty list.
    Nil,
    /// A boolean.
    Boolean,
    /// A real.
    Real,
    /// A pair.
    Pair,
    /// A vector of a known length.
    Vector(usize),
    /// A vector of any length.
    Array,
    /// A procedure of a lambda.
    Closure(LambdaId),
    /// A primitive.
    Primitive(Primitive),
}

impl Sort {
    /// Returns true if values of the sort have parts, so that they may recur in themselves.
    pub fn has_parts(self) -> bool {
        match self {
            Sort::Pair | Sort::Vector(_) | Sort::Closure(_) => true,
            Sort::Nil | Sort::Boolean | Sort::Real | Sort::Array | Sort::Primitive(_) => false,
        }
    }

    /// Returns true for the sort of procedures of a lambda.
    pub fn is_closure(self) -> bool {
        matches!(self, Sort::Closure(_))
    }
}

impl Domain {
    /// The sort of a value that can be an alternative.
    pub fn sort(&self, id: AbstractId) -> Option<Sort> {
        match self.get(id) {
            _ if self.may_be_alternative(id).is_err() => None,
            Abstract::Nil => Some(Sort::Nil),
            Abstract::Boolean(_) | Abstract::AnyBoolean => Some(Sort::Boolean),
            Abstract::Real { .. } | Abstract::AnyReal => Some(Sort::Real),
            Abstract::Pair(..) => Some(Sort::Pair),
            Abstract::Vector(elements) => Some(Sort::Vector(elements.len())),
            Abstract::Closure(lambda, _) => Some(Sort::Closure(*lambda)),
            Abstract::Primitive(primitive) => Some(Sort::Primitive(*primitive)),
            Abstract::Array(_) => Some(Sort::Array),
            Abstract::Bundle { .. }
            | Abstract::Tagged(..)
            | Abstract::Backpropagator(..)
            | Abstract::Cell(_)
            | Abstract::Back
            | Abstract::Union(_) => None,
        }
    }

    /// Returns an error for what cannot be an alternative, or a part of one: parts of marked values are looked for at their
    /// roots, and arrays of several parts are few.
    pub(super) fn may_be_alternative(&self, id: AbstractId) -> Result<(), Misfit> {
        match self.arrays(id) {
            _ if self.has_marks(id) => Err(Misfit::Mark),
            Arrays::None | Arrays::Plain => Ok(()),
            Arrays::OfParts | Arrays::Alternatives => Err(Misfit::Array),
        }
    }

    /// The alternatives of a union; of any other value itself.
    pub fn alternatives(&self, id: AbstractId) -> Vec<AbstractId> {
        match self.get(id) {
            Abstract::Union(alternatives) => alternatives.to_vec(),
            _ => vec![id],
        }
    }

    /// The alternative of a sort.
    pub fn alternative(&self, id: AbstractId, sort: Sort) -> Option<AbstractId> {
        self.alternatives(id).into_iter().find(|alternative| self.sort(*alternative) == Some(sort))
    }

    /// The sorts of a value that can be an alternative, in order: those of a cell's union are the cell's.
    pub fn sorts(&self, id: AbstractId) -> Vec<Sort> {
        match self.get(id) {
            Abstract::Cell(body) => self.alternatives(*body).into_iter().filter_map(|id| self.sort(id)).collect(),
            _ => self.sort(id).into_iter().collect(),
        }
    }

    /// The union of two values.
    pub(super) fn united(&mut self, a: AbstractId, b: AbstractId, unions: Unions) -> Result<AbstractId, NoJoin> {
        if unions == Unions::Refused {
            return Err(Misfit::Shapes.into());
        }
        let mut pending = self.alternatives(b);
        pending.extend(self.alternatives(a));
        // Alternatives that share no sorts.
        let mut all: Vec<(Vec<Sort>, AbstractId)> = Vec::new();
        while let Some(alternative) = pending.pop() {
            self.may_be_alternative(alternative)?;
            let sorts = self.sorts(alternative);
            if sorts.is_empty() {
                return Err(Misfit::Shapes.into());
            }
            match all.iter().position(|(others, _)| others.iter().any(|other| sorts.contains(other))) {
                Some(place) => {
                    pending.push(self.same_alternative(all.swap_remove(place).1, alternative, unions)?);
                }
                None => all.push((sorts, alternative)),
            }
        }
        if all.len() > MOST_ALTERNATIVES {
            return Err(Misfit::Alternatives.into());
        }
        all.sort();
        if let [(_, only)] = all.as_slice() {
            return Ok(*only);
        }
        let parts: Vec<AbstractId> = all.into_iter().flat_map(|(_, of)| [self.any_boolean, of]).collect();
        let union = self.compose(Head::Union, &parts)?;
        match (unions, self.recurrence(union)) {
            (Unions::Folded, 1..) => self.cell_of(vec![union], unions),
            (_, MOST_RECURRENCE..) => Err(Misfit::Shapes.into()),
            _ => Ok(union),
        }
    }

    /// The join of two alternatives that share a sort.
    fn same_alternative(&mut self, a: AbstractId, b: AbstractId, unions: Unions) -> Result<AbstractId, NoJoin> {
        let is_cell = |id| matches!(self.get(id), Abstract::Cell(_));
        if is_cell(a) || is_cell(b) {
            self.cell_of(vec![a, b], unions)
        } else {
            self.widen(a, b, Widening::Join(unions))
        }
    }
}
