//! Outlines of values, the abstract values of an estimate: lengths, indices and chances without the numbers of kind Double.

use crate::typed::{ExpressionId, LocalId, Program, Type, TypeId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// The deepest type of which outlines are made.
const DEEPEST: usize = 8;

/// The sizes that an estimate assumes.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// The size of the arrays of some parameters, in all dimensions, and their value if they are sizes.
    pub parameters: FxHashMap<LocalId, f64>,
    /// The size of everything else.
    pub common: f64,
    /// The branch that counts if a condition is unknown.
    pub branches: Branches,
}

/// The branch that counts if a condition is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branches {
    /// The dearer one.
    Dearer,
    /// The cheaper one.
    Cheaper,
}

impl Sizes {
    /// One size for everything.
    pub fn uniform(common: f64) -> Sizes {
        Sizes { parameters: FxHashMap::default(), common, branches: Branches::Dearer }
    }

    /// The size of a parameter.
    pub fn of(&self, local: LocalId) -> f64 {
        self.parameters.get(&local).copied().unwrap_or(self.common)
    }
}

/// The outline of a value.
#[derive(Clone, Debug)]
pub enum Outline {
    /// Nothing is known.
    Unknown,
    /// A number.
    Number(f64),
    /// The index of a loop with so many turns.
    Turn {
        /// The number of turns.
        count: f64,
    },
    /// A boolean that is true with a chance.
    Chance(f64),
    /// An array.
    Array {
        /// Its length.
        length: f64,
        /// Its elements.
        element: Rc<Outline>,
    },
    /// A pair.
    Pair(Rc<Outline>, Rc<Outline>),
    /// A function, whose free locals have the outlines that they had last.
    Function {
        /// Its parameter.
        parameter: LocalId,
        /// Its body.
        body: ExpressionId,
    },
}

impl Outline {
    /// An array.
    pub fn array(length: f64, element: Outline) -> Outline {
        Outline::Array { length, element: Rc::new(element) }
    }

    /// A pair.
    pub fn pair(first: Outline, second: Outline) -> Outline {
        Outline::Pair(Rc::new(first), Rc::new(second))
    }

    /// The outline of the values of a type, if their arrays and indices have a size.
    pub fn of_type(program: &Program, type_id: TypeId, size: f64) -> Outline {
        Outline::of_type_within(program, type_id, size, DEEPEST)
    }

    /// Recursion is bounded by the depth.
    fn of_type_within(program: &Program, type_id: TypeId, size: f64, depth: usize) -> Outline {
        let Some(depth) = depth.checked_sub(1) else { return Outline::Unknown };
        match program.types.get(type_id) {
            Type::Index => Outline::Number(size),
            Type::Array(element) => Outline::array(size, Outline::of_type_within(program, element, size, depth)),
            Type::Pair(first, second) => Outline::pair(
                Outline::of_type_within(program, first, size, depth),
                Outline::of_type_within(program, second, size, depth),
            ),
            Type::Double | Type::Boolean | Type::Function(..) => Outline::Unknown,
        }
    }

    /// The number, which is half of the turns for the index of a loop.
    pub fn number(&self) -> Option<f64> {
        match self {
            Outline::Number(number) => Some(*number),
            Outline::Turn { count } => Some((count / 2.0).floor()),
            Outline::Unknown
            | Outline::Chance(_)
            | Outline::Array { .. }
            | Outline::Pair(..)
            | Outline::Function { .. } => None,
        }
    }
}

/// The outline of an operation on known indices, if sizes are made by it.
pub fn arithmetic(operation: Operation, first: &Outline, second: &Outline) -> Option<Outline> {
    let (one, other) = (first.number()?, second.number()?);
    // Only what sizes are made of.
    let number = match operation {
        Operation::Add => one + other,
        Operation::Subtract => one - other,
        Operation::Multiply => one * other,
        Operation::Maximum => one.max(other),
        Operation::Minimum => one.min(other),
        Operation::Divide if other > 0.0 => (one / other).floor(),
        Operation::Modulo if other > 0.0 => one.rem_euclid(other),
        _ => return None,
    };
    Some(Outline::Number(number))
}

/// The chance that a comparison of indices holds.
pub fn chance(comparison: Comparison, first: &Outline, second: &Outline) -> Outline {
    let share = |part: f64, count: f64| if count > 0.0 { (part / count).clamp(0.0, 1.0) } else { 0.0 };
    let turns = |outline: &Outline| if let Outline::Turn { count } = outline { Some(*count) } else { None };
    let chance = match (turns(first), turns(second)) {
        (None, None) => {
            let (Some(first), Some(second)) = (first.number(), second.number()) else { return Outline::Unknown };
            f64::from(u8::from(comparison.holds(first, second)))
        }
        (one, other) if comparison == Comparison::Equal => share(1.0, one.unwrap_or(0.0).max(other.unwrap_or(0.0))),
        (Some(_), Some(_)) => return Outline::Unknown,
        (Some(count), None) => {
            let Some(bound) = second.number() else { return Outline::Unknown };
            below(comparison, share(bound, count))
        }
        (None, Some(count)) => {
            let Some(bound) = first.number() else { return Outline::Unknown };
            1.0 - below(comparison, share(bound, count))
        }
    };
    Outline::Chance(chance)
}

/// The chance that an index fulfils a comparison with a bound, given the chance that it is below the bound.
fn below(comparison: Comparison, chance: f64) -> f64 {
    match comparison {
        Comparison::Less | Comparison::NotGreater | Comparison::Equal => chance,
        Comparison::Greater | Comparison::NotLess => 1.0 - chance,
    }
}
