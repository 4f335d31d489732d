//! Templates: the known part of a value that crosses between first-order code and the other engines' representation.
//!
//! A template is a postfix program for a stack of values, so neither its making nor its use needs host stack.

use vlad_core::LambdaId;
use vlad_table::{Mark, Primitive};

/// The known part of a value, with gaps for its leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// The steps, which leave one value.
    pub steps: Vec<Step>,
}

/// A step of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Pushes the empty list.
    Nil,
    /// Pushes a known boolean.
    Boolean(bool),
    /// Pushes a known real.
    Real(super::Bits),
    /// Pushes a primitive.
    Primitive(Primitive),
    /// Pushes the next leaf, a real.
    RealLeaf,
    /// Pushes the next leaf, a boolean.
    BooleanLeaf,
    /// Replaces the two values on top by their pair; the second part is on top.
    Pair,
    /// Replaces as many values on top as the procedure has slots by the procedure; the last slot is on top.
    Procedure(LambdaId, u32),
    /// Replaces the two values on top by their bundle; the tangent is on top. True if the tangent is returned as a
    /// perturbation.
    Bundle(bool),
    /// Replaces the value on top by the value with that tag.
    Tagged(Mark),
}

impl Template {
    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::RealLeaf | Step::BooleanLeaf)).count()
    }
}
