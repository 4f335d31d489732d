//! The types of random programs.
//!
//! Invariant: they are simple types, so a program that keeps to them terminates: the only recursion is in the forms
//! that the generator writes, down from a [`Type::Count`]. The language itself has no types; these are no part of it.

/// A tag of the reflective basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReflectiveTag {
    /// A value with its tangent.
    Bundle,
    /// A tangent.
    Perturbation,
    /// A cotangent.
    Sensitivity,
    /// A value of reverse mode.
    Reversed,
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Any real.
    Real,
    /// A small whole number, not negative: a real that recursion can count down from.
    Count,
    /// A boolean.
    Boolean,
    /// A list, of any length.
    List(Box<Type>),
    /// A pair.
    Pair(Box<Type>, Box<Type>),
    /// A procedure of some operands.
    Procedure(Vec<Type>, Box<Type>),
    /// A suspended computation with the type of its result.
    Capsule(Box<Type>),
    /// A vector, of any length.
    Vector(Box<Type>),
    /// A value of some type with a tag of the reflective basis.
    Marked(ReflectiveTag, Box<Type>),
}

impl Type {
    /// A list of some type.
    pub fn list(element: Type) -> Type {
        Type::List(Box::new(element))
    }

    /// A list of reals.
    pub fn reals() -> Type {
        Type::list(Type::Real)
    }

    /// A pair of two types.
    pub fn pair(first: Type, second: Type) -> Type {
        Type::Pair(Box::new(first), Box::new(second))
    }

    /// A procedure.
    pub fn procedure(operands: impl Into<Vec<Type>>, result: Type) -> Type {
        Type::Procedure(operands.into(), Box::new(result))
    }

    /// A suspended computation.
    pub fn capsule(result: Type) -> Type {
        Type::Capsule(Box::new(result))
    }

    /// A vector of some type.
    pub fn vector(element: Type) -> Type {
        Type::Vector(Box::new(element))
    }

    /// A tagged value of some type.
    pub fn marked(mark: ReflectiveTag, inside: Type) -> Type {
        Type::Marked(mark, Box::new(inside))
    }

    /// The type of the one argument that operands form: the operand itself, or nested pairs. No operands form an empty
    /// list.
    pub fn tuple(operands: &[Type]) -> Type {
        match operands.split_last() {
            None => Type::reals(),
            Some((last, others)) => {
                others.iter().rev().fold(last.clone(), |rest, operand| Type::pair(operand.clone(), rest))
            }
        }
    }

    /// Returns true if a variable of this type can be used where `wanted` is needed.
    pub fn is_subtype_of(&self, wanted: &Type) -> bool {
        self == wanted || matches!((self, wanted), (Type::Count, Type::Real))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_one_argument() {
        assert_eq!(Type::tuple(&[Type::Boolean]), Type::Boolean);
        let expected = Type::pair(Type::Real, Type::pair(Type::Boolean, Type::Count));
        assert_eq!(Type::tuple(&[Type::Real, Type::Boolean, Type::Count]), expected);
    }
}
