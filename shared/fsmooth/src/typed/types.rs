//! The types of typed trees, stored once each: equal types have equal numbers.
//!
//! There are no variables: the tree is monomorphic. A type is made of the types before it, so the numbers are an order in
//! which every type comes after its parts.

use super::fold::{self, Compound, Seen, compound, fold_once};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use vlad_core::numbers::Table;

vlad_core::numbers! {
    /// The number of a type.
    TypeId;
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A number that can vary: the kind D.
    Double,
    /// An index, a size or a count: the kind I. `Card` is the same type.
    Index,
    /// A boolean.
    Boolean,
    /// `Array<T>`.
    Array(TypeId),
    /// `T * U`.
    Pair(TypeId, TypeId),
    /// `T => U`.
    Function(TypeId, TypeId),
}

compound!(Type, TypeId);

/// The greatest number of parts of a type, counted as a tree. Larger ones are refused, since code that follows the
/// structure of a type would be as large.
pub const MOST_PARTS: u32 = 4096;

/// The length of the text of a type in messages beyond which its end is left out.
const LONGEST_BRIEF: usize = 200;

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    /// Each with the number of its parts, counted as a tree up to a bound beyond [`MOST_PARTS`].
    types: Table<TypeId, (Type, u32)>,
    numbers: FxHashMap<Type, TypeId>,
}

impl Types {
    /// `Double`.
    pub const DOUBLE: TypeId = TypeId(0);
    /// `Index`.
    pub const INDEX: TypeId = TypeId(1);
    /// `Bool`.
    pub const BOOLEAN: TypeId = TypeId(2);
    /// `Vector`, which is `Array<Double>`.
    pub const VECTOR: TypeId = TypeId(3);
    /// `Matrix`, which is `Array<Vector>`.
    pub const MATRIX: TypeId = TypeId(4);
    /// `Num` as it is written: a number of a kind that is inferred. No typed tree has it.
    pub const NUMBER: TypeId = TypeId(5);

    /// The types that have numbers from the beginning.
    pub fn new() -> Types {
        let mut types = Types { types: Table::default(), numbers: FxHashMap::default() };
        for first in [Type::Double, Type::Index, Type::Boolean, Type::Array(Types::DOUBLE), Type::Array(Types::VECTOR)]
        {
            types.add(first);
        }
        // A second number of the type, which nothing is but what is written so.
        types.types.push((Type::Double, 1));
        types
    }

    /// Returns the number of a type, new or old.
    pub fn add(&mut self, new: Type) -> TypeId {
        if let Some(id) = self.numbers.get(&new) {
            return *id;
        }
        let parts = match new {
            Type::Double | Type::Index | Type::Boolean => 1,
            Type::Array(element) => self.parts(element) + 1,
            Type::Pair(first, second) | Type::Function(first, second) => self.parts(first) + self.parts(second) + 1,
        };
        let id = self.types.push((new, parts.min(MOST_PARTS * 2)));
        self.numbers.insert(new, id);
        id
    }

    /// `Array<element>`.
    pub fn array(&mut self, element: TypeId) -> TypeId {
        self.add(Type::Array(element))
    }

    /// `first * second`.
    pub fn pair(&mut self, first: TypeId, second: TypeId) -> TypeId {
        self.add(Type::Pair(first, second))
    }

    /// `parameter => result`.
    pub fn function(&mut self, parameter: TypeId, result: TypeId) -> TypeId {
        self.add(Type::Function(parameter, result))
    }

    /// A type.
    pub fn get(&self, id: TypeId) -> Type {
        self.types[id].0
    }

    /// Returns the number of types: all numbers are below it.
    pub fn count(&self) -> usize {
        self.types.len()
    }

    /// Returns the number of parts of a type, counted as a tree: exact up to [`MOST_PARTS`], and above it for more.
    pub fn parts(&self, id: TypeId) -> u32 {
        self.types[id].1
    }

    /// D_T of a type: each `Double` becomes a pair of value and tangent, `Index` and `Bool` stay.
    pub fn dual(&mut self, id: TypeId) -> TypeId {
        self.mapped(id, |types| types.pair(Types::DOUBLE, Types::DOUBLE), |_| Types::INDEX)
    }

    /// The type with `Double` in place of each `Index`: that of results that are differentiated.
    pub fn widened(&mut self, id: TypeId) -> TypeId {
        self.mapped(id, |_| Types::DOUBLE, |_| Types::DOUBLE)
    }

    /// The type of `deriv e x`, for the types of x and of e: D_T of the type of e, in as many arrays and pairs as x is
    /// made of.
    pub fn derivative(&mut self, variable: TypeId, body: TypeId) -> TypeId {
        let dual = self.dual(body);
        self.mapped(variable, |_| dual, |_| dual)
    }

