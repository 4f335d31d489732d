//! Shapes: types without the kinds of their numbers, with variables, in a union-find forest.
//!
//! Unification merges classes without path compression, so a failed one can be undone, and the message shows both shapes
//! as they were. It terminates on cyclic shapes, too; [`Shapes::is_cyclic`] finds these afterwards, in linear time.

use rustc_hash::{FxHashMap, FxHashSet};
use vlad_table::internal_bug;

use crate::typed::fold::{Seen, compound, fold};
use crate::typed::{Type, TypeId, Types};

/// The number of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub u32);

/// The sort of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// T: any type.
    Any,
    /// M: a type without functions.
    Data,
}

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A variable.
    Variable(Sort),
    /// A number of either kind.
    Number,
    /// A boolean.
    Boolean,
    /// An array.
    Array(ShapeId),
    /// A pair.
    Pair(ShapeId, ShapeId),
    /// A function.
    Function(ShapeId, ShapeId),
}

compound!(Shape, ShapeId);

/// The reason why two shapes are not equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// They differ.
    Different,
    /// A function stands where data is expected.
    FunctionAsData,
    /// They are equal only if a shape contains itself.
    Infinite,
}

/// The check that a variable is not bound to a shape that contains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurs {
    /// It is left to [`Shapes::is_cyclic`].
    Later,
    /// It is done for each binding, which takes quadratic time and finds the place.
    AtOnce,
}

/// All shapes of a program.
#[derive(Debug)]
pub struct Shapes {
    shapes: Vec<Shape>,
    parents: Vec<ShapeId>,
    ranks: Vec<u8>,
    /// The check of occurrences.
    pub occurs: Occurs,
    /// The changes of the current unification: a class that was merged into another one, with the shape and the rank
    /// that the other one had.
    trail: Vec<(ShapeId, ShapeId, Shape, u8)>,
    /// The pairs that the current unification has still to make equal.
    pending: Vec<(ShapeId, ShapeId)>,
}

impl Shapes {
    /// The shape of numbers.
    pub const NUMBER: ShapeId = ShapeId(0);
    /// The shape of booleans.
    pub const BOOLEAN: ShapeId = ShapeId(1);

    /// The shapes that have numbers from the beginning.
    pub fn new() -> Shapes {
        let mut shapes = Shapes {
            shapes: vec![],
            parents: vec![],
            ranks: vec![],
            occurs: Occurs::Later,
            trail: vec![],
            pending: vec![],
        };
        shapes.add(Shape::Number);
        shapes.add(Shape::Boolean);
        shapes
    }

    /// Adds a shape.
    pub fn add(&mut self, shape: Shape) -> ShapeId {
        let id = ShapeId(self.shapes.len() as u32);
        self.shapes.push(shape);
        self.parents.push(id);
        self.ranks.push(0);
        id
    }

    /// Adds a variable.
    pub fn variable(&mut self, sort: Sort) -> ShapeId {
        self.add(Shape::Variable(sort))
    }

    /// Adds a function of several parameters.
    pub fn function(&mut self, parameters: &[ShapeId], result: ShapeId) -> ShapeId {
        parameters.iter().rev().fold(result, |result, parameter| self.add(Shape::Function(*parameter, result)))
    }

    /// Adds the shape of a type.
    pub fn of_type(&mut self, types: &Types, id: TypeId) -> ShapeId {
        let see = |(_, made): &mut (&mut Shapes, FxHashMap<TypeId, ShapeId>), id| match types.get(id) {
            Type::Double | Type::Index => Seen::Known(Shapes::NUMBER),
            seen => match (made.get(&id), seen.parts()) {
                (Some(known), _) => Seen::Known(*known),
                (None, Some(parts)) => Seen::Of(parts),
                (None, None) => Seen::Known(Shapes::BOOLEAN),
            },
        };
        fold(&mut (self, FxHashMap::default()), id, see, |(shapes, made), id, parts| {
            let shape = shapes.add(parts.into());
            made.insert(id, shape);
            shape
        })
    }

    /// Returns the representative of a shape's class.
    pub fn root(&self, id: ShapeId) -> ShapeId {
        let mut id = id;
        while let Some(parent) = self.parents.get(id.0 as usize) {
            if *parent == id {
                break;
            }
            id = *parent;
        }
        id
    }

    /// Returns the shape of a class.
    pub fn get(&self, id: ShapeId) -> Shape {
        let Some(shape) = self.shapes.get(self.root(id).0 as usize) else {
            internal_bug!("shape {} is in the arena", id.0)
        };
        *shape
    }

    /// Makes two shapes equal.
    ///
    /// # Errors
    /// The reason why they cannot be; nothing is changed then.
    pub fn unify(&mut self, first: ShapeId, second: ShapeId) -> Result<(), Mismatch> {
        self.trail.clear();
        let result = self.unify_all(first, second);
        if result.is_err() {
            self.undo();
        }
        result
    }

