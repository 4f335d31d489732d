//! Shapes as types, at the types of a definition's generics. Numbers are Double here, as are variables that are left over.

use crate::infer::unification::shapes::{Shape, ShapeId, Shapes};
use crate::infer::unification::state::Shaped;
use crate::scoped::{DefinitionId, ScopedId, ScopedLocalId};
use crate::typed::fold::{Seen, fold_once};
use crate::typed::{TypeId, Types};
use rustc_hash::FxHashMap;

/// A definition at the types of its generics.
pub(crate) type Request = (DefinitionId, Vec<TypeId>);

/// The types of the shapes of one item, or of one instance of a definition.
#[derive(Debug, Default)]
pub(super) struct Monomorphic {
    known: FxHashMap<ShapeId, TypeId>,
}

impl Monomorphic {
    /// The shapes of a definition at the types of its generics.
    pub fn new(shapes: &Shapes, generics: &[ShapeId], types: &[TypeId]) -> Monomorphic {
        let roots = generics.iter().map(|generic| shapes.root(*generic));
        Monomorphic { known: roots.zip(types.iter().copied()).collect() }
    }

    /// Returns the type of an expression.
    pub fn of_expression(&mut self, shaped: &Shaped, types: &mut Types, id: ScopedId) -> TypeId {
        self.of(&shaped.shapes, types, shaped.expressions[id])
    }

    /// Returns the type of a parameter.
    pub fn of_local(&mut self, shaped: &Shaped, types: &mut Types, id: ScopedLocalId) -> TypeId {
        self.of(&shaped.shapes, types, shaped.locals[id])
    }

    /// Returns the definition that an expression is a use of, with the types of its generics.
    pub fn request(&mut self, shaped: &Shaped, types: &mut Types, id: ScopedId, definition: DefinitionId) -> Request {
        let generics = shaped.uses.get(&id).map_or(&[][..], Vec::as_slice);
        (definition, generics.iter().map(|shape| self.of(&shaped.shapes, types, *shape)).collect())
    }

    /// Returns the type of a shape.
    pub fn of(&mut self, shapes: &Shapes, types: &mut Types, root: ShapeId) -> TypeId {
        let see = |_: &mut &mut Types, id| match shapes.get(id) {
            Shape::Boolean => Seen::Known(Types::BOOLEAN),
            seen => match seen.parts() {
                Some(parts) => Seen::Of(parts.map(|part| shapes.root(part))),
                None => Seen::Known(Types::DOUBLE),
            },
        };
        fold_once(&mut &mut *types, &mut self.known, shapes.root(root), see, |types, parts| types.add(parts.into()))
    }
}