    /// Replaces the numbers in a type.
    fn mapped(
        &mut self,
        id: TypeId,
        double: impl Fn(&mut Types) -> TypeId,
        index: impl Fn(&mut Types) -> TypeId,
    ) -> TypeId {
        let see = |types: &mut &mut Types, id| match types.get(id) {
            Type::Double => Seen::Known(double(types)),
            Type::Index => Seen::Known(index(types)),
            seen => seen.parts().map_or(Seen::Known(id), Seen::Of),
        };
        fold_once(&mut &mut *self, &mut FxHashMap::default(), id, see, |types, parts| types.add(parts.into()))
    }

    /// Returns true if a value of one type may stand where the other is expected: they are equal but for `Index` in
    /// place of `Double`, contravariantly in parameters.
    pub fn widens(&self, from: TypeId, to: TypeId) -> bool {
        let mut pending = vec![(from, to)];
        let mut seen = FxHashSet::default();
        while let Some((from, to)) = pending.pop() {
            if from == to || !seen.insert((from, to)) {
                continue;
            }
            let (from, to) = (self.get(from), self.get(to));
            if (from, to) == (Type::Index, Type::Double) {
                continue;
            }
            match from.parts().zip(to.parts()).and_then(|(from, to)| from.zip(to)) {
                Some(Compound::Function((parameter, taken), result)) => pending.extend([(taken, parameter), result]),
                Some(parts) => pending.extend(parts),
                None => return false,
            }
        }
        true
    }

    /// Returns true if no function is part of a type: the sort M.
    pub fn is_data(&self, id: TypeId) -> bool {
        let mut pending = vec![id];
        let mut seen = FxHashSet::default();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.get(id) {
                Type::Double | Type::Index | Type::Boolean => {}
                Type::Array(element) => pending.push(element),
                Type::Pair(first, second) => pending.extend([first, second]),
                Type::Function(..) => return false,
            }
        }
        true
    }

    /// Returns the text of a type, as annotations have it; of one that is too large, the beginning.
    pub fn text(&self, id: TypeId) -> String {
        self.begun_text(id, 16 * MOST_PARTS as usize)
    }

    /// Returns the text of a type in messages; of one that is long, the beginning.
    pub fn brief_text(&self, id: TypeId) -> String {
        self.begun_text(id, LONGEST_BRIEF)
    }

    fn begun_text(&self, id: TypeId, longest: usize) -> String {
        fold::text(id, (longest, usize::MAX), |id| {
            let scalar = match (id, self.get(id)) {
                (Types::VECTOR, _) => "Vector",
                (Types::MATRIX, _) => "Matrix",
                (_, Type::Double) => "Double",
                (_, Type::Index) => "Index",
                (_, seen) => match seen.parts() {
                    Some(parts) => return Seen::Of(parts),
                    None => "Bool",
                },
            };
            Seen::Known(scalar.to_owned())
        })
    }

    /// Adds the text of a type to another text.
    pub fn write(&self, id: TypeId, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}", self.text(id));
    }
}

impl Default for Types {
    fn default() -> Types {
        Types::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_parentheses_that_they_need() {
        let mut types = Types::new();
        let pair = types.pair(Types::DOUBLE, Types::INDEX);
        let nested = types.pair(pair, Types::BOOLEAN);
        let function = types.function(pair, Types::DOUBLE);
        let higher = types.function(function, function);
        let array = types.array(pair);
        assert_eq!(types.text(nested), "(Double * Index) * Bool");
        assert_eq!(types.text(higher), "(Double * Index => Double) => Double * Index => Double");
        assert_eq!(types.text(array), "Array<Double * Index>");
        assert_eq!(types.text(Types::MATRIX), "Matrix");
    }

    #[test]
    fn dual_types_leave_indices() {
        let mut types = Types::new();
        let pair = types.pair(Types::VECTOR, Types::INDEX);
        let (dual, widened) = (types.dual(pair), types.widened(pair));
        assert_eq!(types.text(dual), "Array<Double * Double> * Index");
        assert_eq!(types.text(widened), "Vector * Double");
        let derivative = types.derivative(Types::VECTOR, Types::VECTOR);
        assert_eq!(types.text(derivative), "Array<Array<Double * Double>>");
    }

    #[test]
    fn widening_is_contravariant_in_parameters() {
        let mut types = Types::new();
        let indices = types.array(Types::INDEX);
        assert!(types.widens(indices, Types::VECTOR) && !types.widens(Types::VECTOR, indices));
        let (from, to) = (types.function(Types::VECTOR, indices), types.function(indices, Types::VECTOR));
        assert!(types.widens(from, to) && !types.widens(to, from));
    }

    #[test]
    fn types_that_double_are_bounded() {
        let mut types = Types::new();
        let mut last = Types::DOUBLE;
        for _ in 0..1000 {
            last = types.pair(last, last);
        }
        assert!(types.parts(last) > MOST_PARTS && types.text(last).len() < 100_000);
        assert!(types.is_data(last) && types.widens(last, last));
        let dual = types.dual(last);
        assert!(types.is_data(dual));
    }
}
