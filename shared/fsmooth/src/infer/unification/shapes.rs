//! Shapes: types without the kinds of their numbers, with variables, in a union-find forest.
//!
//! Unification merges classes without path compression, so a failed one can be undone, and the message shows both shapes
//! as they were. It terminates on cyclic shapes, too; [`Shapes::is_cyclic`] finds these afterwards, in linear time.

use crate::typed::fold::{Seen, compound, fold_once};
use crate::typed::{Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_core::numbers::Table;

vlad_core::numbers! {
    /// The number of a shape.
    ShapeId;
}

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Occurs {
    /// It is left to [`Shapes::is_cyclic`].
    #[default]
    Later,
    /// It is done for each binding, which takes quadratic time and finds the place.
    AtOnce,
}

/// A shape in the forest.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// The shape, if it is the representative.
    shape: Shape,
    parent: ShapeId,
    rank: u8,
}

/// All shapes of a program.
#[derive(Debug, Default)]
pub struct Shapes {
    classes: Table<ShapeId, Class>,
    /// The check of occurrences.
    pub occurs: Occurs,
    /// The changes of the current unification: a class that was merged into another one, with that as it was.
    trail: Vec<(ShapeId, ShapeId, Class)>,
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
        let mut shapes = Shapes::default();
        shapes.add(Shape::Number);
        shapes.add(Shape::Boolean);
        shapes
    }

    /// Adds a shape.
    pub fn add(&mut self, shape: Shape) -> ShapeId {
        let parent = ShapeId(self.classes.len() as u32);
        self.classes.push(Class { shape, parent, rank: 0 })
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
        let see = |_: &mut &mut Shapes, id| match types.get(id) {
            Type::Double | Type::Index => Seen::Known(Shapes::NUMBER),
            seen => seen.parts().map_or(Seen::Known(Shapes::BOOLEAN), Seen::Of),
        };
        fold_once(&mut &mut *self, &mut FxHashMap::default(), id, see, |shapes, parts| shapes.add(parts.into()))
    }

    /// Returns the representative of a shape's class.
    pub fn root(&self, id: ShapeId) -> ShapeId {
        let mut id = id;
        while self.classes[id].parent != id {
            id = self.classes[id].parent;
        }
        id
    }

    /// Returns the shape of a class.
    pub fn get(&self, id: ShapeId) -> Shape {
        self.classes[self.root(id)].shape
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
        while let Some((child, parent, before)) = self.trail.pop() {
            self.classes[child].parent = child;
            self.classes[parent] = before;
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
                (one, other) if one == other && one.parts().is_none() => one,
                (one, other) => match one.parts().zip(other.parts()).and_then(|(one, other)| one.zip(other)) {
                    Some(parts) => {
                        self.pending.extend(parts.into_iter().rev());
                        one
                    }
                    None => return Err(Mismatch::Different),
                },
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
        let rank = |id: ShapeId| self.classes[id].rank;
        let (child, parent) = if rank(first) < rank(second) { (first, second) } else { (second, first) };
        let (before, is_higher) = (self.classes[parent], rank(child) == rank(parent));
        self.trail.push((child, parent, before));
        self.classes[child].parent = parent;
        self.classes[parent] = Class { shape, rank: before.rank + u8::from(is_higher), ..before };
    }

    /// Appends the parts of a shape.
    pub fn parts(&self, id: ShapeId, parts: &mut Vec<ShapeId>) {
        parts.extend(self.get(id).parts().into_iter().flatten());
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
                        if self.get(id).parts().is_none() || done.contains(&id) {
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
        let see = |shapes: &mut &mut Shapes, id| match shapes.get(id) {
            seen @ Shape::Variable(_) => Seen::Known(shapes.add(seen)),
            Shape::Number => Seen::Known(Shapes::NUMBER),
            seen => match seen.parts() {
                Some(parts) => Seen::Of(parts.map(|part| shapes.root(part))),
                None => Seen::Known(Shapes::BOOLEAN),
            },
        };
        let root = self.root(root);
        fold_once(&mut &mut *self, copies, root, see, |shapes, parts| shapes.add(parts.into()))
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
