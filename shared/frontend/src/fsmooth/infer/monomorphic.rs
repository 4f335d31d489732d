//! Shapes as types, at the types of a definition's generics. Numbers are Double here, as are variables that are left over.

use super::shapes::{Shape, ShapeId, Shapes};
use super::state::Shaped;
use crate::fsmooth::scoped::{DefinitionId, ScopedId, ScopedLocalId};
use crate::fsmooth::typed::{Type, TypeId, Types};
use rustc_hash::FxHashMap;
use vlad_table::internal_bug;

/// A definition at the types of its generics.
pub(super) type Request = (DefinitionId, Vec<TypeId>);

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
        let shape = shaped.expressions.get(id.0 as usize).copied().unwrap_or(Shapes::NUMBER);
        self.of(&shaped.shapes, types, shape)
    }

    /// Returns the type of a parameter.
    pub fn of_local(&mut self, shaped: &Shaped, types: &mut Types, id: ScopedLocalId) -> TypeId {
        let shape = shaped.locals.get(id.0 as usize).copied().unwrap_or(Shapes::NUMBER);
        self.of(&shaped.shapes, types, shape)
    }

    /// Returns the definition that an expression is a use of, with the types of its generics.
    pub fn request(&mut self, shaped: &Shaped, types: &mut Types, id: ScopedId, definition: DefinitionId) -> Request {
        let generics = shaped.uses.get(&id).map_or(&[][..], Vec::as_slice);
        (definition, generics.iter().map(|shape| self.of(&shaped.shapes, types, *shape)).collect())
    }

    /// Returns the type of a shape.
    pub fn of(&mut self, shapes: &Shapes, types: &mut Types, root: ShapeId) -> TypeId {
        match shapes.get(root) {
            Shape::Number => return Types::DOUBLE,
            Shape::Boolean => return Types::BOOLEAN,
            Shape::Variable(_) | Shape::Array(_) | Shape::Pair(..) | Shape::Function(..) => {}
        }
        let mut pending = vec![root];
        while let Some(id) = pending.last().copied() {
            let id = shapes.root(id);
            if self.known.contains_key(&id) {
                pending.pop();
                continue;
            }
            let mut of = |part: ShapeId| {
                let found = self.known.get(&shapes.root(part)).copied();
                if found.is_none() {
                    pending.push(part);
                }
                found
            };
            let new = match shapes.get(id) {
                Shape::Variable(_) | Shape::Number => Some(Type::Double),
                Shape::Boolean => Some(Type::Boolean),
                Shape::Array(element) => of(element).map(Type::Array),
                Shape::Pair(first, second) => {
                    of(first).zip(of(second)).map(|(first, second)| Type::Pair(first, second))
                }
                Shape::Function(first, second) => {
                    of(first).zip(of(second)).map(|(first, second)| Type::Function(first, second))
                }
            };
            if let Some(new) = new {
                let new = types.add(new);
                self.known.insert(id, new);
                pending.pop();
            }
        }
        let Some(found) = self.known.get(&shapes.root(root)) else { internal_bug!("the type of a shape is made last") };
        *found
    }
}