    /// Returns true if two shapes could be made equal, and changes nothing.
    pub fn unifies(&mut self, first: ShapeId, second: ShapeId) -> bool {
        self.trail.clear();
        let result = self.unify_all(first, second);
        self.undo();
        result.is_ok()
    }

    fn undo(&mut self) {
        while let Some((child, parent, shape, rank)) = self.trail.pop() {
            if let Some(place) = self.parents.get_mut(child.0 as usize) {
                *place = child;
            }
            self.set(parent, shape, rank);
        }
    }

    fn set(&mut self, id: ShapeId, shape: Shape, rank: u8) {
        let index = id.0 as usize;
        if let (Some(place), Some(ranks)) = (self.shapes.get_mut(index), self.ranks.get_mut(index)) {
            *place = shape;
            *ranks = rank;
        }
    }

    fn unify_all(&mut self, first: ShapeId, second: ShapeId) -> Result<(), Mismatch> {
        self.pending.clear();
        self.pending.push((first, second));
        while let Some((first, second)) = self.pending.pop() {
            let (first, second) = (self.root(first), self.root(second));
            if first == second {
                continue;
            }
            let merged = match (self.get(first), self.get(second)) {
                (Shape::Variable(one), Shape::Variable(other)) => {
                    Shape::Variable(if one == Sort::Data { one } else { other })
                }
                (Shape::Variable(sort), bound) => self.bound(first, sort, second, bound)?,
                (bound, Shape::Variable(sort)) => self.bound(second, sort, first, bound)?,
                (Shape::Number, Shape::Number) => Shape::Number,
                (Shape::Boolean, Shape::Boolean) => Shape::Boolean,
                (Shape::Array(element), Shape::Array(other)) => {
                    self.pending.push((element, other));
                    Shape::Array(element)
                }
                (Shape::Pair(one, two), Shape::Pair(other_one, other_two)) => {
                    self.pending.extend([(two, other_two), (one, other_one)]);
                    Shape::Pair(one, two)
                }
                (Shape::Function(one, two), Shape::Function(other_one, other_two)) => {
                    self.pending.extend([(two, other_two), (one, other_one)]);
                    Shape::Function(one, two)
                }
                (
                    Shape::Number | Shape::Boolean | Shape::Array(_) | Shape::Pair(..) | Shape::Function(..),
                    Shape::Number | Shape::Boolean | Shape::Array(_) | Shape::Pair(..) | Shape::Function(..),
                ) => return Err(Mismatch::Different),
            };
            self.merge(first, second, merged);
        }
        Ok(())
    }

    /// Returns the shape of a class in which a variable is bound.
    fn bound(&self, variable: ShapeId, sort: Sort, to: ShapeId, shape: Shape) -> Result<Shape, Mismatch> {
        if sort == Sort::Data && matches!(shape, Shape::Function(..)) {
            return Err(Mismatch::FunctionAsData);
        }
        if self.occurs == Occurs::AtOnce && self.contains(to, variable) {
            return Err(Mismatch::Infinite);
        }
        Ok(shape)
    }

    fn merge(&mut self, first: ShapeId, second: ShapeId, shape: Shape) {
        let rank = |id: ShapeId| self.ranks.get(id.0 as usize).copied().unwrap_or(0);
        let (child, parent) = if rank(first) < rank(second) { (first, second) } else { (second, first) };
        let old = rank(parent);
        let new = if rank(child) == old { old + 1 } else { old };
        self.trail.push((child, parent, self.get(parent), old));
        if let Some(place) = self.parents.get_mut(child.0 as usize) {
            *place = parent;
        }
        self.set(parent, shape, new);
    }

    /// Appends the parts of a shape.
    pub fn parts(&self, id: ShapeId, parts: &mut Vec<ShapeId>) {
        parts.extend(self.get(id).parts().into_iter().flatten());
    }

    /// Returns true if a shape has no parts.
    fn is_leaf(&self, id: ShapeId) -> bool {
        self.get(id).parts().is_none()
    }

    fn contains(&self, whole: ShapeId, part: ShapeId) -> bool {
        let (mut pending, mut seen) = (vec![whole], FxHashSet::default());
        while let Some(id) = pending.pop() {
            let id = self.root(id);
            if id == part {
                return true;
            }
            if seen.insert(id) {
                self.parts(id, &mut pending);
            }
        }
        false
    }

