//! The state of the inference of shapes.

use super::shapes::{Mismatch, ShapeId, Shapes};
use crate::scoped::{Body, DefinitionId, Scoped, ScopedId, ScopedItem, ScopedLocalId, ScopedTree, ScopedVariable};
use crate::typed::Types;
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_core::diagnostic::{Diagnostic, Report};
use vlad_core::numbers::Table;
use vlad_core::source::Span;
use vlad_language::names::Names;

/// A relation between shapes that is not known to hold yet.
#[derive(Clone, Copy, Debug)]
pub struct Deferred {
    /// The relation.
    pub relation: Relation,
    /// The shape of the derivative.
    pub result: ShapeId,
    /// The place of the operator.
    pub span: Span,
}

/// A relation to a result.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    /// The result has a pair in place of each number of this shape.
    Dual(ShapeId),
    /// The result has, in place of each number of the variable, the dual shape of the expression.
    Derivative {
        /// The shape of the variable.
        variable: ShapeId,
        /// The shape of the expression.
        body: ShapeId,
    },
}

/// The shape of a definition.
#[derive(Clone, Debug)]
pub enum Scheme {
    /// A generalised shape.
    Known {
        /// The shape.
        shape: ShapeId,
        /// Its variables.
        generics: Vec<ShapeId>,
        /// The relations between them.
        deferred: Vec<Deferred>,
    },
    /// The definition has an error, and may have any shape.
    Refused,
}

/// The shapes of a program.
#[derive(Debug)]
pub struct Shaped {
    /// The shapes.
    pub shapes: Shapes,
    /// The shape of each expression.
    pub expressions: Table<ScopedId, ShapeId>,
    /// The shape of each local that is a parameter.
    pub locals: Table<ScopedLocalId, ShapeId>,
    /// The shape of each definition.
    pub schemes: Table<DefinitionId, Scheme>,
    /// The shapes of the generics at each use of a definition, also as the variable of a `deriv`.
    pub uses: FxHashMap<ScopedId, Vec<ShapeId>>,
    /// The shapes of each definition's generics where nothing uses it.
    pub unused: Table<DefinitionId, Vec<ShapeId>>,
    /// The items that have no errors.
    pub sound: Vec<ScopedItem>,
}

/// The greatest number of errors of one item that are reported.
pub(crate) const MOST_ERRORS: usize = 3;

/// The inference of one item after the other.
pub(super) struct Rules<'tree> {
    pub(super) tree: &'tree ScopedTree,
    pub(super) types: &'tree Types,
    pub(super) names: &'tree Names,
    pub(super) report: &'tree mut Report,
    pub(super) shaped: Shaped,
    pub(super) deferred: Vec<Deferred>,
    /// The classes that are known to be finite.
    pub(super) finite: FxHashSet<ShapeId>,
    /// The number of errors in the current item.
    pub(super) errors: usize,
    /// Those of them that are reported.
    pub(super) found: Vec<Diagnostic>,
    /// True if the last of these is a type that contains itself.
    pub(super) is_infinite: bool,
    /// The definitions by which the current item differentiates, with their shapes and generics in it.
    pub(super) varying: FxHashMap<DefinitionId, Option<(ShapeId, Vec<ShapeId>)>>,
}

impl Rules<'_> {
    /// Returns the shape of an expression.
    pub(super) fn shape(&self, id: ScopedId) -> ShapeId {
        self.shaped.expressions[id]
    }

    /// Returns the shape of a variable where it is bound.
    pub(super) fn variable(&self, variable: ScopedVariable) -> ShapeId {
        match variable {
            ScopedVariable::Local(local) => match self.tree.local(local).value {
                Some(value) => self.shape(value),
                None => self.shaped.locals[local],
            },
            ScopedVariable::Definition(definition) => match &self.shaped.schemes[definition] {
                Scheme::Known { shape, .. } => *shape,
                Scheme::Refused => Shapes::NUMBER,
            },
        }
    }

    /// Notes an error of the current item; of several, the first three, and none behind a type that contains itself.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.errors += 1;
        if self.found.len() < MOST_ERRORS && !self.is_infinite {
            self.found.push(diagnostic);
        }
    }

    /// Notes the error of shapes that are not equal.
    pub(super) fn unequal(&mut self, mismatch: Mismatch, diagnostic: Diagnostic) {
        self.error(diagnostic);
        self.is_infinite |= mismatch == Mismatch::Infinite;
    }
}

/// Returns the definitions by which an item differentiates.
pub(crate) fn varying(tree: &ScopedTree, body: Body) -> impl Iterator<Item = DefinitionId> {
    body.expressions().filter_map(|id| {
        let Scoped::Deriv(_, ScopedVariable::Definition(definition), _) = tree.get(id) else { return None };
        Some(definition)
    })
}
