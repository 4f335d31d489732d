//! The leaves of values, as the evaluator takes and returns them, and real constants by their bits.

use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;

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
    /// A cell; none if it is absent, or a part of an absent one.
    Cell(Option<CellLeaf>),
}

/// A cell as the evaluator has it.
pub trait Parts: Debug {
    /// Its parts.
    fn leaves(&self) -> Vec<Leaf>;
    /// Itself, for the evaluator.
    fn into_any(self: Rc<Self>) -> Rc<dyn Any>;
}

/// A cell of the evaluator.
#[derive(Clone, Debug)]
pub struct CellLeaf(pub(crate) Rc<dyn Parts>);

impl CellLeaf {
    /// Its parts.
    pub fn parts(&self) -> Vec<Leaf> {
        self.0.leaves()
    }

    /// A number that no other cell has as long as this one exists.
    pub fn address(&self) -> *const () {
        Rc::as_ptr(&self.0).cast()
    }
}

impl Leaf {
    /// The cell that the leaf is, if it is one; none in it if it is absent.
    pub fn cell(self) -> Option<Option<CellLeaf>> {
        match self {
            Leaf::Cell(cell) => Some(cell),
            Leaf::Real(_) | Leaf::Boolean(_) | Leaf::Array(_) => None,
        }
    }
}

impl PartialEq for Leaf {
    /// Compares reals by their bits; all NaN are equal, since a program cannot distinguish them. Cells are compared part by part,
    /// without recursion.
    fn eq(&self, other: &Leaf) -> bool {
        match (self, other) {
            (Leaf::Real(a), Leaf::Real(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Leaf::Boolean(a), Leaf::Boolean(b)) => a == b,
            (Leaf::Array(a), Leaf::Array(b)) => a == b,
            (Leaf::Cell(a), Leaf::Cell(b)) => are_same(a.as_ref(), b.as_ref()),
            (Leaf::Cell(None), other) | (other, Leaf::Cell(None)) => is_absent(other),
            (Leaf::Real(_) | Leaf::Boolean(_) | Leaf::Array(_) | Leaf::Cell(_), _) => false,
        }
    }
}

/// Returns true for a part as it is read from an absent cell.
fn is_absent(leaf: &Leaf) -> bool {
    match leaf {
        Leaf::Real(real) => real.to_bits() == 0,
        Leaf::Boolean(truth) => !truth,
        Leaf::Array(_) => false,
        Leaf::Cell(cell) => cell.is_none(),
    }
}

/// Compares cells.
fn are_same(a: Option<&CellLeaf>, b: Option<&CellLeaf>) -> bool {
    let mut pending = vec![(a.cloned(), b.cloned())];
    while let Some((a, b)) = pending.pop() {
        let (Some(a), Some(b)) = (&a, &b) else { if a.is_none() && b.is_none() { continue } else { return false } };
        if a.address() == b.address() {
            continue;
        }
        let (parts, others) = (a.parts(), b.parts());
        if parts.len() != others.len() {
            return false;
        }
        for pair in parts.into_iter().zip(others) {
            match pair {
                (Leaf::Cell(a), Leaf::Cell(b)) => pending.push((a, b)),
                (a, b) if a == b => {}
                _ => return false,
            }
        }
    }
    true
}
