//! The tangents of leaves, as far as they are known at compile time.

use crate::{Bits, Kind, Operand};

/// The tangent of a leaf at the level that is removed.
///
/// A zero tangent is that of a leaf that is constant at the level: zeros of either sign are the same, since the sign of
/// a zero tangent is not observable. Other constants are known as well: they are the directions of a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// A constant, at every level.
    Constant(Bits),
    /// A value of the run.
    Active,
}

impl Activity {
    /// The tangent of a constant, and of a boolean.
    pub const ZERO: Activity = Activity::Constant(Bits(0));

    /// The activity of a leaf with a given tangent.
    pub fn of(tangent: Operand) -> Activity {
        match tangent {
            Operand::Real(bits) if bits.real() == 0.0 => Activity::ZERO,
            Operand::Real(bits) => Activity::Constant(bits),
            Operand::Boolean(_) => Activity::ZERO,
            Operand::Variable(_) => Activity::Active,
        }
    }

    /// The activity that all leaves of a kind can have.
    pub fn widest(kind: Kind) -> Activity {
        if kind.is_differentiable() { Activity::Active } else { Activity::ZERO }
    }

    /// The activity of an array of such elements: it is constant only if they are zero.
    #[must_use]
    pub fn of_array(self) -> Activity {
        if self == Activity::ZERO { self } else { Activity::Active }
    }

    /// Returns true if the tangent is a variable.
    pub fn is_active(self) -> bool {
        self == Activity::Active
    }

    /// The join of two activities.
    #[must_use]
    pub fn join(self, other: Activity) -> Activity {
        if self == other { self } else { Activity::Active }
    }
}

/// Joins activities position by position.
pub fn join(activities: &mut [Activity], others: &[Activity]) {
    for (activity, other) in activities.iter_mut().zip(others) {
        *activity = activity.join(*other);
    }
}
