//! Capsules: suspended computations as values (report, part 15).
//!
//! A capsule consists of a *skeleton* and reals. The skeleton holds the points of code at which the computation is
//! suspended, in an engine's own representation, and the values that its continuation needs, in which each real that
//! depends on the procedure or the operand is replaced by a *hole*. Occurrences of a real that was produced once are
//! one hole (rule 5a); all other reals are constants of the computation. So the positions of a capsule, as a datum that
//! can be differentiated, are its reals.
//!
//! The conversion between states and capsules depends on levels of differentiation, so it is in the crate `vlad-ad`.

use crate::lifted::{HOLE_LEVEL, LevelPart, Lifted, Number};
use crate::value::{Capsule, Points, Primals, Skeleton, Value};
use std::fmt;
use std::rc::Rc;
use vlad_table::internal_bug;

impl Skeleton {
    /// Makes a skeleton of stop points and of values in which a [`hole`] replaces each real of the capsule.
    pub fn new(points: Box<dyn Points>, values: Vec<Value>) -> Skeleton {
        Skeleton { points, values }
    }
}

impl Capsule {
    /// A capsule without its values, which an engine keeps in its own memory; for printing and messages only.
    pub fn kept_elsewhere(points: Box<dyn Points>) -> Value {
        let skeleton = Rc::new(Skeleton { points, values: Vec::new() });
        Value::Capsule(Rc::new(Capsule { skeleton, reals: Vec::new(), primals: Primals::Same }))
    }

    /// The values of the skeleton, with holes.
    pub fn values(&self) -> &[Value] {
        &self.skeleton.values
    }
}

/// The hole with a number.
pub fn hole(number: u64) -> Number {
    Number::Lifted(Rc::new(Lifted { level: HOLE_LEVEL, primal: Number::Real(0.0), part: LevelPart::Node(number) }))
}

/// The number of a hole; none if the real is not a hole.
pub fn hole_of(number: &Number) -> Option<u64> {
    match number {
        Number::Lifted(lifted) if lifted.level == HOLE_LEVEL => match lifted.part {
            LevelPart::Node(hole) => Some(hole),
            LevelPart::Tangent(_) => internal_bug!("a hole has a number"),
        },
        Number::Lifted(_) | Number::Real(_) => None,
    }
}

// As for pairs, the parts are omitted.
impl fmt::Debug for Capsule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Capsule").field("reals", &self.reals.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Skeleton {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Skeleton").field("points", &self.points).finish_non_exhaustive()
    }
}