    /// Returns true if one of some shapes contains itself. `done` holds the classes that are known to be finite.
    pub fn is_cyclic(&self, roots: impl IntoIterator<Item = ShapeId>, done: &mut FxHashSet<ShapeId>) -> bool {
        enum Step {
            Enter(ShapeId),
            Leave(ShapeId),
        }
        let (mut open, mut parts) = (FxHashSet::default(), vec![]);
        let mut steps = vec![];
        for root in roots {
            steps.push(Step::Enter(root));
            while let Some(step) = steps.pop() {
                match step {
                    Step::Leave(id) => {
                        open.remove(&id);
                        done.insert(id);
                    }
                    Step::Enter(id) => {
                        let id = self.root(id);
                        if self.is_leaf(id) || done.contains(&id) {
                            continue;
                        }
                        if !open.insert(id) {
                            return true;
                        }
                        steps.push(Step::Leave(id));
                        self.parts(id, &mut parts);
                        steps.extend(parts.drain(..).map(Step::Enter));
                    }
                }
            }
        }
        false
    }

    /// Returns true if a shape has more parts than that, counted as a tree.
    pub fn exceeds(&self, root: ShapeId, most: u32) -> bool {
        let (mut pending, mut count) = (vec![root], 0);
        while let Some(id) = pending.pop() {
            count += 1;
            if count > most {
                return true;
            }
            self.parts(id, &mut pending);
        }
        false
    }

    /// Appends the variables in a shape, in the order in which they occur.
    pub fn variables(&self, root: ShapeId, variables: &mut Vec<ShapeId>, seen: &mut FxHashSet<ShapeId>) {
        let (mut pending, mut parts) = (vec![root], vec![]);
        while let Some(id) = pending.pop() {
            let id = self.root(id);
            if !seen.insert(id) {
                continue;
            }
            if matches!(self.get(id), Shape::Variable(_)) {
                variables.push(id);
            }
            self.parts(id, &mut parts);
            pending.extend(parts.drain(..).rev());
        }
    }

    /// Copies a shape with other variables; `copies` holds the classes that have been copied.
    pub fn copy(&mut self, root: ShapeId, copies: &mut FxHashMap<ShapeId, ShapeId>) -> ShapeId {
        let see = |(shapes, copies): &mut (&mut Shapes, &mut FxHashMap<ShapeId, ShapeId>), id| {
            let (root, seen) = (shapes.root(id), shapes.get(id));
            if let Some(copy) = copies.get(&root) {
                return Seen::Known(*copy);
            }
            if let Shape::Variable(_) = seen {
                let copy = shapes.add(seen);
                copies.insert(root, copy);
                return Seen::Known(copy);
            }
            let scalar = if seen == Shape::Boolean { Shapes::BOOLEAN } else { Shapes::NUMBER };
            seen.parts().map_or(Seen::Known(scalar), Seen::Of)
        };
        fold(&mut (self, copies), root, see, |(shapes, copies), id, parts| {
            let copy = shapes.add(parts.into());
            copies.insert(shapes.root(id), copy);
            copy
        })
    }
}

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::unification::shape_text::Letters;

    #[test]
    fn failed_unification_changes_nothing() {
        let mut shapes = Shapes::new();
        let (a, b) = (shapes.variable(Sort::Any), shapes.variable(Sort::Data));
        let first = shapes.add(Shape::Pair(a, Shapes::NUMBER));
        let second = shapes.add(Shape::Pair(Shapes::NUMBER, Shapes::BOOLEAN));
        assert_eq!(shapes.unify(first, second), Err(Mismatch::Different));
        assert_eq!(shapes.text(first, &mut Letters::default()), "'a * Num");
        assert_ne!(shapes.root(first), shapes.root(second));
        let function = shapes.function(&[a], Shapes::NUMBER);
        assert_eq!(shapes.unify(b, function), Err(Mismatch::FunctionAsData));
        assert!(shapes.unifies(a, function) && shapes.get(a) == Shape::Variable(Sort::Any));
    }

    #[test]
    fn cycles_are_found() {
        let mut shapes = Shapes::new();
        let a = shapes.variable(Sort::Any);
        let array = shapes.add(Shape::Array(a));
        shapes.occurs = Occurs::AtOnce;
        assert_eq!(shapes.unify(a, array), Err(Mismatch::Infinite));
        assert!(!shapes.is_cyclic([array], &mut FxHashSet::default()));
        shapes.occurs = Occurs::Later;
        assert_eq!(shapes.unify(a, array), Ok(()));
        assert!(shapes.is_cyclic([array], &mut FxHashSet::default()));
        assert_eq!(shapes.unify(array, a), Ok(()));
    }

    #[test]
    fn copies_have_other_variables() {
        let mut shapes = Shapes::new();
        let a = shapes.variable(Sort::Data);
        let pair = shapes.add(Shape::Pair(a, a));
        let whole = shapes.function(&[pair, Shapes::NUMBER], a);
        let copy = shapes.copy(whole, &mut FxHashMap::default());
        assert_eq!(shapes.text(copy, &mut Letters::default()), "'a * 'a => Num => 'a");
        let (mut old, mut new) = (vec![], vec![]);
        shapes.variables(whole, &mut old, &mut FxHashSet::default());
        shapes.variables(copy, &mut new, &mut FxHashSet::default());
        assert!(old.len() == 1 && new.len() == 1 && old != new);
    }
}
