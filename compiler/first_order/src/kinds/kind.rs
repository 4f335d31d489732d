//! Kinds of leaves: reals, booleans, arrays of them, and cells.

/// The kind of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A real.
    Real,
    /// A boolean.
    Boolean,
    /// An array, whose length is known at run time.
    Array(Elements),
    /// A cell of a structure that is as large as the run makes it: its parts, which may be cells.
    Cell,
    /// An integer of 64 bits, in storage code alone ([`crate::storage`]).
    Integer,
}

/// The elements of an array: scalars, or arrays of them, which may differ in length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Elements {
    /// The scalars.
    pub scalar: Scalar,
    /// The number of indices that lead to a scalar, at least 1.
    pub rank: u8,
}

/// The kind of a leaf that is no array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// A real.
    Real,
    /// A boolean.
    Boolean,
}

/// The greatest rank of an array.
pub const MOST_RANK: u8 = 16;

impl Kind {
    /// Arrays of reals.
    pub const REALS: Kind = Kind::Array(Elements { scalar: Scalar::Real, rank: 1 });

    /// The kind of arrays of this kind; none if the rank would be too great, or it is that of cells.
    pub fn array(self) -> Option<Kind> {
        let (scalar, rank) = match self {
            Kind::Real => (Scalar::Real, 0),
            Kind::Boolean => (Scalar::Boolean, 0),
            Kind::Array(Elements { scalar, rank }) => (scalar, rank),
            Kind::Cell | Kind::Integer => return None,
        };
        (rank < MOST_RANK).then_some(Kind::Array(Elements { scalar, rank: rank + 1 }))
    }

    /// The kind of the elements of an array; none of a scalar.
    pub fn element(self) -> Option<Kind> {
        match self {
            Kind::Real | Kind::Boolean | Kind::Cell | Kind::Integer => None,
            Kind::Array(Elements { scalar: Scalar::Real, rank: 1 }) => Some(Kind::Real),
            Kind::Array(Elements { scalar: Scalar::Boolean, rank: 1 }) => Some(Kind::Boolean),
            Kind::Array(Elements { scalar, rank }) => Some(Kind::Array(Elements { scalar, rank: rank - 1 })),
        }
    }

    /// Returns true for arrays.
    pub fn is_array(self) -> bool {
        matches!(self, Kind::Array(_))
    }

    /// Returns true for what has tangents and cotangents, which are of the same kind: reals, arrays of reals, and
    /// cells, whose tangents are cells of the tangents of their parts.
    pub fn is_differentiable(self) -> bool {
        matches!(self, Kind::Real | Kind::Array(Elements { scalar: Scalar::Real, .. }) | Kind::Cell)
    }
}
