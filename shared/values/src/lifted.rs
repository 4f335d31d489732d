//! Reals as the operations of the table see them: plain, or lifted by levels of differentiation.

use std::rc::Rc;

/// The level of a differentiation: the number of differentiations in progress when it began.
pub type Level = u32;

/// The reserved level of holes: a hole replaces a real of a capsule in its skeleton (see [`crate::capsule`]). It never
/// occurs outside.
pub const HOLE_LEVEL: Level = Level::MAX;

/// A real at a level: a dual number (forward mode) or a tape node (reverse mode), over a primal of lower levels.
#[derive(Debug)]
pub struct Lifted {
    /// The level, higher than any within `primal` and `part`.
    pub level: Level,
    /// The value seen by the levels below.
    pub primal: Number,
    /// The tangent or tape node that the level adds.
    pub part: LevelPart,
}

/// The part of a real that a level adds.
#[derive(Clone, Debug)]
pub enum LevelPart {
    /// Forward mode: the tangent.
    Tangent(Number),
    /// Reverse mode: the number of the tape node at its level.
    Node(u64),
}

/// A real, lifted or not: an operand of the operations of the table.
#[derive(Clone, Debug)]
pub enum Number {
    /// A plain real.
    Real(f64),
    /// A real at one or more levels.
    Lifted(Rc<Lifted>),
}

impl Number {
    /// The plain real under all levels, which predicates, comparisons and printing read.
    pub fn base(&self) -> f64 {
        let mut number = self;
        loop {
            match number {
                Number::Real(real) => return *real,
                Number::Lifted(lifted) => number = &lifted.primal,
            }
        }
    }
}
