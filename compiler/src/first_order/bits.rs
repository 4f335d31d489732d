//! The leaves of values, and real constants by their bits.

/// A real constant, by its bits: equal constants have equal bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits(pub u64);

impl Bits {
    /// The bits of a real.
    pub fn of(real: f64) -> Bits {
        Bits(real.to_bits())
    }

    /// The real.
    pub fn real(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// A leaf of a value.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// A real.
    Real(f64),
    /// A boolean.
    Boolean(bool),
    /// An array.
    Array(Vec<Leaf>),
}

impl PartialEq for Leaf {
    /// Compares reals by their bits; all NaN are equal, since a program cannot distinguish them.
    fn eq(&self, other: &Leaf) -> bool {
        match (self, other) {
            (Leaf::Real(a), Leaf::Real(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Leaf::Boolean(a), Leaf::Boolean(b)) => a == b,
            (Leaf::Array(a), Leaf::Array(b)) => a == b,
            (Leaf::Real(_) | Leaf::Boolean(_) | Leaf::Array(_), _) => false,
        }
    }
}
